import Glibc

/// locationd, serving clients of gpsd on a TCP port.
final class GPSDFrontSubject: LocationdSubject {
    override var name: String { "locationd as gpsd" }
    override var framing: Framing { GPSDClient.framing }
    private let tcpPort: UInt16

    init(program: String, folder: Folder) throws {
        tcpPort = try Socket.freePort()
        try super.init(
            program: program, folder: folder, settings: "[gpsd]\nlisten = [\"127.0.0.1:\(tcpPort)\"]\n")
    }

    override func subscribe() throws -> Socket { try GPSDClient.subscribe(port: tcpPort) }

    override func mark(of epoch: Epoch) -> String { GPSDClient.mark(of: epoch) }
}
