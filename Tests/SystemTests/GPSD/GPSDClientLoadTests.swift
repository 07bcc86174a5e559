import Foundation
import LocationModel
import LocationProtocol
import TestSupport
import Testing
import Varlink

/// Many clients of gpsd at once, and clients that do not read.
@Suite(.timeLimit(.minutes(15))) struct GPSDClientLoadTests {
    /// gpsd serves 64.
    @Test func aThousandClientsGetAFix() async throws {
        let front = try await GPSDFrontDaemon(configuration: "[limits]\nconnections-per-user = 4000\n")
        let script = Program.script("GPSDClients/thousand")
        let python = try await python(in: front.daemon)
        let clients = try RunningProgram(python, ["-c", script, "\(front.port)"])
        try await eventually("a thousand clients: \(clients.errors)", seconds: 600) {
            if clients.hasEnded { throw Overdue(what: "the clients, which ended: \(clients.errors)") }
            return clients.lines.contains("watching")
        }
        _ = try await front.daemon.call(
            Grant.self, .init(app: try await app(in: front.daemon), uid: Int(getuid()), level: .always))
        try await eventually("a thousand fixes: \(clients.errors)", seconds: 600) {
            try await front.pass()
            return clients.lines.contains("located")
        }
    }

    /// A slow reader loses reports of the past. The newest waits for it.
    @Test func aClientThatDoesNotReadCostsItselfOnly() async throws {
        let front = try await GPSDFrontDaemon()
        try await front.grantSelf()
        let slow = GPSDConnection(try RawSocket(front.socket))
        slow.watch()
        let reader = try await front.watching()
        // More than the kernel keeps for a Unix socket.
        var newest = ""
        for _ in 0..<150 {
            for _ in 0..<10 { front.write() }
            newest = try await reader.reportsSoFar().filter { $0.mode == 3 }.last?.time ?? newest
        }
        var count = 0
        var time = ""
        while time < newest {
            time = try await slow.report("TPV").time ?? ""
            count += 1
        }
        #expect(count < 1500)
    }

    /// A separate Python, which is not an app of another test.
    private func python(in daemon: TestDaemon) async throws -> String {
        let path = daemon.folder.path + "/clients"
        try await Program.copy(Attack.interpreter, to: path)
        return path
    }

    private func app(in daemon: TestDaemon) async throws -> String {
        let apps = try await daemon.list(ListApps.self, UserScope(uid: Int(getuid()))).apps
        return try #require(apps.first { $0.app.hasSuffix("/clients") && $0.connections > 0 }?.app)
    }
}
