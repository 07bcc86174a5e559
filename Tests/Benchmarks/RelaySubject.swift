import CBench
import Glibc

/// Copies the port's bytes to everybody, and knows nothing of them: what the kernel alone costs.
final class RelaySubject: Subject {
    let name = "bare relay"
    let port: PseudoTerminal
    let process: ChildProcess
    let maximumSubscribers = 1000
    let framing = Framing(terminator: UInt8(ascii: "\n"), prefix: Array("$GPGLL".utf8))
    private let path: String

    init(folder: Folder) throws {
        port = try PseudoTerminal()
        path = folder.path + "/relay"
        let listener = try Socket.listening(at: path)
        let slave = open(port.path, O_RDWR | O_NOCTTY)
        guard slave >= 0 else { throw Failure("open(\(port.path))", errno: errno) }
        process = try ChildProcess(pid: relay_run(slave, listener))
        close(slave)
        close(listener)
    }

    func subscribe() throws -> Socket { try Socket(path: path) }
    func mark(of epoch: Epoch) -> String { ",\(epoch.timeOfDay)," }
    /// Connections are accepted before the bytes that come later are read, or soon after: warming up sees to it.
    func awaitSubscribers(_ count: Int) {}
}
