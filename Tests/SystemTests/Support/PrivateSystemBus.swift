import Foundation
import Synchronization
import TestSupport

/// A system bus of its own, run by the real dbus-daemon, with the rules of Debian's system bus.
final class PrivateSystemBus: Sendable {
    static let executable = "/usr/bin/dbus-daemon"
    static var isInstalled: Bool { access(executable, X_OK) == 0 }

    private let folder: TemporaryFolder
    private let program: Mutex<RunningProgram>

    var address: String { "unix:path=\(folder.path)/bus" }

    /// - Parameter maximumKept: The size in bytes of a connection's messages that the bus keeps for those who do not read
    ///   them, and above which it reads nothing of the connection.
    init(maximumKept: Int? = nil) async throws {
        folder = try TemporaryFolder()
        chmod(folder.path, 0o755)
        try Self.writeRules(to: folder)
        let limit = maximumKept.map { "<limit name=\"max_incoming_bytes\">\($0)</limit>" } ?? ""
        try folder.write(Self.configuration(path: folder.path, limit: limit), to: "bus.conf")
        program = Mutex(try Self.start(in: folder))
        try await waitUntilReady()
    }

    deinit { program.withLock { $0.signal(SIGTERM) } }

    /// Ends the bus as a crash would.
    func stop() async throws {
        let program = program.withLock { $0 }
        program.signal(SIGKILL)
        _ = try await program.end()
    }

    /// Starts the bus again, at the same address.
    func restart() async throws {
        try? folder.remove("bus")
        let program = try Self.start(in: folder)
        self.program.withLock { $0 = program }
        try await waitUntilReady()
    }

    func connect() throws -> BusConnection { try BusConnection(address) }

    /// Waits until a name has an owner.
    func waitForOwner(of name: String) async throws {
        let connection = try connect()
        try await eventually("an owner of \(name)") {
            try await connection.callBus("NameHasOwner", [.text(name)]) == [.flag(true)]
        }
    }

    private func waitUntilReady() async throws {
        try await eventually("the bus") {
            let program = program.withLock { $0 }
            if program.hasEnded { throw Overdue(what: "the bus, which ended: \(program.errors)") }
            return !program.lines.isEmpty
        }
    }

    private static func start(in folder: TemporaryFolder) throws -> RunningProgram {
        try RunningProgram(
            executable, ["--config-file=\(folder.path)/bus.conf", "--nofork", "--nopidfile", "--print-address=1"])
    }

    /// Writes the rules that the package installs, with this process's user as the daemon's.
    private static func writeRules(to folder: TemporaryFolder) throws {
        for name in rules {
            let text = try String(contentsOfFile: ManualSource.project + "/dbus/\(name)", encoding: .utf8)
            try folder.write(text.replacing("user=\"locationd\"", with: "user=\"\(getuid())\""), to: name)
        }
    }

    private static let rules = ["org.freedesktop.GeoClue2.conf", "org.freedesktop.GeoClue2.Agent.conf"]

    /// Like /usr/share/dbus-1/system.conf: calls and names need a rule, signals and replies do not.
    private static func configuration(path: String, limit: String) -> String {
        """
        <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
          "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
        <busconfig>
          <type>system</type>
          <listen>unix:path=\(path)/bus</listen>
          <auth>EXTERNAL</auth>
          <policy context="default">
            <allow user="*"/>
            <deny own="*"/>
            <deny send_type="method_call"/>
            <allow send_type="signal"/>
            <allow send_requested_reply="true" send_type="method_return"/>
            <allow send_requested_reply="true" send_type="error"/>
            <allow receive_type="method_call"/>
            <allow receive_type="method_return"/>
            <allow receive_type="error"/>
            <allow receive_type="signal"/>
            <allow send_destination="org.freedesktop.DBus" send_interface="org.freedesktop.DBus"/>
            <allow send_destination="org.freedesktop.DBus" send_interface="org.freedesktop.DBus.Introspectable"/>
            <allow send_destination="org.freedesktop.DBus" send_interface="org.freedesktop.DBus.Properties"/>
          </policy>
          <limit name="max_connections_per_user">4096</limit>
          <limit name="max_completed_connections">8192</limit>
          \(limit)
        \(rules.map { "  <include>\($0)</include>" }.joined(separator: "\n"))
        </busconfig>
        """
    }
}
