import Glibc
import TestSupport

/// A bus of its own, run by the real dbus-daemon.
final class PrivateBus: Sendable {
    static let executable = "/usr/bin/dbus-daemon"
    static var isInstalled: Bool { access(executable, X_OK) == 0 }

    let address: String
    private let program: RunningProgram

    /// Starts a bus, and waits until it listens.
    ///
    /// - Parameters:
    ///   - folder: The folder of its socket, which may be that of a bus that has ended.
    ///   - rule: A rule of the policy, besides those that allow everything.
    init(in folder: TemporaryFolder, rule: String = "") async throws {
        let socket = folder.path + "/bus"
        address = "unix:path=" + socket
        try folder.write(
            """
            <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-BUS Bus Configuration 1.0//EN"
             "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
            <busconfig>
              <type>system</type>
              <listen>\(address)</listen>
              <auth>EXTERNAL</auth>
              <policy context="default">
                <allow user="*"/>
                <allow own="*"/>
                <allow send_type="method_call"/>
                <allow send_type="signal"/>
                <allow send_requested_reply="true" send_type="method_return"/>
                <allow send_requested_reply="true" send_type="error"/>
                <allow receive_type="method_call"/>
                <allow receive_type="method_return"/>
                <allow receive_type="error"/>
                <allow receive_type="signal"/>
                \(rule)
              </policy>
            </busconfig>
            """, to: "bus.conf")
        let program = try RunningProgram(
            Self.executable, ["--config-file=\(folder.path)/bus.conf", "--nofork", "--print-address=1"])
        self.program = program
        try await eventually("the bus: \(program.errors)") { !program.lines.isEmpty }
    }

    /// Ends the bus, and waits for that: it removes its socket.
    func stop() async throws {
        program.signal(SIGTERM)
        _ = try await program.end()
    }
}
