import Glibc

/// gpsd, which gets epochs from a port of its own and tells clients on TCP in JSON.
final class GPSDSubject: Subject {
    let name = "gpsd"
    let port: PseudoTerminal
    let process: ChildProcess
    /// It takes 64; some are left for whoever looks.
    let maximumSubscribers = 60
    let framing = Framing(terminator: UInt8(ascii: "\n"), prefix: Array(#"{"class":"TPV""#.utf8))
    private let tcpPort: UInt16

    /// Starts it and returns when it has greeted a client.
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

    func subscribe() throws -> Socket {
        let client = try Socket(port: tcpPort)
        try client.send(#"?WATCH={"enable":true,"json":true};"#)
        _ = try client.read(until: #"{"class":"WATCH""#)
        return client
    }

    func mark(of epoch: Epoch) -> String { #""time":"\#(epoch.timestamp)""# }

    /// Each has had its answer.
    func awaitSubscribers(_ count: Int) {}
}
