internal import NIOCore

/// Notices that the receiver at an open port has restarted, and so has lost its settings: a HAT may lose its power
/// while the port stays open. Most receivers send a text when they start. In case it was not received, the values are
/// read again now and then.
///
/// Attack: a device says again and again that it has started, or drops its values each time, to keep the port and the
/// daemon busy. So only a few restarts are believed while the port is open, and not one right after another.
struct RestartWatch {
    static let maximumRestarts = 5
    /// The least time from one setting to the next one.
    static let leastInterval = TimeAmount.seconds(10)
    /// The time between two checks of the values.
    static let checkInterval = TimeAmount.minutes(5)

    /// The time of the next check, or `nil` if there is nothing to check.
    private(set) var nextCheck: NIODeadline?
    private var restarts = 0
    private var nextRestart = NIODeadline.uptimeNanoseconds(0)
    /// The text, and the number of its bytes that were received last.
    private var (text, received) = ([UInt8](), 0)

    /// Begins to watch a receiver that has just answered.
    ///
    /// - Parameters:
    ///   - text: The text that it sends when it starts, which has its first character only there, or an empty one.
    ///   - hasValues: `true` if there are values to check.
    mutating func begin(_ text: String, hasValues: Bool, at now: NIODeadline) {
        (self.text, received) = (Array(text.utf8), 0)
        nextRestart = now + Self.leastInterval
        nextCheck = hasValues ? now + Self.checkInterval : nil
    }

    /// Ends it, because nothing can be asked.
    mutating func end() { (text, nextCheck) = ([], nil) }

    /// Returns whether the text ends in these bytes. It may have begun in earlier ones.
    mutating func isText(in bytes: RawSpan) -> Bool {
        guard !text.isEmpty else { return false }
        var received = received
        var isComplete = false
        bytes.withUnsafeBytes { buffer in
            for byte in buffer {
                received = byte == text[received] ? received + 1 : byte == text[0] ? 1 : 0
                if received == text.count { (received, isComplete) = (0, true) }
            }
        }
        self.received = received
        return isComplete
    }

    /// Returns whether a restart is believed, and counts it.
    mutating func admitsRestart(at now: NIODeadline) -> Bool {
        guard restarts < Self.maximumRestarts, now >= nextRestart else { return false }
        (restarts, nextRestart) = (restarts + 1, now + Self.leastInterval)
        return true
    }

    /// Returns whether it is time for a check. If so, the time of the next one counts from now.
    mutating func isCheckDue(at now: NIODeadline) -> Bool {
        guard let nextCheck, now >= nextCheck else { return false }
        self.nextCheck = now + Self.checkInterval
        return true
    }
}
