internal import CLinux
internal import EventLoopSupport
internal import Glibc
internal import LocationctlSupport

/// A launcher of the dashboard in a terminal of the desktop. Confined to the event loop.
///
/// No shell is involved, and no text from an app: the command is always the same.
final class DashboardLauncher {
    /// The maximum number of terminals that run at a time. A further click opens no terminal.
    private static let maximumCount = 4

    /// A program that was started.
    private struct Child {
        let watch: DescriptorPoller.Watch
        let descriptor: CInt
    }

    private let dashboard: [String]
    private let poller: DescriptorPoller
    private var children: [pid_t: Child] = [:]
    /// Called if no terminal could be opened.
    private let onFailure: () -> Void

    /// - Parameters:
    ///   - dashboard: The command that shows the dashboard in a terminal.
    ///   - poller: The poller that observes the ends of the programs.
    init(_ dashboard: [String], poller: DescriptorPoller, onFailure: @escaping () -> Void) {
        self.dashboard = dashboard
        self.poller = poller
        self.onFailure = onFailure
    }

    /// Opens the dashboard without waiting for it.
    func open() {
        guard children.count < Self.maximumCount else { return }
        guard let command = Self.command(for: dashboard, isService: Self.isService, exists: Self.exists),
            let child = Self.start(command)
        else { return onFailure() }
        let descriptor = process_open(child)
        guard descriptor >= 0 else { return }
        let watch = poller.watch(descriptor) { [unowned self] _ in ended(child) }
        children[child] = Child(watch: watch, descriptor: descriptor)
        if (try? watch.wait(for: .readable)) == nil { ended(child) }
    }

    private func ended(_ process: pid_t) {
        guard let child = children.removeValue(forKey: process) else { return }
        child.watch.end()
        close(child.descriptor)
        var status: CInt = 0
        guard waitpid(process, &status, WNOHANG) == process, status != 0 else { return }
        onFailure()
    }

    /// Returns the command that opens a terminal with `dashboard` in it, or `nil` if no such program is installed.
    ///
    /// - Parameters:
    ///   - isService: `true` if this process is a systemd service. Programs that it starts would end with it and have
    ///     no more privileges: no sudo in the terminal. So systemd starts the terminal.
    ///   - exists: A function that returns whether a program is installed.
    static func command(
        for dashboard: [String], isService: Bool, exists: (String) -> Bool
    ) -> [String]? {
        let terminals = [
            // Default Terminal Execution Specification (freedesktop.org, proposed).
            ["xdg-terminal-exec"] + dashboard,
            // Debian policy, 11.8.3.
            ["x-terminal-emulator", "-e"] + dashboard,
            ["gtk-launch", "io.locationd.Dashboard"],
        ]
        guard let command = terminals.first(where: { exists($0[0]) }) else { return nil }
        guard isService, exists("systemd-run") else { return command }
        return ["systemd-run", "--user", "--quiet", "--collect", "--"] + command
    }

    /// A Boolean value indicating whether this process is the main one of a systemd service: systemd.exec(5).
    private static var isService: Bool {
        getenv("SYSTEMD_EXEC_PID").map { String(cString: $0) } == "\(getpid())"
    }

    private static func exists(_ program: String) -> Bool {
        let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
        return path.split(separator: ":").contains { access("\($0)/\(program)", X_OK) == 0 }
    }

    /// Starts a program in a process group of its own, so that Ctrl-C for the agent does not end it. Returns its
    /// process, or `nil` on failure.
    private static func start(_ command: [String]) -> pid_t? {
        // The agent may block or ignore signals; the terminal does not.
        let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP
        return ChildProcess.start(
            command, inheritsInput: false, [STDOUT_FILENO: STDIN_FILENO, STDERR_FILENO: STDIN_FILENO],
            flags: CInt(flags))
    }
}
