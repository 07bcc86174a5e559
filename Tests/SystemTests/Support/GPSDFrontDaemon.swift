import Foundation
import LocationModel
import LocationProtocol
import TestSupport
import Varlink

/// A daemon that serves clients of gpsd, with a receiver on a wire and another app, which has a grant.
///
/// What the other app has received, the daemon has had: so a test knows which fixes went past a client.
final class GPSDFrontDaemon {
    let wire: Wire
    let daemon: TestDaemon
    private let reservation: ReservedPort
    private let witness: RunningProgram
    /// The second of the next epoch.
    private(set) var nextSecond = 0

    var port: Int { reservation.number }
    /// The path of the Unix socket with the same protocol.
    var socket: String { daemon.runtime + "/gpsd" }
    /// The path of the receiver, by which clients know it.
    var device: String { wire.path }

    init(configuration: String = "") async throws {
        wire = try Wire(sendsTexts: true)
        reservation = try ReservedPort()
        daemon = try await TestDaemon(
            receivers: ["serial:\(wire.path)@9600"],
            configuration: configuration + Self.configuration(port: reservation.number))
        _ = try await daemon.ctl("grant", try await daemon.ctlApp(), "--always")
        witness = try daemon.startCtl("watch", "--json", "--no-pauses")
        try await daemon.waitUntilOpen()
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

    /// Writes epochs until the other app has received one of them. Returns its second. The others may have been lost:
    /// the receiver is, if this process or the daemon does not run for five seconds.
    @discardableResult func pass() async throws -> Int {
        let first = nextSecond
        var seen: Int?
        try await eventually("a fix: \(witness.errors)") {
            wire.offer(epoch(nextSecond))
            nextSecond += 1
            let output = witness.output
            seen = (first..<nextSecond).last { output.contains(Sentences.timestamp($0)) }
            return seen != nil
        }
        return try seen ?? { throw Overdue(what: "a fix") }()
    }

    /// Writes the next epoch, all of it, as soon as there is room.
    func write() {
        wire.write(epoch(nextSecond))
        nextSecond += 1
    }

    /// Writes epochs until a condition holds.
    func passEpochs(until what: String, _ condition: () async throws -> Bool) async throws {
        try await eventually(what) {
            wire.offer(epoch(nextSecond))
            nextSecond += 1
            return try await condition()
        }
    }

    /// Returns an epoch with position, dilutions and three satellites.
    private func epoch(_ second: Int) -> String {
        Sentences.epoch(second) + Sentences.sentence("GPGSA,A,3,04,05,09,,,,,,,,,,1.5,0.9,1.2")
            + Sentences.sentence("GPGSV,1,1,03,04,40,083,46,05,17,308,41,09,07,344,39")
    }

    /// Grants this process access to the location.
    func grantSelf(_ accuracy: AccuracyAuthorization = .full) async throws {
        _ = try await daemon.call(
            Grant.self, .init(app: try await daemon.ownApp(), level: .whenInUse, accuracy: accuracy))
    }
}
