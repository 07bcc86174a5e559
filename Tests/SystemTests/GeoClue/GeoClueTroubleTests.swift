import Foundation
import LocationProtocol
import TestSupport
import Testing
import Varlink

/// A bus that comes and goes, clients that flood or vanish, and calls that make no sense.
@Suite(
    .timeLimit(.minutes(15)),
    .enabled(if: PrivateBus.isInstalled, "needs dbus-daemon"))
struct GeoClueTroubleTests {
    @Test func theBusIsRestarted() async throws {
        let front = try await GeoClueFrontDaemon()
        try await front.grantSelf()
        for _ in 0..<2 {
            let app = try await front.app()
            #expect(try await app.start() == nil)
            _ = try await front.location(for: app)
            try await front.bus.crash()
            // The other fronts go on.
            try await front.pass()
            try await eventually("its app to be gone") {
                try await front.daemon.call(GetStatistics.self, Nothing()).statistics.sessions == 1
            }
            try await front.bus.restart()
            try await front.bus.waitForOwner(of: GeoClue.name)
        }
        let app = try await front.app()
        #expect(try await app.start() == nil)
        _ = try await front.location(for: app)
    }

    /// Another service has the name, as GeoClue itself: the daemon says so, serves its other apps, and waits.
    @Test func theNameIsTaken() async throws {
        let bus = try await PrivateBus.system()
        var other: BusConnection? = try bus.connect()
        try await other?.callBus("RequestName", [.text(GeoClue.name), .number(0)])
        let daemon = try await TestDaemon(
            receivers: ["simulated"], configuration: GeoClueFrontDaemon.configuration,
            launcher: GeoClueFrontDaemon.launcher(on: bus))
        try await eventually("a line in the log: \(daemon.log)") { daemon.log.contains(GeoClue.name) }
        _ = try await daemon.call(GetStatistics.self, Nothing())
        let watcher = try bus.connect()
        other = nil
        try await eventually("the daemon to have the name") {
            try await watcher.callBus("NameHasOwner", [.text(GeoClue.name)]) == [.flag(true)]
        }
        #expect(try await GeoClueApp(try bus.connect()).get("Active") == .flag(false))
    }

    /// Without a bus, everything else works.
    @Test func thereIsNoBus() async throws {
        let folder = try TemporaryFolder()
        let daemon = try await TestDaemon(
            receivers: ["simulated"], configuration: GeoClueFrontDaemon.configuration,
            launcher: ["/usr/bin/env", "DBUS_SYSTEM_BUS_ADDRESS=unix:path=\(folder.path)/bus"])
        try await eventually("a line in the log: \(daemon.log)") { daemon.log.lowercased().contains("bus") }
        try await daemon.grantSelf()
        _ = try await daemon.call(GetLocation.self, .init(timeout: 600))
    }

