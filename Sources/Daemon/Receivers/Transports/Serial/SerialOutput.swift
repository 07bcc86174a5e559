import Glibc
import NIOCore

/// The output side of a serial port.
///
/// When a port is closed, the kernel waits until all output has been sent: up to half a minute (closing_wait) if the
/// device no longer accepts data, and the event loop would wait with it. So this object has its own descriptor, which
/// keeps the port open until the bytes have left. It does not read from that descriptor, and does not keep other
/// programs from opening the port.
final class SerialOutput {
    /// The time to wait for unsent bytes before they are dropped.
    private static let timeout = TimeAmount.milliseconds(500)
    private static let pollInterval = TimeAmount.milliseconds(10)

    private let descriptor: CInt
    /// Bits per second.
    var baudRate: Int
    private let eventLoop: any EventLoop
    /// The time when the port will have sent all written bytes. The kernel does not report the transmitter's own
    /// buffer.
    private var sentBy: NIODeadline

    /// Duplicates the descriptor of an open port, or returns `nil` if that fails.
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

    /// The time until the port will have sent all written bytes.
    var backlog: TimeAmount { max(.zero, sentBy - eventLoop.now) }

    /// Writes without blocking. Bytes that do not fit into the port's buffer are lost, as is everything on a read-only
    /// port.
    func write(_ bytes: [UInt8]) {
        var count = 0
        repeat { count = Glibc.write(descriptor, bytes, bytes.count) } while count < 0 && errno == EINTR
        guard count > 0 else { return }
        // Ten bits per byte, including the start and stop bits.
        sentBy = max(sentBy, eventLoop.now) + .nanoseconds(Int64(count) * 10_000_000_000 / Int64(baudRate))
    }

    /// Closes the descriptor once all written bytes have left.
    func finish() {
        // Both descriptors share one lock.
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
