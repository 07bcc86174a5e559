import CBench
import Glibc

/// A process that copies the port's bytes to all subscribers without looking at them: the cost of the kernel alone.
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
    /// Does nothing: the relay accepts connections before it reads later bytes, or soon after. The warm-up covers the
    /// rest.
    func awaitSubscribers(_ count: Int) {}
}
