import Foundation
import LocationModel
import LocationProtocol
import TestSupport
import Testing

/// Clients of gpsd that another user runs, with a daemon without rights: `locationd-peers` finds the processes that
/// hold their sockets.
@Suite(
    .timeLimit(.minutes(15)),
    .enabled(if: Attack.isRoot && PeersService.nobodyCanRunIt, "needs root, and a build that others may run"))
struct GPSDClientPeersTests {
    private let folder: TemporaryFolder
    private let port: ReservedPort

    init() throws {
        folder = try TemporaryFolder()
        port = try ReservedPort()
        chmod(folder.path, 0o755)
        try #require(chown(folder.path, 65534, 65534) == 0)
    }

    private func daemon(_ peers: PeersService?) async throws -> TestDaemon {
        let environment = peers.map { ["/usr/bin/env", "LOCATIOND_PEERS=\($0.path)"] } ?? []
        return try await TestDaemon(
            receivers: ["simulated"],
            configuration: "in-use = \"connected\"\n" + GPSDFrontDaemon.configuration(port: port.number),
            folder: folder, launcher: environment + Attack.asNobody)
    }

    private func connect() throws -> GPSDConnection { GPSDConnection(try TCPSocket.connect(port: port.number)) }

    /// Returns the lines that a connection gets before the daemon closes it.
    private func linesUntilClosed(_ connection: GPSDConnection) async throws -> [String] {
        var lines: [String] = []
        while let line = try await connection.socket.receiveLine() { lines.append(line) }
        return lines
    }

    /// A process that cannot be examined is refused: nothing is guessed from its user.
    @Test func withoutItTheClientIsRefused() async throws {
        let daemon = try await daemon(nil)
        let client = try connect()
        client.watch()
        let lines = try await linesUntilClosed(client)
        #expect(!lines.contains { $0.contains("TPV") }, "\(lines)")
        #expect(!daemon.program.hasEnded)
    }

    @Test func withItTheClientHasItsName() async throws {
        let peers = try await PeersService(in: folder.path, user: Attack.nobody)
        let daemon = try await daemon(peers)
        let client = try connect()
        client.watch()
        #expect(try await client.report("TPV").mode == 1)
        let own = "exe:" + (try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
        let apps = try await daemon.list(ListApps.self, UserScope()).apps
        #expect(apps.filter { $0.connections > 0 }.map(\.app) == [own])
        _ = try await daemon.call(Grant.self, .init(app: own, uid: Int(getuid()), level: .always))
        #expect(try await client.report("a fix") { $0.mode == 3 }.hasPlace)
    }

    /// Attack: clients connect while the service that identifies them does not answer. The others' fixes go on, and
    /// those who wait get nothing.
    @Test func whileItHangsOthersGoOn() async throws {
        let peers = try await PeersService(in: folder.path, user: Attack.nobody)
        let daemon = try await daemon(peers)
        let client = try connect()
        client.watch()
        _ = try await client.report("TPV")
        let own = try #require(
            try await daemon.list(ListApps.self, UserScope()).apps.first { $0.connections > 0 }?.app)
        _ = try await daemon.call(Grant.self, .init(app: own, uid: Int(getuid()), level: .always))
        _ = try await client.report("a fix") { $0.hasPlace }
        let service = try #require(peers.processID)
        kill(service, SIGSTOP)
        defer { kill(service, SIGCONT) }
        // They are given up after a time.
        let waiting = try (0..<3).map { _ in
            let other = try connect()
            other.watch()
            return other
        }
        for _ in 0..<4 { _ = try await client.report("a fix") { $0.hasPlace } }
        for other in waiting {
            let lines = try await linesUntilClosed(other)
            #expect(!lines.contains { $0.contains("TPV") }, "\(lines)")
        }
    }
}
