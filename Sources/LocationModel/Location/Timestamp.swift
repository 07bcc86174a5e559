/// A moment in UTC with a resolution of one millisecond.
public struct Timestamp: Sendable, Hashable, Comparable {
    /// Milliseconds since 1970-01-01T00:00:00Z, leap seconds not counted (POSIX time).
    public var millisecondsSince1970: Int64

    /// The moment that many milliseconds after 1970-01-01T00:00:00Z.
    public init(millisecondsSince1970: Int64) {
        self.millisecondsSince1970 = millisecondsSince1970
    }

    /// Returns whether `a` is the earlier one.
    public static func < (a: Timestamp, b: Timestamp) -> Bool {
        a.millisecondsSince1970 < b.millisecondsSince1970
    }

    /// Seconds from `other` to this moment; negative when this is the earlier one. Exact for some 285,000 years around 1970.
    public func seconds(since other: Timestamp) -> Double {
        (Double(millisecondsSince1970) - Double(other.millisecondsSince1970)) / 1000
    }
}
