import Foundation
import TestSupport

/// A real locationd-peers behind a socket that survives its restarts, as with a service manager.
final class PeersService: Sendable {
    /// A Boolean value indicating whether the programs, and the Swift libraries that they need, are accessible to
    /// other users.
    static let nobodyCanRunIt: Bool = {
        let trial = try? RunningProgram(
            Attack.asNobody[0], Attack.asNobody.dropFirst() + [Program.path("locationd"), "--version"])
        return trial?.waitUntilEnd() == 0
    }()

    let path: String
    private let manager: RunningProgram

    /// - Parameters:
    ///   - folder: The folder in which the socket is created.
    ///   - user: The user whom the service answers.
    init(in folder: String, user: String) async throws {
        path = folder + "/peers"
        manager = try RunningProgram(
            "/usr/bin/python3", ["-c", Self.script, Program.path("locationd-peers"), path, user])
        try await eventually("locationd-peers") { processID != nil }
    }

    /// The process id of the service that is running.
    var processID: pid_t? { manager.lines.last.flatMap { pid_t($0) } }

    /// Ends the service, and waits until another one is running.
    func restart() async throws {
        // Not recognised by its id, which may be reused for the next one.
        let starts = manager.lines.count
        if let processID { kill(processID, SIGKILL) }
        try await eventually("another locationd-peers: \(manager.errors)") { manager.lines.count > starts }
    }

    private static let script = """
        import os, signal, socket, sys
        program, path, user = sys.argv[1:]
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        listener.bind(path)
        # Whoever gets at the socket: the service looks for itself.
        os.chmod(path, 0o666)
        listener.listen(16)
        child = 0

        def end(*_):
            os.kill(child, signal.SIGKILL)
            os._exit(0)

        signal.signal(signal.SIGTERM, end)
        while True:
            child = os.fork()
            if child == 0:
                os.dup2(listener.fileno(), 3)
                os.set_inheritable(3, True)
                os.environ.update(LISTEN_FDS="1", LISTEN_PID=str(os.getpid()))
                # With the capabilities that the unit leaves it, and no others.
                os.execv("/usr/bin/setpriv", [
                    "setpriv", "--bounding-set", "-all,+sys_ptrace,+dac_read_search,+setuid,+setgid", "--no-new-privs",
                    program, "--user", user])
            print(child, flush=True)
            os.waitpid(child, 0)
        """
}
