import CSystemd
import Foundation
import TestSupport

extension PrivateBus {
    /// Starts a system bus with the rules that the package installs, with this process's user as the daemon's.
    ///
    /// - Parameters:
    ///   - isForBlueZ: `true` for those about BlueZ, too. They keep others' descriptors away from the daemon, which has to
    ///     do so by itself where a connection is not for descriptors.
    ///   - rules: More rules of the default policy.
    ///   - elements: Other elements of the configuration, such as policies of one user.
    ///   - maximumKept: The size in bytes of a connection's messages that the bus keeps for those who do not read them,
    ///     and above which it reads nothing of the connection.
    static func system(
        isForBlueZ: Bool = false, rules: [String] = [], elements others: [String] = [], maximumKept: Int? = nil
    ) async throws -> PrivateBus {
        let folder = try TemporaryFolder()
        // Other users connect to it.
        chmod(folder.path, 0o755)
        var elements = maximumKept.map { ["<limit name=\"max_incoming_bytes\">\($0)</limit>"] } ?? []
        let names = ["org.freedesktop.GeoClue2.conf", "org.freedesktop.GeoClue2.Agent.conf"]
        for name in names + (isForBlueZ ? ["io.locationd.conf"] : []) {
            let text = try String(contentsOfFile: Project.folder + "/data/dbus/\(name)", encoding: .utf8)
            try folder.write(text.replacing("user=\"locationd\"", with: "user=\"\(getuid())\""), to: name)
            elements.append("<include>\(name)</include>")
        }
        return try await PrivateBus(rules: rules, elements: elements + others, in: folder)
    }

    func connect() throws -> BusConnection { try BusConnection(address) }

    /// Opens a connection for calls of sd-bus, which the caller closes.
    func open() throws -> OpaquePointer {
        var bus: OpaquePointer?
        guard sd_bus_new(&bus) >= 0, let bus, sd_bus_set_address(bus, address) >= 0,
            sd_bus_set_bus_client(bus, 1) >= 0, sd_bus_start(bus) >= 0
        else { throw POSIXError(.ECONNREFUSED) }
        return bus
    }

    /// Waits until a name has an owner.
    func waitForOwner(of name: String) async throws {
        let connection = try connect()
        try await eventually("an owner of \(name)") {
            try await connection.callBus("NameHasOwner", [.text(name)]) == [.flag(true)]
        }
    }
}
