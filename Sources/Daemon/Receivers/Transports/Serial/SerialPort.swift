import CLinux
import EventLoopSupport
import Glibc
import Linux
import NIOCore

/// An open serial port: passes the bytes to the transport until `close()`.
final class SerialPort {
    /// The transport that receives the bytes, or `nil` after `close()`.
    private weak var transport: SerialTransport?
    private let descriptor: CInt
    private var watch: DescriptorPoller.Watch?
    private var isClosed = false

    /// Takes ownership of the descriptor.
    init(descriptor: CInt, transport: SerialTransport) {
        self.descriptor = descriptor
        self.transport = transport
    }

    deinit { close() }

    /// Begins to read.
    func open(on eventLoop: any EventLoop) {
        do throws(SystemCallError) {
            let watch = try DescriptorPoller(on: eventLoop).watch(descriptor) { [unowned self] _ in read() }
            self.watch = watch
            try watch.wait(for: .readable)
            transport?.portOpened()
        } catch {
            end(error)
        }
    }

    private func read() {
        // The tty driver returns at most 4095 bytes at a time.
        let error = withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { buffer -> CInt? in
            let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            guard count > 0 else { return count == 0 ? 0 : errno }
            transport?.receive(UnsafeRawBufferPointer(rebasing: buffer[..<count]).bytes)
            return nil
        }
        switch error {
        case nil, EAGAIN?, EINTR?: do { try watch?.wait(for: .readable) } catch { end(error) }
        case 0?: end(nil)
        case let number?: end(SystemCallError("read", number))
        }
    }

    /// Closes a port that can no longer be read, and notifies the transport.
    private func end(_ error: SystemCallError?) {
        let transport = transport
        close(releasing: false)
        transport?.portClosed(error)
    }

    /// Applies new serial settings. Ignores errors: if the port has gone, reading it shows that.
    func set(_ settings: SerialSettings) {
        let framing =
            switch settings.framing {
            case .eightN1: TTY_8N1
            case .sevenN2: TTY_7N2
            case .eightE1: TTY_8E1
            }
        _ = tty_set_line(descriptor, UInt32(settings.bitsPerSecond), framing)
    }

    /// A Boolean value indicating whether bytes were received but not read yet.
    var hasUnread: Bool {
        var count: CInt = 0
        return ioctl(descriptor, UInt(FIONREAD), &count) == 0 && count > 0
    }

    /// Drops bytes that were received but not read yet.
    func dropUnread() {
        tcflush(descriptor, TCIFLUSH)
    }

    /// Closes the port. The transport is not called afterwards.
    func close() { close(releasing: true) }

    private func close(releasing: Bool) {
        guard !isClosed else { return }
        isClosed = true
        transport = nil
        watch?.end()
        watch = nil
        if releasing { tty_release(descriptor) }
        _ = Glibc.close(descriptor)
    }
}
