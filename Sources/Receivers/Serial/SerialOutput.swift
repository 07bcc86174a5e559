import Glibc
import NIOCore

/// The way out of a serial port.
///
/// Closing a port makes the kernel wait until it has sent everything: up to half a minute (closing_wait) if the device
/// takes nothing any more, and the event loop would wait with it. So this has a descriptor of its own, on which the port
/// stays open until the bytes have left. Nothing is read from it, and nobody is kept from opening the port anew.
final class SerialOutput {
    /// How long bytes are waited for; those that have not left by then are dropped.
    private static let timeout = TimeAmount.milliseconds(500)
    private static let pollInterval = TimeAmount.milliseconds(10)

    private let descriptor: CInt
    /// Bits per second.
    var baudRate: Int
    private let eventLoop: any EventLoop
    /// When the line will have carried what was written: the transmitter's own buffer is not told of.
    private var sentBy: NIODeadline

    /// Another descriptor of an open port; `nil` when there is none to be had.
    init?(duplicating descriptor: CInt, baudRate: Int, on eventLoop: any EventLoop) {
        self.descriptor = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        self.baudRate = baudRate
        self.eventLoop = eventLoop
        sentBy = eventLoop.now
        guard self.descriptor >= 0 else { return nil }
    }

    deinit {
        if descriptor >= 0 { _ = close(descriptor) }
    }

    /// Writes without waiting. What the port has no room for is lost, as is everything on a port that is open for
    /// reading only.
    func write(_ bytes: [UInt8]) {
        var count = 0
        repeat { count = Glibc.write(descriptor, bytes, bytes.count) } while count < 0 && errno == EINTR
        guard count > 0 else { return }
        // Ten bits a byte, with those of start and stop.
        sentBy = max(sentBy, eventLoop.now) + .nanoseconds(Int64(count) * 10_000_000_000 / Int64(baudRate))
    }

    /// Lets go of the port when all that was written has left.
    func finish() {
        // The lock is one of both descriptors.
        _ = flock(descriptor, LOCK_UN)
        finish(before: max(eventLoop.now, sentBy) + Self.timeout)
    }

    private func finish(before deadline: NIODeadline) {
        let now = eventLoop.now
        if now >= sentBy, !hasUnsentBytes { return }
        if now >= deadline {
            tcflush(descriptor, TCOFLUSH)
            return
        }
        let next = now >= sentBy ? now + Self.pollInterval : sentBy
        _ = eventLoop.assumeIsolated().scheduleTask(deadline: next) { self.finish(before: deadline) }
    }

    private var hasUnsentBytes: Bool {
        var count: CInt = 0
        return ioctl(descriptor, UInt(TIOCOUTQ), &count) == 0 && count > 0
    }
}
