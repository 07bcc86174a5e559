import Foundation
import TestSupport

/// An ``Attack`` on the TCP port for clients of gpsd, with a client that gets each fix meanwhile.
final class GPSDAttack {
    let attack: Attack
    private let port: ReservedPort
    /// The path of a file with a line for each fix that the client with a grant has received.
    private let fixes: String
    private let witness: RunningProgram

    /// - Parameter launcher: A command that becomes the daemon, as in ``TestDaemon``.
    init(launcher: [String] = []) async throws {
        port = try ReservedPort()
        attack = try await Attack(
            launcher: launcher, configuration: GPSDFrontDaemon.configuration(port: port.number))
        fixes = try attack.folder.write("", to: "fixes")
        try Self.module(port: port.number, socket: attack.daemon.runtime + "/gpsd", fixes: fixes)
            .write(toFile: attack.folder.path + "/gpsd_attack.py", atomically: false, encoding: .utf8)
        witness = try RunningProgram(
            attack.granted, ["-c", Self.witnessScript], environment: attack.environment)
        try await waitForFixes()
    }

    /// Waits until the client with a grant has received some more fixes.
    func waitForFixes(_ count: Int = 3) async throws {
        func received() throws -> Int { try String(contentsOfFile: fixes, encoding: .utf8).count { $0 == "\n" } }
        let before = try received()
        try await eventually("fixes: \(witness.errors)") {
            if witness.hasEnded { throw Overdue(what: "fixes: \(witness.errors)") }
            return try received() >= before + count
        }
    }

    private static let witnessScript = """
        from gpsd_attack import *
        connection = watch()
        with open(FIXES, "a", buffering=1) as file:
            while (time := fix(connection)) != "closed":
                file.write(time + "\\n")
        """

    /// Runs a script to its end, and returns the lines that it printed.
    func run(_ script: String, as program: String, through launcher: [String] = []) async throws -> [String] {
        try await attack.run("from gpsd_attack import *\n" + script, as: program, through: launcher)
    }

    /// Starts a script, which runs until it is ended.
    func start(_ script: String, as program: String) throws -> RunningProgram {
        try RunningProgram(
            program, ["-c", "from gpsd_attack import *\n" + script], environment: attack.environment)
    }

    /// What the scripts share. A process is given one of: `fix`, `no fix`, `refused` (an error and no report), `closed`.
    private static func module(port: Int, socket: String, fixes: String) -> String {
        """
        from attack import *
        PORT, GPSD, FIXES = \(port), "\(socket)", "\(fixes)"
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

        # Waits until the client with a grant has received some more fixes, which are lines of a file.
        def fixes_go_by(count=3):
            written = lambda: open(FIXES).read().count("\\n")
            before = written()
            while written() < before + count:
                time.sleep(0.01)

        # What a client is given while others receive fixes.
        def outcome(connection=None):
            connection = watch(connection)
            fixes_go_by()
            request(connection, b"?MARK;")
            given = set()
            while (text := line(connection)) is not None:
                report = json.loads(text)
                if report["class"] == "TPV":
                    given.add("fix" if "lat" in report else "no fix")
                elif report["class"] == "ERROR" and "?MARK" in report["message"]:
                    return "fix" if "fix" in given else "no fix" if "no fix" in given else "refused"
            return "closed"
        """
    }
}
