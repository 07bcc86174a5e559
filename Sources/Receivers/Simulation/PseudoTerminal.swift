import CLinux
import Glibc

/// The master's end of a pseudo-terminal. Closed when it goes out of being, which the slave's reader notices.
struct PseudoTerminal: ~Copyable {
    /// What the other end is opened by.
    let path: String
    private let descriptor: CInt

    /// A new one; fails with the errno.
    init() throws(ReceiverFailure) {
        var name = [CChar](repeating: 0, count: Int(TTY_PATH_SIZE))
        descriptor = pty_open(&name)
        path = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        guard descriptor >= 0 else {
            throw ReceiverFailure(
                .unusable, "cannot make a pseudo-terminal: \(String(cString: strerror(-descriptor)))")
        }
    }

    deinit {
        if descriptor >= 0 { _ = close(descriptor) }
    }

    /// Sends `bytes`. What the slave's reader has left no room for is lost, as on a serial line.
    func write(_ bytes: [UInt8]) {
        _ = Glibc.write(descriptor, bytes, bytes.count)
    }
}
