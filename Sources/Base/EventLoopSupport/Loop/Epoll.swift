internal import CLinux
internal import Glibc
internal import Linux

/// An epoll(7) instance whose waiting can be ended from another thread.
final class Epoll: Sendable {
    /// The id of the event that ends the waiting. No watch has it.
    static let wakeID: UInt64 = 0

    private let descriptor: CInt
    private let wakePipe: WakePipe

    init() throws(SystemCallError) {
        wakePipe = try WakePipe()
        descriptor = poller_create()
        guard descriptor >= 0 else { throw SystemCallError("epoll_create1", -descriptor) }
        try wait(on: wakePipe.descriptor, id: Self.wakeID, for: .readable)
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Reports the next of these events of `watched`, once, in place of any earlier wait for it.
    func wait(on watched: CInt, id: UInt64, for events: DescriptorPoller.Events) throws(SystemCallError) {
        let status = poller_arm(descriptor, watched, id, events.rawValue)
        guard status >= 0 else { throw SystemCallError("epoll_ctl", -status) }
    }

    /// Ends the wait for events of `watched`.
    func forget(_ watched: CInt) { poller_remove(descriptor, watched) }

    /// Blocks until there are events, or for so many nanoseconds, forever if that is -1, and passes the events on.
    func wait(nanoseconds: Int64, _ report: (_ id: UInt64, DescriptorPoller.Events) -> Void) {
        withUnsafeTemporaryAllocation(of: poller_event.self, capacity: Int(POLLER_EVENTS)) { events in
            let count = Int(poller_wait(descriptor, events.baseAddress!, nanoseconds))
            for index in 0..<max(0, count) {
                report(events[index].id, DescriptorPoller.Events(rawValue: events[index].events))
            }
        }
    }

    /// Ends the waiting, now or when it begins next, with an event of ``wakeID``.
    func wake() { wakePipe.wake() }

    /// Has later calls of ``wake()`` end the waiting again.
    func allowWaking() throws(SystemCallError) {
        wakePipe.clear()
        try wait(on: wakePipe.descriptor, id: Self.wakeID, for: .readable)
    }
}
