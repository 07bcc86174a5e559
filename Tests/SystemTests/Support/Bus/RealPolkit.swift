import Foundation
import TestSupport

/// The polkitd of the machine.
enum RealPolkit {
    private static let executable = "/usr/lib/polkit-1/polkitd"
    static var isInstalled: Bool { access(executable, X_OK) == 0 && getpwnam("polkitd") != nil }

    /// Runs polkitd with `$1` as the only rules and, if it is not empty, the actions of the file `$2` as the only ones.
    private static let script = """
        set -e
        mount -t tmpfs -o mode=0755 tmpfs /usr/share/polkit-1/rules.d
        mount -t tmpfs -o mode=0755 tmpfs /etc/polkit-1
        install -d -m 0755 /etc/polkit-1/rules.d
        umask 022
        printf '%s' "$1" >/etc/polkit-1/rules.d/10-test.rules
        if [ -n "$2" ]; then
            mount -t tmpfs -o mode=0755 tmpfs /usr/share/polkit-1/actions
            install -m 0644 "$2" /usr/share/polkit-1/actions
        fi
        exec "$0"
        """

    /// Starts it on a bus, in a mount namespace, and waits until it answers there.
    ///
    /// - Parameter actions: The file of the only actions, or `nil` for the machine's.
    static func start(on bus: PrivateBus, rules: String, actions: String? = nil) async throws -> RunningProgram {
        let program = try RunningProgram(
            "/usr/bin/unshare", ["--mount", "/bin/sh", "-c", script, executable, rules, actions ?? ""],
            environment: ["DBUS_SYSTEM_BUS_ADDRESS": bus.address])
        try await bus.waitForOwner(of: FakePolkit.name)
        return program
    }
}
