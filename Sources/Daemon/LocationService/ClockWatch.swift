internal import CLinux
internal import EventLoopSupport
internal import Glibc
internal import Linux
internal import NIOCore

/// A watch for changes of the wall clock and for wake-ups from suspend, without polling and without a bus.
///
/// The event loop's own clock, CLOCK_MONOTONIC, is not affected when the wall clock is set, and stands still during
/// suspend. Confined to the event loop.
final class ClockWatch {
    /// The shortest sleep that is reported, in nanoseconds. Reading the two clocks takes less.
    private static let shortestSleep: Int64 = 10_000_000

    private let poller: DescriptorPoller
    private let open: () -> CInt
    private let slept: () -> Int64
    private let onChange: (_ slept: TimeAmount) -> Void
    private var sleptBefore: Int64
    private var armed: (descriptor: CInt, watch: DescriptorPoller.Watch)?

    /// Starts watching.
    ///
    /// - Parameters:
    ///   - open: Returns a descriptor that becomes readable at the next change, or a negative value if there is none.
    ///   - slept: Returns the time that the machine has slept since it was booted, in nanoseconds.
    ///   - onChange: Called on the event loop with the time that the machine slept, or 0 if the clock was set instead.
    init(
        poller: DescriptorPoller, open: @escaping () -> CInt = clock_watch_open,
        slept: @escaping () -> Int64 = { Int64(clock_slept()) }, onChange: @escaping (_ slept: TimeAmount) -> Void
    ) {
        self.poller = poller
        self.open = open
        self.slept = slept
        self.onChange = onChange
        sleptBefore = slept()
        arm()
    }

    /// Closes the watch. Nothing is reported afterwards.
    func stop() {
        guard let armed else { return }
        armed.watch.end()
        close(armed.descriptor)
        self.armed = nil
    }

    /// Opens a new descriptor, which is never read: each one reports one change.
    private func arm() {
        let descriptor = open()
        guard descriptor >= 0 else { return }
        let watch = poller.watch(descriptor) { [unowned self] _ in changed() }
        armed = (descriptor, watch)
        try? watch.wait(for: .readable)
    }

    private func changed() {
        let before = armed
        armed = nil
        // Armed first, so that no later change is missed.
        arm()
        before?.watch.end()
        if let before { close(before.descriptor) }
        let total = slept()
        let sleep = total - sleptBefore
        sleptBefore = total
        onChange(.nanoseconds(sleep < Self.shortestSleep ? 0 : sleep))
    }
}
