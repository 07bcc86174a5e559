/// A moment in UTC with a resolution of one millisecond.
public struct Timestamp: Sendable, Hashable, Comparable {
    /// The number of milliseconds since 1970-01-01T00:00:00Z, without leap seconds (POSIX time).
    public var millisecondsSince1970: Int64

    /// Creates a moment from the number of milliseconds since 1970-01-01T00:00:00Z.
    public init(millisecondsSince1970: Int64) {
        self.millisecondsSince1970 = millisecondsSince1970
    }

    /// Returns whether `a` is earlier than `b`.
    public static func < (a: Timestamp, b: Timestamp) -> Bool {
        a.millisecondsSince1970 < b.millisecondsSince1970
    }

    /// Returns the seconds from `other` to this moment, negative if this moment is earlier. The result is correct to
    /// the millisecond within some 285,000 years of 1970.
    public func seconds(since other: Timestamp) -> Double {
        (Double(millisecondsSince1970) - Double(other.millisecondsSince1970)) / 1000
    }
}
