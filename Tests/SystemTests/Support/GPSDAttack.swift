import Foundation
import TestSupport

/// An ``Attack`` on the TCP port for clients of gpsd, with an app that gets each fix meanwhile.
final class GPSDAttack {
    let attack: Attack
    private let port: ReservedPort
    private let witness: AttackWitness

    init() async throws {
        port = try ReservedPort()
        attack = try await Attack(configuration: GPSDFrontDaemon.configuration(port: port.number))
        try attack.folder.write(
            Self.module(port: port.number, socket: attack.daemon.runtime + "/gpsd"), to: "gpsd_attack.py")
        witness = try await AttackWitness(of: attack)
    }

    /// Waits until the app with a grant has received some more fixes.
    func waitForFixes() async throws { try await witness.waitForFixes() }

    /// Runs a script to its end, and returns the lines that it printed.
    func run(_ script: String, as program: String, through launcher: [String] = []) async throws -> [String] {
        try await attack.run("from gpsd_attack import *\n" + script, as: program, through: launcher)
    }

    /// Starts a script, which runs until it is ended.
    func start(_ script: String, as program: String) throws -> RunningProgram {
        try RunningProgram(
            program, ["-c", "from gpsd_attack import *\n" + script], environment: attack.environment)
    }

    /// The functions that the scripts share. A connection is given one of: `fix`, `no fix`, `refused` (an error and no
    /// report), `closed`.
    private static func module(port: Int, socket: String) -> String {
        """
        from attack import *
        from witness import fixes_go_by
        PORT, GPSD = \(port), "\(socket)"
        WATCH = b'?WATCH={"enable":true,"json":true};\\n'

        def new_tcp():
            made = socket.socket()
            made.set_inheritable(True)
            return made

        def connect_tcp(made=None, port=PORT):
            made = made or new_tcp()
            made.connect(("127.0.0.1", port))
            return made

        # The next line, without its end, or None if the connection is closed.
        def line(connection):
            text = b""
            try:
                while not text.endswith(b"\\n"):
                    byte = connection.recv(1)
                    if not byte:
                        return None
                    text += byte
            except (ConnectionError, BrokenPipeError):
                return None
            return text.decode().rstrip()

        def request(connection, text):
            try:
                connection.sendall(text)
            except (ConnectionError, BrokenPipeError):
                pass

        def watch(connection=None):
            connection = connection or connect_tcp()
            request(connection, WATCH)
            return connection

        # Waits for the next fix of a client with a grant. Returns its time.
        def fix(connection):
            while (text := line(connection)) is not None:
                report = json.loads(text)
                if report["class"] == "TPV" and "lat" in report:
                    return report["time"]
            return "closed"

        # What clients are given while others receive fixes: from when the daemon has found out which apps they are.
        def outcomes(connections):
            for connection in connections:
                watch(connection)
            before = [answers(connection) for connection in connections]
            fixes_go_by()
            return [outcome_of(connection, seen) for connection, seen in zip(connections, before)]

        def outcome(connection=None):
            return outcomes([connection or connect_tcp()])[0]

        def outcome_of(connection, before):
            after = answers(connection)
            if before is None or after is None:
                return "closed"
            seen = before | after
            return "fix" if "fix" in seen else "no fix" if "no fix" in seen else "refused"

        # The kinds of reports until the daemon has answered all requests so far, or None if the connection is closed.
        def answers(connection):
            request(connection, b"?MARK;")
            seen = set()
            while (text := line(connection)) is not None:
                report = json.loads(text)
                if report["class"] == "TPV":
                    seen.add("fix" if "lat" in report else "no fix")
                elif report["class"] == "ERROR" and "?MARK" in report["message"]:
                    return seen
            return None
        """
    }
}
