import Foundation
import LocationModel
import LocationProtocol
import TestSupport
import Testing
import Varlink

/// The daemon beside a double of NetworkManager.
@Suite(.timeLimit(.minutes(15)), .enabled(if: NetworkManagerDouble.isPossible, "needs dbus-daemon and python3-gi"))
struct SurroundingsTests {
    private static let start = 1_780_315_200  // 2026-06-01T12:00:00Z
    private static let home = (0..<4).map {
        NetworkManagerDouble.AccessPoint("3C:A6:2F:01:0\($0):10", name: "Attic-\($0)")
    }
    private static let street = (0..<4).map { NetworkManagerDouble.AccessPoint("3C:A6:2F:02:0\($0):10") }

    /// Returns the sentences of a second, this many metres north of the first place.
    private static func sentences(_ second: Int, north: Double = 0) -> String {
        func two(_ value: Int) -> String { String(String(100 + value).dropFirst()) }
        let now = 12 * 3600 + second
        let time = two(now / 3600 % 24) + two(now / 60 % 60) + two(now % 60) + ".00"
        let minutes = Int(((30 + north / 1852) * 100_000).rounded())
        let latitude = "47\(minutes / 100_000).\(String(String(minutes % 100_000 + 100_000).dropFirst()))"
        return Sentences.sentence("GPRMC,\(time),A,\(latitude),N,00845.00000,E,0.0,0.0,010626,,,A")
            + Sentences.sentence("GPGGA,\(time),\(latitude),N,00845.00000,E,1,09,0.9,400.0,M,47.0,M,,")
    }

    /// An app with visits and significant changes: the receiver is closed while the networks are the same. The check
    /// comes after a quarter of an hour, and the departure with the networks' end.
    @Test func theReceiverIsClosedWhileTheNetworksAreTheSame() async throws {
        let world = try await World(start: Timestamp(millisecondsSince1970: Int64(Self.start) * 1000))
        let networks = try await NetworkManagerDouble(on: world.bus)
        try networks.set(heard: Self.home, own: Self.home[0].address)
        try await world.grant("full", uid: Int(getuid()))
        let app = try await WorldReader(
            .init(
                streams: ["MonitorVisits", "MonitorSignificantChanges"].map {
                    [world.publicSocket, World.location($0, more: true)]
                }), as: nil)
        _ = try await app.read()
        var (open, received) = ([Int](), "")
        func pass(_ second: Int, north: Double = 0) async throws {
            if try await world.pass(Self.sentences(second, north: north)) { open.append(second) }
            received += try await app.read().joined()
        }
        for second in 0..<1500 { try await pass(second) }
        #expect(open.contains { $0 < 400 })
        #expect(!open.contains { (450..<1150).contains($0) }, "\(open)")
        #expect(open.contains { (1150..<1350).contains($0) }, "\(open)")
        #expect(received.contains(#""arrival":"#), "\(received)")
        #expect(!received.contains(#""departure":"20"#), "\(received)")
        for second in 1500..<1720 {
            if second == 1550 { try networks.set(heard: Self.street, own: "") }
            try await pass(second, north: 3 * Double(second - 1500))
        }
        #expect(open.contains { (1550..<1610).contains($0) }, "\(open)")
        let departure = try #require(received.firstMatch(of: /"departure": ?"2026-06-01T12:2([0-9]):/), "\(received)")
        #expect((5...6).contains(Int(departure.1) ?? 0), "\(received)")
        try await world.stop()
    }

    /// Returns a reader of the events of visits and significant changes.
    private func monitor(in world: World) async throws -> WorldReader {
        try await world.grant("full", uid: Int(getuid()))
        let app = try await WorldReader(
            .init(
                streams: ["MonitorVisits", "MonitorSignificantChanges"].map {
                    [world.publicSocket, World.location($0, more: true)]
                }), as: nil)
        _ = try await app.read()
        return app
    }

    private func manage(_ call: String, in world: World, as uid: Int? = nil) async throws -> String {
        let reader = try await WorldReader(.init(calls: [.init(world.managementSocket, [call])]), as: uid)
        return try await reader.read().joined()
    }

