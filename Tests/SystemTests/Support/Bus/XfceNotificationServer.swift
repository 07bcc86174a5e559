import CSystemd
import Foundation
import TestSupport

/// The notification server of Xfce as Debian has it, on a display of its own. A program moves the pointer and clicks.
final class XfceNotificationServer: Sendable {
    private static let library = ["x86_64", "aarch64"].map { "/usr/lib/\($0)-linux-gnu/xfce4/" }
        .first { access($0 + "notifyd/xfce4-notifyd", X_OK) == 0 }
    private static let programs = ["/usr/bin/Xvfb", "/usr/bin/xdotool"]
    static var isInstalled: Bool {
        library != nil && programs.allSatisfy { access($0, X_OK) == 0 }
    }

    /// A button of the only notification, from its first to its last.
    enum Button {
        case first, last
    }

    private let home: TemporaryFolder
    private let programs: [RunningProgram]
    private let environment: [String: String]

    /// Starts the server, and waits until it has its name on the bus.
    init(on bus: PrivateBus) async throws {
        let home = try TemporaryFolder()
        let display = try RunningProgram("/usr/bin/Xvfb", ["-displayfd", "1", "-screen", "0", "800x600x24"])
        try await eventually("a display: \(display.errors)") { display.lines.first != nil }
        let environment = [
            "DISPLAY": ":\(display.lines[0])", "DBUS_SESSION_BUS_ADDRESS": bus.address, "HOME": home.path,
            "NO_AT_BRIDGE": "1", "GSETTINGS_BACKEND": "memory",
        ]
        let library = Self.library ?? ""
        let settings = try RunningProgram(library + "xfconf/xfconfd", [], environment: environment)
        let connection = try bus.open()
        defer { sd_bus_flush_close_unref(connection) }
        try await eventually("xfconfd: \(settings.errors)") {
            sd_bus_get_name_creds(connection, "org.xfce.Xfconf", 0, nil) >= 0
        }
        let server = try RunningProgram(library + "notifyd/xfce4-notifyd", [], environment: environment)
        try await eventually("xfce4-notifyd: \(server.errors)") {
            sd_bus_get_name_creds(connection, FakeNotificationServer.name, 0, nil) >= 0
        }
        (self.home, self.environment, programs) = (home, environment, [display, settings, server])
    }

    /// A Boolean value indicating whether there is a notification on the screen.
    var isShowing: Bool { get async throws { try await window() != nil } }

    /// Clicks on a button of the notification that is on the screen. Does nothing if there is none.
    func click(_ button: Button) async throws {
        guard let (x, y, width, height) = try await window() else { return }
        // The buttons are in a row at the lower edge.
        let column = x + (button == .first ? 30 : width - 30)
        _ = try await xdotool("mousemove", "\(column)", "\(y + height - 26)", "click", "1")
    }

    /// Returns the place and the size of a notification on the screen, in pixels.
    private func window() async throws -> (x: Int, y: Int, width: Int, height: Int)? {
        let search = try await xdotool("search", "--onlyvisible", "--class", "xfce4-notifyd")
        for window in search.split(separator: "\n") {
            let text = try await xdotool("getwindowgeometry", "--shell", String(window))
            let pairs = text.split(separator: "\n").map { $0.split(separator: "=") }.filter { $0.count == 2 }
            let values = Dictionary(pairs.map { (String($0[0]), Int($0[1]) ?? 0) }, uniquingKeysWith: { $1 })
            guard let x = values["X"], let y = values["Y"], let width = values["WIDTH"],
                let height = values["HEIGHT"], width > 50
            else { continue }
            return (x, y, width, height)
        }
        return nil
    }

    private func xdotool(_ arguments: String...) async throws -> String {
        try await Program.run("/usr/bin/xdotool", arguments, environment: environment).output
    }
}
