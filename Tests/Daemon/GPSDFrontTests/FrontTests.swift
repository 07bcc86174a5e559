import AuthorizationPolicy
import Glibc
import LocationModel
import Positioning
import TestSupport
import Testing

@testable import GPSDFront
@testable import LocationCore

/// The front with the real core, over a socket.
@Suite(.timeLimit(.minutes(10))) struct FrontTests {
    private let watch = "?WATCH={\"enable\":true,\"json\":true,\"nmea\":true,\"raw\":2};\n"

    private func isPlace(_ line: String) -> Bool {
        line.contains("\"lat\"") || line.contains("PRN") || line.contains("dop") || line.hasPrefix("$")
    }

    /// Attack: a client reads a location, satellites or sentences before its user has decided, while another
    /// one is served.
    @Test func noLineBeforeTheGrant() async throws {
        let front = try await TestFront()
        let client = try await front.connect()
        client.send(watch)
        let lines = try await client.linesSoFar()
        #expect(lines.map { $0.prefix(15) } == [#"{"class":"DEVIC"#, #"{"class":"WATCH"#, #"{"class":"TPV","#])
        let isOpen = try await front.core { $0.peers.apps.values.contains { !$0.subscriptions.isEmpty } }
        #expect(!isOpen)
        let prompts = try await front.core { $0.broker.machine.prompts.count }
        #expect(prompts == 1)
        try await front.decide(Decision(level: .whenInUse, accuracy: .full))
        let fix = try await client.line("a fix") { $0.contains("\"lat\"") }
        #expect(fix.contains(#""status":8,"mode":3,"#), "\(fix)")
        _ = try await client.line("satellites") { $0.hasPrefix(#"{"class":"SKY""#) && $0.contains("PRN") }
        _ = try await client.line("a sentence") { $0.hasPrefix("$GPRMC,") || $0.hasPrefix("$GNRMC,") }
        // Counted once for each location, and shown.
        let isActive = try await front.core { core in
            core.history.indicator.entries(of: nil, at: WallClock.now()).contains(where: \.active)
        }
        #expect(isActive)
        try await front.decide(.denied)
        _ = try await client.line("the end") { $0.contains("ERROR") && $0.contains("locationctl grant ") }
        let after = try await client.linesSoFar()
        #expect(!after.contains(where: isPlace), "\(after)")
        try await front.stop()
    }

    /// Attack: an app with reduced accuracy reads the altitude, the motion, the satellites or the sentences.
    @Test func aReducedClientGetsTheCell() async throws {
        let front = try await TestFront()
        let client = try await front.connect()
        let other = try await front.connect()
        try await front.decide(Decision(level: .whenInUse, accuracy: .reduced))
        client.send(watch)
        other.send("?WATCH={\"enable\":true}")
        var lines: [String] = []
        let cell = try await client.line("the cell") { line in
            lines.append(line)
            return line.contains("\"lat\"")
        }
        #expect(cell.contains(#""mode":2,"time":"#) && cell.contains("\"eph\":"))
        lines += try await client.linesSoFar()
        client.send("?POLL;")
        lines.append(try await client.line("POLL") { $0.contains("POLL") })
        for line in lines where !line.contains("DEVICE") {
            for word in ["alt", "track", "speed", "climb", "PRN", "dop", "GSV", "GSA", "epv", "eps"] {
                #expect(!line.contains("\"\(word)\"") && !line.contains("P\(word)"), "\(line)")
            }
        }
        #expect(lines.filter { $0.hasPrefix("$") }.allSatisfy { $0.hasPrefix("$GPRMC,") || $0.hasPrefix("$GPGGA,") })
        try await front.stop()
    }

    /// Attack: a client sends a megabyte without an end, nested braces or binary, and others wait or memory grows.
    @Test(arguments: ["x", "{", "\0", "?", "{\"a\":"]) func floods(text: String) async throws {
        let front = try await TestFront()
        let attacker = try await front.connect()
        let client = try await front.connect()
        #expect(
            attacker.socket.send(Array(("?WATCH=" + String(repeating: text, count: 1_000_000 / text.utf8.count)).utf8)))
        client.send("?DEVICES;")
        #expect(try await client.line()?.hasPrefix(#"{"class":"DEVICES""#) == true)
        // The attacker is still served after the end of its line.
        attacker.send("\n?POLL;")
        let lines = try await attacker.line("POLL") { $0.contains("\"POLL\"") }
        #expect(lines.contains(#""active":0"#))
        try await front.stop()
    }

    /// Attack: a client makes the daemon keep its unread replies.
    @Test func aClientThatWritesWithoutReading() async throws {
        let front = try await TestFront()
        let attacker = try await front.connect()
        let client = try await front.connect()
        let requests = Array(String(repeating: "?DEVICES;?VERSION;", count: 1000).utf8)
        var blocked = 0
        try await eventually("the daemon to stop reading") {
            let flags = CInt(MSG_DONTWAIT | MSG_NOSIGNAL)
            while send(attacker.socket.descriptor, requests, requests.count, flags) > 0 { blocked = 0 }
            blocked += 1
            client.send("?VERSION;")
            _ = try await client.line()
            return blocked > 20
        }
        try await front.stop()
    }

    /// The daemon is not its own receiver.
    @Test func theDaemonItself() async throws {
        let front = try await TestFront(ownProcess: getpid())
        let socket = TestConnection(try RawSocket(front.path))
        #expect(try await socket.line()?.contains("not permitted: ") == true)
        #expect(try await socket.line() == nil)
        try await front.stop()
    }
}
