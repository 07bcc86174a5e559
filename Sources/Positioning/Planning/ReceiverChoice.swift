/// Which of several receivers' fixes count.
///
/// One receiver is in use at a time, so that an app never gets two fixes for one moment. It stays in use while its fixes
/// keep coming; when it is lost or has been silent for longer than ``patience``, the next one to give a fix takes over.
/// Receivers are known by their place in the configuration; time is passed in, in seconds of any monotonic clock.
public struct ReceiverChoice: Sendable {
    /// How long the receiver in use may be silent, in seconds: two epochs of a 1 Hz receiver and some.
    public static let patience = 2.5

    /// The receiver in use; `nil` before the first fix and after the one in use was lost.
    public private(set) var current: Int?
    private var lastFixSeconds = 0.0

    /// No receiver is in use.
    public init() {}

    /// Whether a fix that `receiver` gives at `seconds` counts.
    public mutating func accepts(fixOf receiver: Int, at seconds: Double) -> Bool {
        if let current, current != receiver, seconds - lastFixSeconds <= Self.patience { return false }
        current = receiver
        lastFixSeconds = seconds
        return true
    }

    /// The receiver gives no more fixes.
    public mutating func lose(_ receiver: Int) {
        if current == receiver { current = nil }
    }
}
