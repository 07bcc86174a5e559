internal import Logging
internal import NIOCore

/// A log of refusals, limited to one line a minute.
///
/// Attack: a host that may not send does so a thousand times a second, and fills the disk.
struct RefusalLog {
    private static let interval = TimeAmount.minutes(1)

    private let log: Logger
    private var last: NIODeadline?
    private var omitted = 0

    init(_ log: Logger) { self.log = log }

    mutating func refused(_ message: @autoclosure () -> String, at now: NIODeadline) {
        if let last, now - last < Self.interval {
            omitted += 1
            return
        }
        last = now
        let more = omitted > 0 ? "; \(omitted) more were refused since the last message" : ""
        omitted = 0
        log.warning("\(message())\(more)")
    }
}
