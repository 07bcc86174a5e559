import Foundation

/// The polkitd of the machine.
enum RealPolkit {
    static let executable = "/usr/lib/polkit-1/polkitd"
    static var isInstalled: Bool { access(executable, X_OK) == 0 && getpwnam("polkitd") != nil }

    /// A script of sh that runs the program in `$0` with the machine's actions, and with `$1` as the only rules. In a
    /// mount namespace.
    static let rulesScript = """
        set -e
        mount -t tmpfs -o mode=0755 tmpfs /usr/share/polkit-1/rules.d
        mount -t tmpfs -o mode=0755 tmpfs /etc/polkit-1
        install -d -m 0755 /etc/polkit-1/rules.d
        umask 022
        printf '%s' "$1" >/etc/polkit-1/rules.d/10-test.rules
        exec "$0"
        """
}
