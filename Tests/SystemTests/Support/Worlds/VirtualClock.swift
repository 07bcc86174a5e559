import LocationModel
import NIOConcurrencyHelpers
import NIOCore

/// The clocks of a machine in virtual time.
final class VirtualClock: Sendable {
    private let start: Timestamp
    private let elapsed = NIOLockedValueBox<Int64>(0)

    /// - Parameter start: The time of the machine's start.
    init(start: Timestamp) { self.start = start }

    var now: Timestamp {
        Timestamp(millisecondsSince1970: start.millisecondsSince1970 + elapsed.withLockedValue(\.self))
    }

    var uptime: NIODeadline { .uptimeNanoseconds(UInt64(1_000_000_000 + elapsed.withLockedValue(\.self) * 1_000_000)) }

    func advance(milliseconds: Int64) { elapsed.withLockedValue { $0 += milliseconds } }
}
