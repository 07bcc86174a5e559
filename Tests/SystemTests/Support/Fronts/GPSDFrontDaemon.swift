import Foundation
import TestSupport

/// A daemon that serves clients of gpsd on a TCP port and on its Unix socket.
final class GPSDFrontDaemon: WitnessedDaemon {
    private let reservation: ReservedPort

    var port: Int { reservation.number }
    /// The path of the Unix socket with the same protocol.
    var socket: String { daemon.runtime + "/gpsd" }

    init(configuration: String = "") async throws {
        reservation = try ReservedPort()
        try await super.init(configuration: configuration + Self.configuration(port: reservation.number))
    }

    /// The configuration of a daemon that serves clients of gpsd on a port and on its Unix socket.
    static func configuration(port: Int) -> String {
        "[gpsd]\nlisten = [\"127.0.0.1:\(port)\"]\nsocket = true\n"
    }

    /// Connects, and receives the greeting.
    func connect() async throws -> GPSDConnection {
        let connection = GPSDConnection(try TCPSocket.connect(port: port))
        guard try await connection.line() == GPSDConnection.version else { throw Overdue(what: "VERSION") }
        return connection
    }

    /// Connects, asks for reports, and receives the greeting and the replies.
    func watching() async throws -> GPSDConnection {
        let connection = try await connect()
        connection.watch()
        _ = try await connection.report("WATCH")
        return connection
    }
}
