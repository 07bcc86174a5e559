import Foundation
import LocationModel
import LocationProtocol
import Positioning
import TestSupport
import Testing
import Varlink

/// A client of GeoClue in each state of its authorization, on a system bus of its own.
@Suite(
    .timeLimit(.minutes(15)),
    .enabled(if: PrivateBus.isInstalled, "needs dbus-daemon"))
struct GeoClueBusTests {
    private let front: GeoClueFrontDaemon

    init() async throws { front = try await GeoClueFrontDaemon() }

    /// Each call is answered while the prompt is open, and nothing is given.
    @Test func anUndecidedAppIsActiveAndGetsNothing() async throws {
        let app = try await front.app("org.example.Undecided")
        #expect(try await app.start() == nil)
        #expect(try await app.get("Active") == .flag(true))
        for _ in 0..<3 { try await front.pass() }
        #expect(try await app.updates().isEmpty)
        #expect(try await app.get("Location") == .path("/"))
        let own = try await front.daemon.ownApp()
        let prompt = try #require(try await front.daemon.call(MonitorPrompts.self, .init()).prompts.first)
        #expect(prompt.app == own)
        // The id is the app's own word, and shown as such.
        #expect(prompt.ownWords)
        #expect(try await front.daemon.ctl("prompts", "--json").output.contains("org.example.Undecided"))
        for member in ["Stop", "Start"] { try await app.call(member) }
        _ = try await front.app("org.example.Another")
        #expect(try await front.daemon.call(MonitorPrompts.self, .init()).prompts.map(\.id) == [prompt.id])
        // Answered with yes, the locations come by themselves.
        _ = try await front.daemon.call(AnswerPrompt.self, .init(id: prompt.id, answer: .whileUsing))
        let update = try await front.location(for: app)
        #expect(update.real("Latitude") != nil)
    }

    /// The user denies the app while it waits: it is notified that it is no longer active.
    @Test func anUndecidedAppThatIsDenied() async throws {
        let app = try await front.app()
        #expect(try await app.start() == nil)
        try await front.decide("deny")
        try await front.waitUntilActive(false, app)
        #expect(try await app.start() == "AccessDenied")
        let another = try await front.app()
        #expect(try await another.start() == "AccessDenied")
        for _ in 0..<3 { try await front.pass() }
        #expect(try await app.updates().isEmpty)
        #expect(try await another.updates().isEmpty)
    }

    @Test func servicesThatAreOff() async throws {
        try await front.grantSelf()
        let app = try await front.app()
        #expect(try await front.daemon.ctl("disable").status == 0)
        #expect(try await app.start() == "AccessDenied")
        #expect(try await front.daemon.ctl("enable").status == 0)
        #expect(try await app.start() == nil)
        _ = try await front.location(for: app)
    }

