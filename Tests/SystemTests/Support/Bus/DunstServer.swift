import CSystemd
import Foundation
import TestSupport

/// The notification server dunst as Debian has it, on a display of its own. Its buttons are in a menu, and a script
/// chooses the entry.
final class DunstServer: Sendable {
    private static let programs = ["/usr/bin/Xvfb", "/usr/bin/dunst", "/usr/bin/dunstctl"]
    static var isInstalled: Bool { programs.allSatisfy { access($0, X_OK) == 0 } }

    private let folder: TemporaryFolder
    private let display: RunningProgram
    private let server: RunningProgram
    private let environment: [String: String]

    /// Starts the server, and waits until it has its name on the bus.
    init(on bus: PrivateBus) async throws {
        let folder = try TemporaryFolder()
        let display = try RunningProgram("/usr/bin/Xvfb", ["-displayfd", "1", "-screen", "0", "640x480x8"])
        try await eventually("a display: \(display.errors)") { display.lines.first != nil }
        try folder.write(
            "#!/bin/sh\ncat >\(folder.path)/menu\ngrep -m 1 -F -f \(folder.path)/choice \(folder.path)/menu\n",
            to: "choose")
        chmod(folder.path + "/choose", 0o755)
        try folder.write("[global]\ndmenu = \(folder.path)/choose\n", to: "dunstrc")
        environment = ["DISPLAY": ":\(display.lines[0])", "DBUS_SESSION_BUS_ADDRESS": bus.address]
        let server = try RunningProgram(
            "/usr/bin/dunst", ["-conf", folder.path + "/dunstrc"], environment: environment)
        (self.folder, self.display, self.server) = (folder, display, server)
        let connection = try bus.open()
        defer { sd_bus_flush_close_unref(connection) }
        try await eventually("dunst: \(server.errors)") {
            sd_bus_get_name_creds(connection, FakeNotificationServer.name, 0, nil) >= 0
        }
    }

    /// The entries of the menu of all that is shown, such as `#Deny (Summary) [2,key]`.
    func menu() async throws -> [String] { try await choose("no such entry") }

    /// Presses the first button with an entry that contains a text. Returns the menu.
    @discardableResult func choose(_ text: String) async throws -> [String] {
        try folder.write(text + "\n", to: "choice")
        try? folder.remove("menu")
        _ = try await Program.run("/usr/bin/dunstctl", ["context"], environment: environment)
        var menu: String?
        // There is no menu without buttons.
        for _ in 0..<20 where menu?.isEmpty != false {
            try await Task.sleep(for: .milliseconds(50))
            menu = try? String(contentsOfFile: folder.path + "/menu", encoding: .utf8)
        }
        return (menu ?? "").split(separator: "\n").map(String.init)
    }
}
