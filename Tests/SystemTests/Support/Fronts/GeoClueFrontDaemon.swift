import Foundation
import LocationModel
import LocationProtocol
import TestSupport
import Varlink

/// A daemon that has GeoClue's name on a system bus of its own.
final class GeoClueFrontDaemon: WitnessedDaemon {
    static let configuration = "[geoclue]\nenabled = true\n"

    let bus: PrivateBus

    /// - Parameter configuration: More of the configuration, which begins at the top level.
    init(configuration: String = "") async throws {
        let bus = try await PrivateBus.system()
        self.bus = bus
        try await super.init(
            configuration: configuration + Self.configuration, launcher: Self.launcher(on: bus))
        try await bus.waitForOwner(of: GeoClue.name)
    }

    /// A command that becomes a program on a bus.
    static func launcher(on bus: PrivateBus) -> [String] {
        ["/usr/bin/env", "DBUS_SYSTEM_BUS_ADDRESS=\(bus.address)"]
    }

    /// Returns an app that has a client object with an id.
    func app(_ id: String = "org.example.Map") async throws -> GeoClueApp {
        let app = try await GeoClueApp(try bus.connect())
        try await app.set("DesktopId", .text(id))
        return app
    }

    /// Waits until an app's next location, while epochs pass.
    func location(for app: GeoClueApp) async throws -> GeoClueApp.Update {
        var update: GeoClueApp.Update?
        try await passEpochs(until: "a location") {
            update = try await app.updates().last
            return update != nil
        }
        return try update ?? { throw Overdue(what: "a location") }()
    }

    /// Waits until an app's property Active has a value.
    func waitUntilActive(_ isActive: Bool, _ app: GeoClueApp) async throws {
        try await eventually("Active to be \(isActive)") { try await app.get("Active") == .flag(isActive) }
    }

    /// Denies this process the location, or revokes, resets: a command of locationctl.
    func decide(_ command: String) async throws {
        let result = try await daemon.ctl(command, try await daemon.ownApp())
        guard result.status == 0 else { throw Overdue(what: "\(command): \(result.errors)") }
    }
}

/// The names of GeoClue's interfaces and objects.
enum GeoClue {
    static let name = "org.freedesktop.GeoClue2"
    static let manager = "/org/freedesktop/GeoClue2/Manager"
    static let agent = "/org/freedesktop/GeoClue2/Agent"
    static let properties = "org.freedesktop.DBus.Properties"
    static let managerInterface = "org.freedesktop.GeoClue2.Manager"
    static let clientInterface = "org.freedesktop.GeoClue2.Client"
    static let locationInterface = "org.freedesktop.GeoClue2.Location"
    static let agentInterface = "org.freedesktop.GeoClue2.Agent"

    /// The altitude of a location without one.
    static let noAltitude = -Double.greatestFiniteMagnitude
}
