import Foundation
import LocationProtocol
import TestSupport
import Testing

/// Clients of gpsd that send nonsense or floods. Another client's fixes go on, and nothing of the attack stays.
@Suite(.timeLimit(.minutes(15))) struct GPSDAttackFloodTests {
    /// Runs an attack. Returns its output, after the client with a grant has received fixes again.
    private func run(_ script: String) async throws -> [String] {
        let gpsd = try await GPSDAttack()
        let before = try memory(of: gpsd.attack.daemon)
        let lines = try await gpsd.run(script, as: gpsd.attack.other)
        try await gpsd.waitForFixes()
        try await eventually("the attacker's connections to be gone") { try await gpsd.attack.connections() <= 1 }
        if !Sanitizer.isRunning {
            #expect(try memory(of: gpsd.attack.daemon) - before < 16_384, "kB more of private memory")
        }
        #expect(try await gpsd.run("print(outcome())", as: gpsd.attack.granted) == ["fix"])
        return lines
    }

    /// Returns the daemon's private memory in kB: RssAnon of proc(5).
    private func memory(of daemon: TestDaemon) throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(daemon.program.processIdentifier)/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("RssAnon:") })
        return try #require(Int(line.filter(\.isNumber)))
    }

    /// Most of the connections are reset: 10,000 ports that wait for late packets could not be used by other tests.
    @Test func tenThousandConnectionsThatAreClosedAtOnce() async throws {
        let lines = try await run(Program.script("GPSDAttackFlood/closed_at_once"))
        #expect(lines == ["done"])
    }

    /// Connections that say nothing, and connections whose sending side is shut down.
    @Test func connectionsThatStayHalfOpen() async throws {
        let lines = try await run(Program.script("GPSDAttackFlood/half_open"))
        #expect(lines == ["done"])
    }

    /// The limits of connections hold for TCP as for the public socket.
    @Test func oneUserDoesNotTakeAllConnections() async throws {
        let lines = try await run(Program.script("GPSDAttackFlood/all_connections"))
        #expect(lines == ["True"])
    }

    /// One connection for each, to the same daemon.
    @Test func aMegabyteThatIsNoRequest() async throws {
        let lines = try await run(Program.script("GPSDAttackFlood/no_request"))
        #expect(lines.count == 11 && lines.last == "done", "\(lines)")
    }

    /// Attack: a client makes the daemon keep replies that it does not read.
    @Test func requestsWithoutReading() async throws {
        let lines = try await run(Program.script("GPSDAttackFlood/without_reading"))
        #expect(lines == ["True"])
    }
}