    /// Attack: a user who may manage, but is no administrator, learns since when the machine has not moved.
    @Test(.enabled(if: Attack.isRoot, "needs root, to be another user")) func attackOnlyAdministratorsSeeThatItIsStill()
        async throws
    {
        let world = try await World(
            start: Timestamp(millisecondsSince1970: Int64(Self.start) * 1000), managers: .authorized)
        let networks = try await NetworkManagerDouble(on: world.bus)
        try networks.set(heard: Self.home, own: Self.home[0].address)
        let app = try await monitor(in: world)
        for second in 0..<500 {
            try await world.pass(Self.sentences(second))
            _ = try await app.read()
        }
        let call = World.manage("ListReceivers", #"{"details":true}"#)
        let administrators = try await manage(call, in: world)
        #expect(administrators.contains(#""stillness""#), "\(administrators)")
        let users = try await manage(call, in: world, as: 65534)
        #expect(users.contains(#""state""#) && !users.contains(#""stillness""#), "\(users)")
        try await world.stop()
    }

    /// A simulated machine is elsewhere.
    @Test func nothingIsReadDuringASimulation() async throws {
        let world = try await World(start: Timestamp(millisecondsSince1970: Int64(Self.start) * 1000))
        let networks = try await NetworkManagerDouble(on: world.bus)
        try networks.set(heard: Self.home)
        let app = try await monitor(in: world)
        try await networks.waitForReadings(1)
        for second in 0..<5 { try await world.pass(Self.sentences(second)) }
        let reply = try await manage(World.manage("Simulate", #"{"latitude":1,"longitude":2}"#), in: world)
        #expect(!reply.contains("error"), "\(reply)")
        let before = networks.readings
        try networks.set(heard: Self.street)
        for second in 5..<60 {
            try await world.pass(Self.sentences(second))
            _ = try await app.read()
        }
        #expect(networks.readings == before)
        _ = try await manage(World.manage("StopSimulation"), in: world)
        try await networks.waitForReadings(before + 1)
        try await world.stop()
    }

    /// Attack: a reader of the log, of the daemon's files or of its interfaces learns the names or addresses of the
    /// networks around the machine, which commercial databases have the places of.
    @Test func attackNetworksAreNamedNowhere() async throws {
        let bus = try await PrivateBus()
        let networks = try await NetworkManagerDouble(on: bus)
        try networks.set(heard: Self.home, own: Self.home[0].address)
        let daemon = try await TestDaemon(
            receivers: ["fixed:47.5,8.75"], configuration: "log-level = \"trace\"\nin-use = \"connected\"\n",
            launcher: GeoClueFrontDaemon.launcher(on: bus))
        try await daemon.grantSelf()
        let client = try await daemon.connect(to: LocationInterface.self)
        let parameters = MonitorVisits.Parameters()
        let visits = try client.stream(MonitorVisits.qualifiedName, parameters, of: MonitorVisits.Reply.self)
        try await networks.waitForReadings(1)
        try networks.set(heard: Self.street, own: "")
        try await networks.waitForReadings(2)
        let lists = [
            "\(try await daemon.call(ListReceivers.self, .init(details: true)))",
            try await daemon.ctl("receivers", "--json").output, try await daemon.ctl("metrics", "--apps").output,
        ]
        daemon.program.signal(SIGTERM)
        _ = try await daemon.program.end()
        withExtendedLifetime(visits) {}
        let names = try FileManager.default.subpathsOfDirectory(atPath: daemon.state)
        let files = names.compactMap { FileManager.default.contents(atPath: daemon.state + "/" + $0) }
        let texts = [daemon.log] + lists + files.map { String(decoding: $0, as: Unicode.ASCII.self) }
        for text in texts {
            #expect(text.firstMatch(of: /(?i)([0-9a-f]{2}:){5}[0-9a-f]{2}/) == nil, "\(text)")
            #expect(!text.contains("Attic") && !text.contains("3CA62F"), "\(text)")
        }
    }
}
