import Foundation
import LocationModel
import LocationProtocol
import TestSupport
import Testing

/// Attacks: a process spies on another's use of GeoClue. It sees no coordinate, no path and no id.
@Suite(
    .timeLimit(.minutes(15)),
    .enabled(if: PrivateBus.isInstalled, "needs dbus-daemon"))
struct GeoClueSpyTests {
    private static let hasMonitor = access("/usr/bin/dbus-monitor", X_OK) == 0
    private let front: GeoClueFrontDaemon
    private let app: GeoClueApp

    init() async throws {
        front = try await GeoClueFrontDaemon()
        app = try await front.app("org.example.Secret")
    }

    /// Texts that only the app's owner may see.
    private var secrets: [String] { ["47.5", "8.75", "org.example.Secret", "/Client/", "Latitude", "LocationUpdated"] }

    /// Carries out a whole use: refused, granted, reduced, revoked, stopped and deleted.
    private func use() async throws {
        #expect(try await app.start() == nil)
        try await front.pass()
        try await front.grantSelf()
        _ = try await front.location(for: app)
        try await front.grantSelf(.reduced)
        _ = try await front.location(for: app)
        try await front.decide("revoke")
        try await front.waitUntilActive(false, app)
        try await front.grantSelf()
        _ = try await front.location(for: app)
        try await app.call("Stop")
        try await app.bus.call(
            to: GeoClue.name, GeoClue.manager, GeoClue.managerInterface, "DeleteClient", [.path(app.path)])
    }

    /// A connection that asks for every signal, as any process may.
    @Test func aListenerOnEverything() async throws {
        let spy = try front.bus.connect()
        for rule in ["", "type='signal'", "sender='\(GeoClue.name)'", "path_namespace='/org/freedesktop/GeoClue2'"] {
            try await spy.callBus("AddMatch", [.text(rule)])
        }
        for rule in ["eavesdrop='true'", "eavesdrop=true,type='method_return'"] {
            _ = try? await spy.callBus("AddMatch", [.text(rule)])
        }
        _ = try await spy.signals(from: GeoClue.name)
        try await use()
        let seen = "\(try await spy.signals(from: GeoClue.name))"
        for secret in secrets { #expect(!seen.contains(secret), "\(secret) in \(seen)") }
    }

    @Test(.enabled(if: Attack.isRoot && hasMonitor, "another user needs root, and dbus-monitor"))
    func anotherUsersMonitor() async throws {
        let spy = try RunningProgram(
            Attack.asNobody[0],
            Attack.asNobody.dropFirst() + ["/usr/bin/dbus-monitor", "--address", front.bus.address])
        try await eventually("the monitor: \(spy.errors)") { spy.output.contains("NameAcquired") }
        try await use()
        // A connection that comes and goes is the last thing that it sees.
        let last = try front.bus.connect()
        try await last.callBus("GetId")
        try await eventually("the end: \(spy.errors)") { spy.output.contains("\"\(last.name)\"") }
        // The monitor writes the time of each message, which may look like a coordinate.
        let seen = spy.output.replacing(#/time=[0-9.]+/#, with: "")
        for secret in secrets { #expect(!seen.contains(secret), "\(secret) in \(seen)") }
    }

    /// A connection that calls another's objects: of another app, or of the same.
    @Test func aCallerOfAnothersObjects() async throws {
        try await front.grantSelf()
        #expect(try await app.start() == nil)
        let update = try await front.location(for: app)
        let spy = try front.bus.connect()
        let path = app.path
        for (path, interface, member, arguments) in [
            (path, GeoClue.clientInterface, "Start", []), (path, GeoClue.clientInterface, "Stop", []),
            (path, GeoClue.properties, "Get", [.text(GeoClue.clientInterface), .text("DesktopId")]),
            (path, GeoClue.properties, "Get", [.text(GeoClue.clientInterface), .text("Location")]),
            (path, GeoClue.properties, "Set", GeoClueApp.setting("TimeThreshold", .number(3600))),
            (update.new, GeoClue.properties, "Get", [.text(GeoClue.locationInterface), .text("Latitude")]),
        ] as [(String, String, String, [BusValue])] {
            await #expect("\(member) of \(path)") {
                try await spy.call(to: GeoClue.name, path, interface, member, arguments)
            } throws: {
                ["AccessDenied", "UnknownMethod", "UnknownObject"].contains(($0 as? BusError)?.shortName)
            }
        }
        for (path, interface) in [(path, GeoClue.clientInterface), (update.new, GeoClue.locationInterface)] {
            let values = try? await spy.call(to: GeoClue.name, path, GeoClue.properties, "GetAll", [.text(interface)])
            #expect(values == nil || values == [.dictionary([:])])
        }
        // No program finds out the existing objects.
        for path in ["/", "/org/freedesktop/GeoClue2", "/org/freedesktop/GeoClue2/Client"] {
            let tree = try? await spy.call(
                to: GeoClue.name, path, "org.freedesktop.DBus.Introspectable", "Introspect")
            #expect(!"\(tree ?? [])".contains(app.path.split(separator: "/").last.map { "name=\"\($0)\"" } ?? "?"))
        }
        try await spy.call(
            to: GeoClue.name, GeoClue.manager, GeoClue.managerInterface, "DeleteClient", [.path(path)])
        #expect(try await app.get("Active") == .flag(true), "and it is still there")
        _ = try await front.location(for: app)
    }
}
