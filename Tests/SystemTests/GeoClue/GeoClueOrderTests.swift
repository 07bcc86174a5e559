import Foundation
import LocationProtocol
import TestSupport
import Testing

/// The calls of well-known clients, in their order.
@Suite(
    .timeLimit(.minutes(15)),
    .enabled(if: PrivateBus.isInstalled, "needs dbus-daemon"))
struct GeoClueOrderTests {
    private let front: GeoClueFrontDaemon

    init() async throws {
        front = try await GeoClueFrontDaemon()
        try await front.grantSelf()
    }

    private func properties(_ path: String, _ interface: String, _ bus: BusConnection) async throws
        -> [String: BusValue]
    {
        try await bus.call(to: GeoClue.name, path, GeoClue.properties, "GetAll", [.text(interface)]).first?.dictionary
            ?? [:]
    }

    /// libgeoclue's GClueSimple sets its properties without waiting for the replies.
    @Test func libgeoclue() async throws {
        let bus = try front.bus.connect()
        let manager = try await properties(GeoClue.manager, GeoClue.managerInterface, bus)
        #expect(manager == ["InUse": manager["InUse"] ?? .flag(false), "AvailableAccuracyLevel": .number(8)])
        let app = try await GeoClueApp(bus)
        #expect(
            try await properties(app.path, GeoClue.clientInterface, bus) == [
                "Location": .path("/"), "DistanceThreshold": .number(0), "TimeThreshold": .number(0),
                "DesktopId": .text(""), "RequestedAccuracyLevel": .number(4), "Active": .flag(false),
            ])
        let settings: [(String, BusValue)] = [
            ("DesktopId", .text("org.gnome.Maps")), ("RequestedAccuracyLevel", .number(8)),
        ]
        var calls: [UInt64] = []
        for (property, value) in settings {
            calls.append(
                try bus.send(
                    to: GeoClue.name, app.path, GeoClue.properties, "Set", GeoClueApp.setting(property, value)))
        }
        calls.append(try bus.send(to: GeoClue.name, app.path, GeoClue.clientInterface, "Start"))
        for call in calls { #expect(try await bus.reply(to: call) == []) }
        let update = try await front.location(for: app)
        #expect(update.properties.count == 8)
        try await bus.call(
            to: GeoClue.name, GeoClue.manager, GeoClue.managerInterface, "DeleteClient", [.path(app.path)])
        await #expect(throws: BusError.self) { try await app.call("Start") }
    }

    /// redshift and gammastep never set a level, and read only their proxies' caches.
    @Test func redshift() async throws {
        let app = try await GeoClueApp(try front.bus.connect())
        try await app.set("DesktopId", .text("redshift"))
        try await app.set("DistanceThreshold", .number(50_000))
        #expect(try await app.start() == nil)
        let update = try await front.location(for: app)
        #expect(update.real("Latitude") != nil && update.real("Longitude") == 8.75)
        // 18.5 m/s: nowhere near 50 km.
        for _ in 0..<5 { try await front.pass() }
        #expect(try await app.updates().isEmpty)
    }

    /// Firefox waits for each reply, and changes the accuracy with Stop, Set and Start of the same object.
    @Test func firefox() async throws {
        let bus = try front.bus.connect()
        let app = try await GeoClueApp(bus)
        try await app.set("DesktopId", .text("firefox"))
        try await app.set("RequestedAccuracyLevel", .number(8))
        #expect(try await app.start() == nil)
        let first = try await front.location(for: app)
        for property in ["Latitude", "Longitude", "Altitude", "Accuracy", "Heading", "Speed"] {
            #expect(first.real(property) != nil, "\(property) is a double, or the fix is dropped")
        }
        try await app.call("Stop")
        #expect(try await app.get("Active") == .flag(false))
        _ = try await app.signals()
        try await front.pass()
        #expect(try await app.updates().isEmpty)
        try await app.set("RequestedAccuracyLevel", .number(4))
        #expect(try await app.start() == nil)
        let second = try await front.location(for: app)
        #expect(second.old != "/", "the count goes on")
        #expect(try await GeoClueApp(bus).path == app.path)
    }

    /// Qt's plugin asks for the level 0, and reads one property after the other.
    @Test func qt() async throws {
        let bus = try front.bus.connect()
        #expect(
            try await bus.call(
                to: GeoClue.name, GeoClue.manager, GeoClue.properties, "Get",
                [.text(GeoClue.managerInterface), .text("AvailableAccuracyLevel")]) == [.number(8)])
        let app = try await GeoClueApp(bus)
        try await app.set("DesktopId", .text("qt-app"))
        try await app.set("TimeThreshold", .number(1))
        try await app.set("RequestedAccuracyLevel", .number(0))
        #expect(try await app.start() == nil)
        #expect(try await app.get("Location") != nil)
        let update = try await front.location(for: app)
        for (property, value) in update.properties {
            let single = try await bus.call(
                to: GeoClue.name, update.new, GeoClue.properties, "Get",
                [.text(GeoClue.locationInterface), .text(property)])
            #expect(single == [value], "\(property)")
        }
    }

    /// The portal calls GetClient for each of its apps on one connection.
    @Test func portal() async throws {
        let bus = try front.bus.connect()
        let first = try await GeoClueApp(bus)
        let second = try await GeoClueApp(bus)
        #expect(first.path == second.path)
        try await first.set("DesktopId", .text("xdg-desktop-portal"))
        try await first.set("DistanceThreshold", .number(0))
        try await first.set("TimeThreshold", .number(0))
        try await first.set("RequestedAccuracyLevel", .number(8))
        #expect(try await first.start() == nil)
        #expect(try await second.start() == nil, "a second Start changes nothing")
        _ = try await front.location(for: first)
        // The machine has hardly moved, and the next app waits for its first location.
        try await second.set("DistanceThreshold", .number(50_000))
        #expect(try await second.start() == nil)
        _ = try await front.location(for: second)
        // CreateClient makes another one, which GetClient then returns.
        let created = try await GeoClueApp(bus, method: "CreateClient")
        #expect(created.path != first.path)
        #expect(try await GeoClueApp(bus).path == created.path)
    }

    /// A shell shows its indicator while InUse is true: for apps of all fronts.
    @Test func theShellsIndicator() async throws {
        let shell = try front.bus.connect()
        try await shell.callBus("AddMatch", [.text("type='signal',sender='\(GeoClue.name)'")])
        let app = try await front.app()
        #expect(try await app.start() == nil)
        func inUse() async throws -> BusValue? {
            try await shell.call(
                to: GeoClue.name, GeoClue.manager, GeoClue.properties, "Get",
                [.text(GeoClue.managerInterface), .text("InUse")]
            ).first
        }
        try await eventually("InUse") { try await inUse() == .flag(true) }
    }
}
