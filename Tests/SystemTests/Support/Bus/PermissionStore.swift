import Foundation
import TestSupport

/// The permission store of the desktop, which comes with xdg-desktop-portal, and the programs that write to it.
final class PermissionStore {
    static let name = "org.freedesktop.impl.portal.PermissionStore"
    private static let executable = "/usr/libexec/xdg-permission-store"
    static var isInstalled: Bool {
        PrivateBus.isInstalled
            && [executable, "/usr/bin/busctl"].allSatisfy(FileManager.default.isExecutableFile(atPath:))
    }

    private let bus: PrivateBus
    private let folder: TemporaryFolder
    private let program: RunningProgram

    /// Starts it, and waits until it has its name.
    init(on bus: PrivateBus) async throws {
        self.bus = bus
        folder = try TemporaryFolder()
        program = try RunningProgram(
            Self.executable, [],
            environment: [
                "DBUS_SESSION_BUS_ADDRESS": bus.address, "HOME": folder.path, "XDG_DATA_HOME": folder.path,
            ])
        try await bus.waitForOwner(of: Self.name)
    }

    private func call(_ method: String, _ arguments: [String]) async throws -> Program.Result {
        try await Program.run(
            "/usr/bin/busctl",
            [
                "--address=\(bus.address)", "--json=short", "call", Self.name,
                "/org/freedesktop/impl/portal/PermissionStore", Self.name, method,
            ] + arguments)
    }

    /// The entries of the table of locations, by the apps' ids.
    func entries() async throws -> [String: [String]] {
        let reply = try await call("Lookup", ["ss", "location", "location"])
        // There is no table before the first entry.
        guard reply.status == 0 else { return [:] }
        let json = try JSONSerialization.jsonObject(with: Data(reply.output.utf8)) as? [String: Any]
        return (json?["data"] as? [Any])?.first as? [String: [String]] ?? [:]
    }

    /// Waits until an app has an entry, or none for `nil`.
    func wait(for texts: [String]?, of app: String) async throws {
        var found: [String: [String]] = [:]
        try await eventually("\(texts ?? []) for \(app)") {
            found = try await entries()
            return found[app] == texts
        }
    }

    /// Replaces all entries, as GNOME's page does.
    func replace(with entries: [String: [String]]) async throws {
        let pairs = entries.flatMap { [$0, "\($1.count)"] + $1 }
        let result = try await call(
            "Set", ["sbsa{sas}v", "location", "true", "location", "\(entries.count)"] + pairs + ["y", "0"])
        guard result.status == 0 else { throw Overdue(what: "a table: \(result.errors)") }
    }

    /// Switches an app on or off, as GNOME's page does (gnome-control-center, cc-location-page.c): the first text of
    /// the entry in a table that it has read, and all other entries as they were there.
    func switchApp(_ app: String, on isOn: Bool, in table: [String: [String]]? = nil) async throws {
        var entries = if let table { table } else { try await self.entries() }
        entries[app]?[0] = isOn ? "EXACT" : "NONE"
        try await replace(with: entries)
    }

    /// Writes one entry, as any program can.
    func write(_ texts: [String], of app: String) async throws {
        let result = try await call(
            "SetPermission", ["sbssas", "location", "true", "location", app, "\(texts.count)"] + texts)
        guard result.status == 0 else { throw Overdue(what: "an entry: \(result.errors)") }
    }
}
