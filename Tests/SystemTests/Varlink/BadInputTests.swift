import Foundation
import LocationProtocol
import TestSupport
import Testing
import Varlink

/// Bad input from a client on the daemon's sockets. None of it crashes the daemon or makes others wait.
@Suite(.timeLimit(.minutes(15))) struct BadInputTests {
    private static let sockets = [LocationInterface.name, ManageInterface.name]

    private func connect(to socket: String, of daemon: TestDaemon) throws -> RawSocket {
        try RawSocket(
            socket == ManageInterface.name ? daemon.managementSocket : LocationInterface.socketPath(in: daemon.runtime))
    }

    @Test(arguments: sockets) func badFramesGetStandardErrors(socket: String) async throws {
        let daemon = try await TestDaemon(receivers: [])
        let answers = [
            ("{", "InvalidParameter"), ("", "InvalidParameter"), ("nonsense", "InvalidParameter"),
            ("[]", "InvalidParameter"),
            ("{\"method\":7}", "InvalidParameter"), ("{\"method\":\"\(socket).None\"}", "MethodNotFound"),
            ("{\"method\":\"a.b.C\"}", "InterfaceNotFound"), ("{\"method\":\"none\"}", "InvalidParameter"),
            ("{\"method\":\"\(socket).GetAuthorization\",\"parameters\":[]}", "InvalidParameter"),
            (String(repeating: "[", count: 10_000), "InvalidParameter"),
            ("{\"method\":\"x.Y\",\"parameters\":" + String(repeating: "{\"a\":", count: 3000), "InvalidParameter"),
            ("{\"method\":\"\u{0}", "InvalidParameter"),
        ]
        let connection = try connect(to: socket, of: daemon)
        for (call, error) in answers {
            let answer = try await connection.exchange(call)
            #expect(answer.contains("org.varlink.service.\(error)"), "\(call.prefix(40)): \(answer)")
        }
        _ = try await daemon.call(GetStatistics.self, Nothing())
    }

    @Test(arguments: [
        ("Manage.Grant", "{\"app\":7,\"level\":\"always\"}", "app"), ("Manage.Grant", "{\"app\":\"exe:/a\"}", "level"),
        ("Manage.Grant", "{\"app\":\"exe:/a\",\"level\":\"ever\"}", "level"),
        ("Manage.Grant", "{\"app\":\"exe:/a\",\"level\":\"always\",\"uid\":-1}", "uid"),
        ("Manage.Grant", "{\"app\":\"exe:/a\",\"level\":\"always\",\"uid\":4294967296}", "uid"),
        ("Manage.Grant", "{\"app\":\"exe:/a\",\"level\":\"always\",\"extra\":1}", "extra"),
        ("Location.RequestAuthorization", "{\"level\":\"always\",\"reason\":{}}", "reason"),
        ("Location.GetLocation", "{\"timeout\":\"1\"}", "timeout"),
        ("Location.GetLocation", "{\"timeout\":-1}", "timeout"),
    ])
    func wrongParametersAreNamed(method: String, parameters: String, name: String) async throws {
        let daemon = try await TestDaemon(receivers: [])
        try await daemon.grantSelf()
        let socket = "io.locationd." + method.split(separator: ".")[0]
        let answer = try await connect(to: socket, of: daemon)
            .exchange("{\"method\":\"io.locationd.\(method)\",\"parameters\":\(parameters)}")
        #expect(answer.contains("org.varlink.service.InvalidParameter"), "\(answer)")
        #expect(answer.contains("\"parameter\":\"\(name)\""), "\(answer)")
    }

    /// Attack: an app with a grant requests a time that exceeds every clock. It made the daemon crash (SIGILL) for
    /// everybody.
    @Test(arguments: ["9.3e9", "9.3e18", "1e300", "1.7976931348623157e308"])
    func aTimeThatIsTooLongIsCutShort(seconds: String) async throws {
        let daemon = try await TestDaemon(receivers: [])
        try await daemon.grantSelf()
        for options in ["\"duration\":\(seconds)", "\"minimumInterval\":\(seconds)"] {
            let stream = try RawSocket(daemon.runtime + "/io.locationd.Location")
            let call =
                "{\"method\":\"io.locationd.Location.Subscribe\",\"more\":true,\"parameters\":{\"options\":{\(options)}}}"
            let answer = try await stream.exchange(call)
            #expect(answer.contains("receiverLost"), "\(answer)")
        }
        for parameter in ["timeout", "maximumAge"] {
            let one = try RawSocket(daemon.runtime + "/io.locationd.Location")
            let call = "{\"method\":\"io.locationd.Location.GetLocation\",\"parameters\":{\"\(parameter)\":\(seconds)}}"
            #expect(one.send(Array(call.utf8) + [0]))
            _ = try await daemon.call(GetStatistics.self, Nothing())
        }
        #expect(!daemon.program.hasEnded)
    }

    @Test func aNameThatIsNotAnAppIsRefused() async throws {
        let daemon = try await TestDaemon(receivers: [])
        for name in ["foo", "exe:relative", "exe:/a\\u001b[2J", "app:"] {
            let answer = try await RawSocket(daemon.managementSocket).exchange(
                "{\"method\":\"io.locationd.Manage.Grant\",\"parameters\":{\"app\":\"\(name)\",\"level\":\"always\"}}")
            #expect(answer.contains("io.locationd.Manage.InvalidApp"), "\(answer)")
        }
    }

    @Test(arguments: sockets) func aFrameOverTheLimitClosesItsConnectionOnly(socket: String) async throws {
        let daemon = try await TestDaemon(receivers: [])
        let connection = try connect(to: socket, of: daemon)
        connection.send([UInt8](repeating: UInt8(ascii: "x"), count: 200_000))
        #expect(try await connection.receiveText().contains("org.varlink.service.InvalidParameter"))
        try await connection.waitUntilClosed()
        _ = try await daemon.call(GetStatistics.self, Nothing())
    }

    /// Attacks: one app takes all connections of its user, or one user takes those for all users.
    @Test func nobodyTakesAllConnections() async throws {
        let daemon = try await TestDaemon(receivers: [], configuration: "[limits]\nconnections-per-user = 6\n")
        let call = "{\"method\":\"io.locationd.Location.GetAuthorization\"}"
        let first = try (0..<3).map { _ in try connect(to: LocationInterface.name, of: daemon) }
        for connection in first { #expect(try await connection.exchange(call).contains("authorization")) }
        // The limit for an app is half of its user's.
        let fourth = try connect(to: LocationInterface.name, of: daemon)
        let answer = try await fourth.exchange(call)
        #expect(answer.contains("io.locationd.Location.LimitExceeded") && answer.contains("connectionsPerApp"))
        try await fourth.waitUntilClosed()
        let other = try await Program.run(
            "/usr/bin/python3",
            [
                "-c",
                Program.script("Varlink/call_on_open_connections"), LocationInterface.socketPath(in: daemon.runtime),
                call,
            ])
        #expect(other.output == "answered\nanswered\nanswered\nconnectionsPerUser\n")
        // Beyond that, a flood of connections is closed without an error reply.
        let flood = try (0..<100).map { _ in try connect(to: LocationInterface.name, of: daemon) }
        try await flood[99].waitUntilClosed()
        #expect(try await first[0].exchange(call).contains("authorization"))
    }

    @Test func clientsThatDisconnectAbruptly() async throws {
        let daemon = try await TestDaemon(receivers: [])
        try await daemon.grantSelf()
        for _ in 0..<50 {
            let connection = try RawSocket(daemon.runtime + "/io.locationd.Location")
            connection.send(Array("{\"method\":\"io.locationd.Location.Subscribe\",\"more\":true}\0{\"meth".utf8))
        }
        try await eventually("the streams to be gone") {
            let statistics = try await daemon.call(GetStatistics.self, Nothing()).statistics
            return statistics.sessions == 0 && statistics.connections == 0
        }
    }
}
