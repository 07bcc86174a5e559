internal import Glibc
internal import NIOConcurrencyHelpers

/// polkit's agent for terminals, pkttyagent(1), which asks the user for a password if there is no desktop to do so.
///
/// Started as systemctl starts it, but only without a graphical session, and only for a user who needs authentication
/// to manage. It registers for this process, and never replaces an existing agent.
package enum TerminalAuthentication {
    private static let agent = NIOLockedValueBox(Agent())

    /// Starts the agent, if this process needs it for a management socket and has not started it yet. Returns once it
    /// is registered, after 10 s at most.
    static func start(for socket: String) {
        agent.withLockedValue { agent in
            guard !agent.wasStarted, hasTerminalOnly, needsAuthorization(for: socket) else { return }
            agent.wasStarted = true
            agent.process = run()
            if agent.process != nil { atexit { TerminalAuthentication.stop() } }
        }
    }

    /// Ends the agent. It is not started again, since the terminal now has another use.
    package static func stop() {
        agent.withLockedValue { agent in
            agent.wasStarted = true
            guard let process = agent.process else { return }
            agent.process = nil
            // The agent restores the terminal's settings. If it was stopped, it has to continue for that.
            kill(process, SIGTERM)
            kill(process, SIGCONT)
            while waitpid(process, nil, 0) < 0, errno == EINTR {}
        }
    }

    /// Returns whether calls of this process on a management socket need authorization: unless it runs as root or as
    /// the socket's owner, or is in the socket's group.
    static func needsAuthorization(for socket: String) -> Bool {
        var status = stat()
        guard geteuid() != 0, stat(socket, &status) == 0, status.st_uid != geteuid() else { return false }
        return !ProcessGroups.current.contains(status.st_gid)
    }

    private static var hasTerminalOnly: Bool {
        isatty(STDIN_FILENO) == 1 && getenv("DISPLAY") == nil && getenv("WAYLAND_DISPLAY") == nil
    }

    /// The agent. `process` is `nil` before it is started and after it has ended.
    private struct Agent {
        var wasStarted = false
        var process: pid_t?
    }

    /// The descriptor that the agent closes once it is registered.
    private static let notification: CInt = 3
    /// The timeout for its registration, in milliseconds.
    private static let timeout: CInt = 10_000

    /// Runs the agent. Returns its process, or `nil` if it is not installed.
    private static func run() -> pid_t? {
        var ends: [CInt] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        defer { close(ends[0]) }
        // Output may go to a file or to another program, which must not receive the questions.
        let process = ChildProcess.start(
            ["pkttyagent", "--notify-fd", "\(notification)", "--fallback"], inheritsInput: true,
            [STDOUT_FILENO: STDIN_FILENO, STDERR_FILENO: STDIN_FILENO, notification: ends[1]])
        close(ends[1])
        guard let process else { return nil }
        var wait = pollfd(fd: ends[0], events: 0, revents: 0)
        while poll(&wait, 1, timeout) < 0, errno == EINTR {}
        return process
    }
}
