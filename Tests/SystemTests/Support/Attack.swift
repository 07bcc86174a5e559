import CLinux
import Foundation
import LocationModel
import LocationProtocol
import TestSupport

/// A daemon with one app that has a grant, another app that has none, and scripts that either of them runs.
///
/// Both apps are copies of the same interpreter. To the daemon they differ in nothing but their names.
final class Attack {
    let daemon: TestDaemon
    let folder: TemporaryFolder
    /// The path of the app with a grant.
    let granted: String
    /// The path of the app without a decision.
    let other: String

    /// A user without rights and grants.
    static let nobody = "65534"
    /// A Boolean value indicating whether this process is root with the capabilities(7) to change users and
    /// capabilities, to inspect all processes, and to mount. In a container, root may lack them.
    static let isRoot: Bool = {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("CapEff:") }
        let rights = line.flatMap { UInt64($0.split(separator: "\t").last ?? "", radix: 16) } ?? 0
        return geteuid() == 0 && [6, 7, 8, 19, 21].allSatisfy { rights >> $0 & 1 == 1 }
    }()
    /// A Boolean value indicating whether the kernel supplies a descriptor of the process behind a connection, not
    /// only its id (Linux 6.5).
    static let hasPeerDescriptors: Bool = {
        var pair: [CInt] = [-1, -1]
        guard socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &pair) == 0 else { return false }
        let descriptor = peer_pidfd(pair[0])
        for descriptor in pair + [descriptor] { close(descriptor) }
        return descriptor >= 0
    }()
    static let hasBubblewrap = access("/usr/bin/bwrap", X_OK) == 0

    init(launcher: [String] = [], configuration: String = "") async throws {
        folder = try TemporaryFolder()
        granted = folder.path + "/granted"
        other = folder.path + "/other"
        for path in [granted, other] {
            try await Program.copy(Self.interpreter, to: path)
        }
        try Self.module.write(toFile: folder.path + "/attack.py", atomically: false, encoding: .utf8)
        daemon = try await TestDaemon(
            receivers: ["simulated"], configuration: configuration, folder: folder, launcher: launcher)
        // Gives other users' processes access.
        for path in [folder.path, daemon.runtime] { chmod(path, 0o755) }
        try await grant("exe:" + granted)
    }

    /// Grants an app of this user access to the location.
    func grant(_ app: String) async throws {
        _ = try await daemon.call(Grant.self, .init(app: app, uid: Int(getuid()), level: .always))
    }

    /// Runs a script to its end. Returns the lines that it printed, and the error if it failed.
    ///
    /// - Parameter launcher: A command that becomes the program, as in ``TestDaemon``.
    func run(_ script: String, as program: String, through launcher: [String] = []) async throws -> [String] {
        let command = launcher + [program, "-c", "from attack import *\n" + script]
        let result = try await Program.run(command[0], Array(command.dropFirst()), environment: environment)
        return result.status == 0 ? result.lines : result.lines + ["status \(result.status): \(result.errors)"]
    }

    /// The variables that the scripts need.
    var environment: [String: String] {
        [
            "PYTHONPATH": folder.path, "PYTHONDONTWRITEBYTECODE": "1", "ATTACK_SOCKET": daemon.runtime,
            "ATTACK_GRANTED": granted, "ATTACK_OTHER": other,
            "ATTACK_DAEMON": "\(daemon.program.processIdentifier)",
        ]
    }

    /// Returns the outcome of a request for the location by a new process of this program.
    func outcome(of program: String, through launcher: [String] = []) async throws -> [String] {
        try await run("print(ask())", as: program, through: launcher)
    }

    /// A command that becomes a program of another user.
    static let asNobody = ["/usr/bin/setpriv", "--reuid=\(nobody)", "--regid=\(nobody)", "--clear-groups"]

    /// The interpreter without links, so that a copy of it is the program.
    static let interpreter = URL(filePath: "/usr/bin/python3").resolvingSymlinksInPath().path(
        percentEncoded: false)

    /// The functions that the scripts share.
    private static let module = """
        import array, functools, json, os, signal, socket, sys, time
        # What a program has not written when it becomes another one is lost.
        print = functools.partial(print, flush=True)
        RUNTIME, GRANTED, OTHER = (os.environ["ATTACK_" + name] for name in ("SOCKET", "GRANTED", "OTHER"))
        DAEMON = int(os.environ["ATTACK_DAEMON"])

        socket.setdefaulttimeout(120)

        def new():
            made = socket.socket(socket.AF_UNIX)
            made.set_inheritable(True)
            return made

        def connect(made=None):
            made = made or new()
            made.connect(RUNTIME + "/io.locationd.Location")
            return made

        def send(connection, method, parameters={}, **fields):
            message = {"method": "io.locationd.Location." + method, "parameters": parameters, **fields}
            connection.sendall(json.dumps(message).encode() + b"\\0")

        # In a word: location, another reply's keys, an error's name, or closed.
        def receive(connection):
            answer = b""
            try:
                while not answer.endswith(b"\\0"):
                    byte = connection.recv(1)
                    if not byte:
                        return "closed"
                    answer += byte
            except (ConnectionError, BrokenPipeError):
                return "closed"
            answer = json.loads(answer[:-1])
            if "error" in answer:
                return " ".join([answer["error"].split(".")[-1], *map(str, answer.get("parameters", {}).values())])
            return "location" if "latitude" in json.dumps(answer) else " ".join(answer["parameters"])

        def ask(connection=None, method="GetLocation", parameters={}, **fields):
            connection = connection or connect()
            # The simulated receiver has a location once a second, and a processor whenever it gets one.
            if method == "GetLocation" and not parameters:
                parameters = {"timeout": 100}
            try:
                send(connection, method, parameters, **fields)
            except (ConnectionError, BrokenPipeError):
                return "closed"
            return receive(connection)

        # Keeps the daemon from looking until it is let go on: waits for each of its threads to stand.
        def halt():
            os.kill(DAEMON, signal.SIGSTOP)
            tasks = f"/proc/{DAEMON}/task"
            states = lambda: {open(f"{tasks}/{task}/stat").read().rsplit(")", 1)[1].split()[0] for task in os.listdir(tasks)}
            while states() != {"T"}:
                time.sleep(0.001)

        def go_on():
            os.kill(DAEMON, signal.SIGCONT)

        # Starts a program on a script; the sockets are inherited under their numbers.
        def start(program, script, *arguments):
            child = os.fork()
            if child == 0:
                become(program, script, *arguments)
            return child

        def become(program, script, *arguments):
            os.execv(program, [program, "-c", "from attack import *\\n" + script, *map(str, arguments)])

        def end(child):
            assert os.waitpid(child, 0)[1] == 0

        # Gives the id of a process that has ended to one that runs a program, which stays until it is killed. Returns
        # whether that was possible: a process or thread of another test that was started meanwhile may have the id.
        def reuse(pid, program):
            while not os.path.exists(f"/proc/{pid}"):
                with open("/proc/sys/kernel/ns_last_pid", "w") as file:
                    file.write(str(pid - 1))
                child = os.fork()
                if child == 0:
                    if os.getpid() != pid:
                        os._exit(0)
                    become(program, "signal.pause()")
                if child == pid:
                    while os.readlink(f"/proc/{pid}/exe") != program:
                        time.sleep(0.001)
                    return True
                os.waitpid(child, 0)
            return False
        """
}