    /// Attack: one connection makes objects until the memory is full, or makes its calls faster than they are handled.
    @Test func tenThousandClientObjects() async throws {
        let front = try await GeoClueFrontDaemon()
        try await front.grantSelf()
        let app = try await front.app()
        #expect(try await app.start() == nil)
        let flood = try front.bus.connect()
        var made: Set<String> = []
        var refusals: Set<String> = []
        // The bus limits the open calls of a connection.
        for _ in 0..<100 {
            let calls = try (0..<100).map { _ in
                try flood.send(to: GeoClue.name, GeoClue.manager, GeoClue.managerInterface, "CreateClient")
            }
            for call in calls {
                do {
                    if let path = try await flood.reply(to: call).first?.text { made.insert(path) }
                } catch let error as BusError {
                    refusals.insert(error.shortName)
                }
            }
        }
        #expect((1...64).contains(made.count), "\(made.count)")
        #expect(refusals == ["LimitsExceeded"])
        _ = try await front.location(for: app)
        // An object that is deleted makes room for another one.
        try await flood.call(
            to: GeoClue.name, GeoClue.manager, GeoClue.managerInterface, "DeleteClient",
            [.path(try #require(made.first))])
        let next = try await GeoClueApp(flood, method: "CreateClient")
        #expect(!made.contains(next.path), "numbers are not used twice")
    }

    /// Attack: a program calls without end and reads nothing. The bus keeps the replies, until it keeps so much of the
    /// daemon that it stops reading from it, and no client gets a reply. Waiting messages are sent once it is read.
    @Test func aProgramThatReadsNothing() async throws {
        let geoclue = try await GeoClueAttack(on: try await PrivateBus.system(maximumKept: 2_000_000))
        let lines = try await geoclue.run(
            Program.script("GeoClueTrouble/program_that_reads_nothing"), as: geoclue.attack.other)
        #expect(lines == ["fix", "100"])
    }

    @Test func aStormOfStartAndStop() async throws {
        let front = try await GeoClueFrontDaemon()
        try await front.grantSelf()
        let app = try await front.app()
        for _ in 0..<20 {
            let calls = try (0..<50).map { number in
                try app.bus.send(
                    to: GeoClue.name, app.path, GeoClue.clientInterface, number % 2 == 0 ? "Start" : "Stop")
            }
            for call in calls { #expect(try await app.bus.reply(to: call) == []) }
        }
        #expect(try await app.get("Active") == .flag(false))
        #expect(try await app.start() == nil)
        _ = try await front.location(for: app)
    }

    @Test func clientsThatVanish() async throws {
        let front = try await GeoClueFrontDaemon()
        try await front.grantSelf()
        func open() async throws -> (sessions: Int, connections: Int) {
            let statistics = try await front.daemon.call(GetStatistics.self, Nothing()).statistics
            return (statistics.sessions, statistics.connections)
        }
        let before = try await open()
        for _ in 0..<50 {
            let app = try await front.app()
            #expect(try await app.start() == nil)
            let half = try front.bus.connect()
            _ = try half.send(to: GeoClue.name, GeoClue.manager, GeoClue.managerInterface, "GetClient")
        }
        try await eventually("their subscriptions to end") { try await open() == before }
    }

    /// Calls that make no sense, with the error that GeoClue answers.
    @Test func callsThatMakeNoSense() async throws {
        let front = try await GeoClueFrontDaemon()
        let app = try await front.app()
        let other = "/org/freedesktop/GeoClue2/Client/4000000000"
        let client = GeoClue.clientInterface
        let calls: [(String, String, String, [BusValue], [String])] = [
            (app.path, GeoClue.properties, "Set", GeoClueApp.setting("Active", .flag(true)), ["InvalidArgs"]),
            (app.path, GeoClue.properties, "Set", GeoClueApp.setting("Location", .path("/x")), ["InvalidArgs"]),
            (
                app.path, GeoClue.properties, "Set", GeoClueApp.setting("Nonsense", .number(1)),
                ["InvalidArgs", "UnknownProperty"]
            ),
            (
                app.path, GeoClue.properties, "Set", GeoClueApp.setting("TimeThreshold", .signedNumber(1)),
                ["InvalidArgs"]
            ),
            (app.path, GeoClue.properties, "Set", GeoClueApp.setting("DesktopId", .number(1)), ["InvalidArgs"]),
            (app.path, GeoClue.properties, "Set", [.text(client)], ["InvalidArgs"]),
            (app.path, client, "Start", [.text("x")], ["InvalidArgs"]),
            (app.path, client, "Nonsense", [], ["UnknownMethod"]),
            (app.path, "org.example.Nonsense", "Start", [], ["UnknownMethod", "UnknownInterface"]),
            (other, client, "Start", [], ["UnknownMethod", "UnknownObject", "AccessDenied"]),
            ("/", client, "Start", [], ["UnknownMethod", "UnknownObject", "UnknownInterface"]),
            (GeoClue.manager, GeoClue.managerInterface, "DeleteClient", [.text("x")], ["InvalidArgs"]),
            (
                GeoClue.manager, GeoClue.managerInterface, "AddAgent", [.text("\u{1}\n")],
                ["AccessDenied", "InvalidArgs"]
            ),
        ]
        for (path, interface, member, arguments, names) in calls {
            await #expect("\(member) of \(path)") {
                try await app.bus.call(to: GeoClue.name, path, interface, member, arguments)
            } throws: {
                names.contains(($0 as? BusError)?.shortName ?? "\($0)")
            }
        }
        // An id that was never set, or is too long to be one.
        let nameless = try await GeoClueApp(try front.bus.connect())
        #expect(try await nameless.start() == "AccessDenied")
        try? await app.set("DesktopId", .text(String(repeating: "x", count: 1_000_000)))
        #expect(try await app.start() == nil)
    }
}