    /// The order on the wire that GeoClue has: the reply, then Active, then for each location the signal and the path.
    @Test func aGrantedAppGetsEachFix() async throws {
        try await front.grantSelf()
        let app = try await front.app()
        #expect(try await app.start() == nil)
        let started = try await app.signals()
        // The first changes are about the app's own settings.
        let changes = started.filter { $0.member == "PropertiesChanged" }
        #expect(changes.contains { $0.arguments.dropFirst().first?.dictionary?["Active"] == .flag(true) })
        try await front.pass()
        let signals = try await app.signals()
        let updated = try #require(signals.first { $0.member == "LocationUpdated" })
        #expect(updated.arguments.first == .path("/"))
        var last = "/"
        for (index, signal) in signals.enumerated() where signal.member == "LocationUpdated" {
            #expect(signal.arguments.first == .path(last), "the one before")
            last = signal.arguments.last?.text ?? ""
            #expect(last.hasPrefix(app.path + "/Location/"))
            let next = try #require(signals.dropFirst(index + 1).first, "the path follows")
            #expect(next.member == "PropertiesChanged")
            #expect(next.arguments.dropFirst().first?.dictionary?["Location"] == .path(last))
        }
        let path = try #require(try await app.get("Location")?.text)
        let location = try #require(
            try await app.bus.call(
                to: GeoClue.name, path, GeoClue.properties, "GetAll", [.text(GeoClue.locationInterface)]
            ).first?.dictionary)
        #expect(
            location.keys.sorted() == [
                "Accuracy", "Altitude", "Description", "Heading", "Latitude", "Longitude", "Speed", "Timestamp",
            ])
        #expect(location["Longitude"] == .real(8.75))
        #expect(location["Altitude"] == .real(400))
        #expect(abs(try #require(location["Speed"]?.real) - 5.144) < 0.01)
        #expect(location["Heading"] == .real(0))
        #expect(try #require(location["Accuracy"]?.real) > 0, "0 would be taken for unknown, or for a satellite fix")
        let time = try #require(location["Timestamp"]?.list)
        #expect(time.last == .longNumber(0), "microseconds")
        let seconds = try #require(time.first?.longNumber)
        // Since 2026-06-01T12:00:00Z.
        let second = Int(seconds) - 1_780_315_200
        #expect((0..<front.nextSecond).contains(second))
        let latitude = try #require(location["Latitude"]?.real)
        let expected = 47.5 + Double(second) * 0.01 / 60
        #expect(abs(latitude - expected) < 1e-6)
    }

    /// Attack: an app with reduced accuracy asks for the highest level, or reads what else a location has.
    @Test func aReducedAppGetsTheCellAtEveryLevel() async throws {
        try await front.grantSelf(.reduced)
        var app = try await front.app()
        try await app.set("RequestedAccuracyLevel", .number(8))
        #expect(try await app.start() == nil)
        var update = try await front.location(for: app)
        let cell = try await front.daemon.call(GetLocation.self, .init(timeout: 600)).location
        for level: UInt32 in [0, 1, 4, 5, 6, 8, 7, 4_000_000_000] {
            #expect(update.real("Latitude") == cell.latitude && update.real("Longitude") == cell.longitude)
            #expect(update.real("Accuracy") == AccuracyReducer.horizontalAccuracy)
            #expect(update.real("Altitude") == GeoClue.noAltitude)
            #expect(update.real("Speed") == -1 && update.real("Heading") == -1)
            app = try await front.app()
            try await app.set("RequestedAccuracyLevel", .number(level))
            #expect(try await app.get("RequestedAccuracyLevel") == .number(level))
            #expect(try await app.start() == nil)
            update = try await front.location(for: app)
        }
    }

    /// A low level asks for less power, and only the grant determines the delivered locations.
    @Test(arguments: [0, 1, 4, 5, 6, 8] as [UInt32]) func aGrantedAppGetsALocationAtEveryLevel(level: UInt32)
        async throws
    {
        try await front.grantSelf()
        let app = try await front.app()
        try await app.set("RequestedAccuracyLevel", .number(level))
        #expect(try await app.start() == nil)
        // The centre of a cell would be farther away.
        let longitude = try #require(try await front.location(for: app).real("Longitude"))
        #expect(abs(longitude - 8.75) < 0.001)
    }

    @Test(arguments: ["revoke", "deny", "reset", "disable"])
    func aRevocationHoldsBeforeTheNextFix(command: String) async throws {
        try await front.grantSelf()
        let app = try await front.app()
        #expect(try await app.start() == nil)
        _ = try await front.location(for: app)
        if command == "disable" {
            #expect(try await front.daemon.ctl("disable").status == 0)
        } else {
            try await front.decide(command)
        }
        let before = try await app.signals()
        // An undecided app waits for the answer to the prompt.
        if command != "reset" {
            try await front.waitUntilActive(false, app)
            let signals = before + (try await app.signals())
            #expect(signals.contains { $0.arguments.dropFirst().first?.dictionary?["Active"] == .flag(false) })
        }
        for _ in 0..<3 where command != "disable" { try await front.pass() }
        #expect(try await app.updates().isEmpty)
        // Granted again, it is active again without a call.
        if command == "disable" { #expect(try await front.daemon.ctl("enable").status == 0) }
        try await front.grantSelf()
        try await front.waitUntilActive(true, app)
        _ = try await front.location(for: app)
    }

    /// An app that may have the location while it is in use, and is not.
    @Test func aSuspendedAppIsNotActive() async throws {
        try await front.grantSelf()
        let app = try await front.app()
        #expect(try await app.start() == nil)
        _ = try await front.location(for: app)
        let declaration = try await front.daemon.connect(to: LocationInterface.self)
        func setInBackground(_ background: Bool) async throws {
            _ = try await declaration.call(
                SetBackground.qualifiedName, SetBackground.Parameters(background: background), returning: Nothing.self)
        }
        try await setInBackground(true)
        try await front.waitUntilActive(false, app)
        _ = try await app.signals()
        for _ in 0..<3 { try await front.pass() }
        #expect(try await app.updates().isEmpty)
        try await setInBackground(false)
        try await front.waitUntilActive(true, app)
        _ = try await front.location(for: app)
    }

    /// The same app is one row, whichever way it comes.
    @Test func theAppIsTheSameAsThroughVarlink() async throws {
        try await front.grantSelf()
        let app = try await front.app()
        #expect(try await app.start() == nil)
        _ = try await front.location(for: app)
        let own = try await front.daemon.ownApp()
        let varlink = try await front.daemon.connect(to: LocationInterface.self)
        _ = try await varlink.call(GetAuthorization.qualifiedName, Nothing(), returning: GetAuthorization.Reply.self)
        let output = try await front.daemon.ctl("apps", "--json").output
        let rows = output.split(separator: "\n").filter { $0.contains("\"\(own)\"") }
        #expect(rows.count == 1)
        #expect(rows.first?.contains("\"geoclue\"") == true && rows.first?.contains("\"varlink\"") == true, "\(rows)")
        #expect(try await front.daemon.call(GetAccessLog.self, .init()).entries.contains { $0.app == own })
        #expect(try await front.daemon.call(GetIndicator.self, .init()).apps.contains { $0.app == own && $0.active })
    }
}
