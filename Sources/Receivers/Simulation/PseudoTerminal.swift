import CLinux
import Glibc

/// The master side of a pseudo-terminal. Closed on deinit, which the reader on the slave side notices.
struct PseudoTerminal: ~Copyable {
    /// The path of the slave side.
    let path: String
    private let descriptor: CInt

    /// Opens a new pseudo-terminal.
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

    /// Sends `bytes`. Bytes that do not fit into the slave's buffer are lost, as on a serial port.
    func write(_ bytes: [UInt8]) {
        _ = Glibc.write(descriptor, bytes, bytes.count)
    }
}
