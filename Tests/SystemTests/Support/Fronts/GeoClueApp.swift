import Foundation
import TestSupport

/// An app with a client object of GeoClue. To locationd, it is this process.
final class GeoClueApp {
    /// A LocationUpdated signal, with the location object read right after it, as apps do.
    struct Update {
        let old: String
        let new: String
        let properties: [String: BusValue]

        func real(_ property: String) -> Double? { properties[property]?.real }
    }

    let bus: BusConnection
    /// The path of the client object.
    let path: String

    /// Gets a client object, or makes another one.
    init(_ bus: BusConnection, method: String = "GetClient") async throws {
        self.bus = bus
        let reply = try await bus.call(to: GeoClue.name, GeoClue.manager, GeoClue.managerInterface, method)
        guard let path = reply.first?.text else { throw Overdue(what: "a client object") }
        self.path = path
    }

    // MARK: Calls

    @discardableResult func call(_ member: String) async throws -> [BusValue] {
        try await bus.call(to: GeoClue.name, path, GeoClue.clientInterface, member)
    }

    /// Calls Start, and returns the short name of the error that it is answered with.
    func start() async throws -> String? {
        do {
            try await call("Start")
            return nil
        } catch let error as BusError {
            return error.shortName
        }
    }

    func set(_ property: String, _ value: BusValue) async throws {
        try await bus.call(to: GeoClue.name, path, GeoClue.properties, "Set", Self.setting(property, value))
    }

    static func setting(_ property: String, _ value: BusValue) -> [BusValue] {
        [.text(GeoClue.clientInterface), .text(property), .variant(value)]
    }

    func get(_ property: String) async throws -> BusValue? {
        try await bus.call(
            to: GeoClue.name, path, GeoClue.properties, "Get", [.text(GeoClue.clientInterface), .text(property)]
        ).first
    }

    // MARK: Locations

    /// Returns the updates that have been sent so far and not been returned, each with its location, if the location
    /// object is still there.
    func updates() async throws -> [Update] {
        var updates: [Update] = []
        for signal in try await signals() where signal.member == "LocationUpdated" {
            guard let old = signal.arguments.first?.text, let new = signal.arguments.last?.text else { continue }
            let properties = try? await bus.call(
                to: GeoClue.name, new, GeoClue.properties, "GetAll", [.text(GeoClue.locationInterface)])
            updates.append(Update(old: old, new: new, properties: properties?.first?.dictionary ?? [:]))
        }
        return updates
    }

    /// Returns the signals of this app's object that have been sent so far.
    func signals() async throws -> [BusMessage] { try await bus.signals(from: GeoClue.name).filter { $0.path == path } }
}
