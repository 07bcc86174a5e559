import Glibc

/// gpsd, with a port of its own. It sends events as JSON to its clients on TCP.
final class GPSDSubject: Subject {
    let name = "gpsd"
    let port: PseudoTerminal
    let process: ChildProcess
    /// gpsd accepts 64 clients. Some are left for other clients, such as one that checks on it by hand.
    let maximumSubscribers = 60
    let framing = GPSDClient.framing
    private let tcpPort: UInt16

    /// Starts gpsd. Returns as soon as it has greeted a client.
    init(program: String, folder: Folder) throws {
        port = try PseudoTerminal()
        tcpPort = try Socket.freePort()
        process = try ChildProcess(
            [program, "-N", "-n", "-S", String(tcpPort), "-D0", port.path], log: folder.path + "/gpsd.log")
        try wait(for: "gpsd's greeting") {
            guard process.isRunning else { throw Failure("gpsd ended: \(try contents(folder.path + "/gpsd.log"))") }
            return (try? greeted()) != nil
        }
    }

    private func greeted() throws {
        let client = try Socket(port: tcpPort)
        defer { close(client.descriptor) }
        _ = try client.read(until: "\n")
    }

    func subscribe() throws -> Socket { try GPSDClient.subscribe(port: tcpPort) }

    func mark(of epoch: Epoch) -> String { GPSDClient.mark(of: epoch) }

    /// Does nothing: `subscribe()` has waited for the reply to each WATCH.
    func awaitSubscribers(_ count: Int) {}
}
