import Foundation
import LocationProtocol
import TestSupport
import Testing
import Varlink

/// A daemon without rights, and the service that inspects other users' processes for it.
@Suite(
    .enabled(if: Attack.isRoot && PeersService.nobodyCanRunIt, "needs root, and a build that others may run"),
    .timeLimit(.minutes(15)))
struct PeersServiceTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        chmod(folder.path, 0o755)
        try #require(chown(folder.path, 65534, 65534) == 0)
    }

    private func daemon(_ peers: PeersService?) async throws -> TestDaemon {
        let environment = peers.map { ["/usr/bin/env", "LOCATIOND_PEERS=\($0.path)"] } ?? []
        return try await TestDaemon(
            receivers: ["simulated"], configuration: "in-use = \"connected\"\n", folder: folder,
            launcher: environment + Attack.asNobody)
    }

    /// Returns how the daemon treats this process, which runs as root: known, refused, or another error.
    private func outcome(_ daemon: TestDaemon) async throws -> String {
        do {
            let client = try await daemon.connect(to: LocationInterface.self)
            let _: GetAuthorization.Reply = try await client.call(
                GetAuthorization.qualifiedName, Nothing(), returning: GetAuthorization.Reply.self)
            return "known"
        } catch let error as VarlinkError {
            return error == .permissionDenied ? "refused" : "\(error)"
        }
    }

    /// Waits until this process is known. A service that has just been started may take longer to answer than the
    /// daemon waits for it.
    private func waitUntilKnown(_ daemon: TestDaemon) async throws {
        try await eventually("this process to be known") { try await outcome(daemon) == "known" }
    }

    @Test func withoutItAnotherUsersProcessIsRefused() async throws {
        let daemon = try await daemon(nil)
        #expect(try await outcome(daemon) == "refused")
    }

    @Test func withItAnotherUsersProcessHasItsName() async throws {
        let peers = try await PeersService(in: folder.path, user: Attack.nobody)
        let daemon = try await daemon(peers)
        try await waitUntilKnown(daemon)
        #expect(try await daemon.ctlApp() == "exe:\(Program.path("locationctl"))")
        // With a grant, the process gets the location.
        try await daemon.grantSelf()
        _ = try await daemon.connect(to: LocationInterface.self).call(
            GetLocation.qualifiedName, GetLocation.Parameters(timeout: 600), returning: GetLocation.Reply.self)
    }

    @Test func itIsFoundAgainAfterARestart() async throws {
        let peers = try await PeersService(in: folder.path, user: Attack.nobody)
        let daemon = try await daemon(peers)
        for _ in 0..<3 {
            try await waitUntilKnown(daemon)
            try await peers.restart()
        }
    }

    /// The daemon waits ten seconds, refuses clients that are not identified by then, and goes on.
    @Test func itHangs() async throws {
        let peers = try await PeersService(in: folder.path, user: Attack.nobody)
        let daemon = try await daemon(peers)
        let pid = try #require(peers.processID)
        try await halt(pid)
        #expect(try await outcome(daemon) == "refused")
        try await daemon.waitForLog("does not answer")
        kill(pid, SIGCONT)
        try await waitUntilKnown(daemon)
    }

    /// Only the clients that are being identified wait: a hundred of them connect, and existing subscribers go on.
    @Test func whileItHangsSubscribersGoOn() async throws {
        let peers = try await PeersService(in: folder.path, user: Attack.nobody)
        let daemon = try await daemon(peers)
        try await waitUntilKnown(daemon)
        try await daemon.grantSelf()
        var updates = try await daemon.subscribe().makeAsyncIterator()
        _ = try await updates.next()
        let pid = try #require(peers.processID)
        try await halt(pid)
        let path = LocationInterface.socketPath(in: daemon.runtime)
        let clients = try (0..<100).map { _ in try RawSocket(path) }
        let call = Array((#"{"method":"io.locationd.Location.GetAuthorization"}"# + "\0").utf8)
        for client in clients { client.send(call) }
        for _ in 0..<4 { #expect(try await updates.next() != nil) }
        kill(pid, SIGCONT)
        try await waitUntilKnown(daemon)
        _ = clients
    }

    // MARK: Attacks on the service

    /// Runs a script with `ask(message, descriptor)`, which returns the answer or "closed".
    private func run(_ script: String, _ peers: PeersService, as user: String = Attack.nobody) async throws -> [String]
    {
        let prelude = """
            import array, os, socket, sys
            socket.setdefaulttimeout(120)

            def connect():
                connection = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
                connection.connect(sys.argv[1])
                return connection

            def ask(message, *descriptors):
                rights = (socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", descriptors))
                try:
                    connection = connect()
                    connection.sendmsg([message.encode()], [rights] if descriptors else [])
                    return connection.recv(8192).decode() or "closed"
                except ConnectionError:
                    return "closed"

            """
        let result = try await Program.run(
            "/usr/bin/setpriv",
            [
                "--reuid=\(user)", "--regid=\(user)", "--clear-groups", "/usr/bin/python3", "-c", prelude + script,
                peers.path, "\(getpid())",
            ])
        return result.status == 0 ? result.lines : result.lines + ["status \(result.status): \(result.errors)"]
    }

    /// Attack: a user with access to the socket asks about everybody's processes.
    @Test func anotherUserIsRefused() async throws {
        let peers = try await PeersService(in: folder.path, user: Attack.nobody)
        let script = #"print(ask("executable", os.pidfd_open(int(sys.argv[2]))))"#
        #expect(try await run(script, peers, as: "12345") == ["closed"])
        let executable = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        #expect(try await run(script, peers) == ["executable \(executable)"])
    }

    /// Attack: the daemon has been taken over, and claims that its own descriptor belongs to another process.
    @Test func aProcessIsWhatItsDescriptorSays() async throws {
        let peers = try await PeersService(in: folder.path, user: Attack.nobody)
        let lines = try await run(
            #"""
            own, other = os.pidfd_open(os.getpid()), sys.argv[2]
            print(ask(f"identity 65534 {other}", own))
            print(ask(f"executable {other}", own))
            print(ask("executable", own) == "executable " + os.path.realpath(sys.executable))
            # Nothing but the descriptor of a process says which; and of several, the first.
            print(ask("identity 65534"))
            print(ask("identity 65534", os.open(f"/proc/{other}", os.O_RDONLY)))
            print(ask("executable", own, os.pidfd_open(int(other))) == "executable " + os.path.realpath(sys.executable))
            # What is no request ends the connection, and the service goes on.
            print(ask("x" * 20000), ask("grant everything"))
            print(ask("executable", own) == "executable " + os.path.realpath(sys.executable))
            """#, peers)
        #expect(
            lines == [
                "closed", "closed", "True", "refused processGone", "refused processGone", "True", "closed closed",
                "True",
            ])
    }

    /// A socket's holders are found in processes that the daemon may not look into, and only there.
    @Test func theHoldersOfASocket() async throws {
        let peers = try await PeersService(in: folder.path, user: Attack.nobody)
        let lines = try await run(
            #"""
            import subprocess
            place = next(line[4:].strip("/\n") for line in open("/proc/self/cgroup") if line.startswith("0::/"))
            root = next(path for path in ("/sys/fs/cgroup", "/sys/fs/cgroup/unified")
                        if os.path.exists(path + "/cgroup.controllers"))
            group = os.stat(f"{root}/{place}").st_ino
            listener = socket.create_server(("127.0.0.1", 0))
            client = socket.create_connection(listener.getsockname())
            inode = os.fstat(client.fileno()).st_ino
            identity = ask("identity 65534", os.pidfd_open(os.getpid()))

            def holders(uid, inode, group):
                connection = connect()
                connection.send(f"holders {uid} {inode} {group}".encode())
                text, ancillary, _, _ = connection.recvmsg(8192, socket.CMSG_SPACE(8 * 4))
                pidfds = array.array("i", b"".join(data for _, _, data in ancillary))
                pids = [next(int(line[4:]) for line in open(f"/proc/self/fdinfo/{pidfd}") if line.startswith("Pid:"))
                        for pidfd in pidfds]
                app = identity.partition(" ")[2]
                return text.decode() == f"holders 0\n{app}" and pids or text.decode()

            print(holders(65534, inode, group) == [os.getpid()])
            # Attack: the daemon has been taken over, and asks for what is not so.
            print(holders(65534, inode, group + 1000000007))
            print(holders(65534, 4294967295, group))
            print(holders(0, inode, group))
            other = subprocess.Popen(["/bin/sleep", "infinity"], pass_fds=[client.fileno()])
            # Unless all these processes are in one unit, and so one app.
            is_one = ask("identity 65534", os.pidfd_open(other.pid)) == identity
            print(is_one or holders(65534, inode, group) == "holders socketShared")
            client.close()
            identity = ask("identity 65534", os.pidfd_open(other.pid))
            print(holders(65534, inode, group) == [other.pid])
            other.kill()
            other.wait()
            print(holders(65534, inode, group))
            """#, peers)
        #expect(
            lines == [
                "True", "holders socketOfAnotherUnit", "holders socketNotHeld", "holders socketNotHeld", "True",
                "True", "holders socketNotHeld",
            ])
    }

    /// A wake is carried out with the rights of the app's user: in that user's folders, and in nobody else's.
    @Test func aWakeIsTheUsersOwn() async throws {
        let peers = try await PeersService(in: folder.path, user: Attack.nobody)
        let listeners = try RunningProgram(
            "/usr/bin/python3",
            [
                "-c",
                """
                import os, socket, sys
                for uid in (12345, 12346):
                    folder = f"{sys.argv[1]}/{uid}"
                    os.mkdir(folder)
                    listener = socket.socket(socket.AF_UNIX)
                    # listen(2) notes who calls it.
                    os.chown(folder, uid, uid)
                    os.chmod(folder, 0o700)
                    os.seteuid(uid)
                    listener.bind(folder + "/app")
                    listener.listen(4)
                    os.seteuid(0)
                    if uid == 12345:
                        own = listener
                    else:
                        other = listener
                print("ready", flush=True)
                print(own.accept()[0].makefile().read(), flush=True)
                """, folder.path,
            ])
        try await eventually("the listeners") { listeners.lines.first == "ready" }
        let lines = try await run(
            """
            own, other = (f"{os.path.dirname(sys.argv[1])}/{uid}/app" for uid in (12345, 12346))
            event = '{"method":"io.locationd.Location.MonitorVisits","parameters":{}}'
            print(ask(f"check 12345 {own}"))
            print("not a stream socket" in ask(f"check 12345 {other}"))
            # Attack: the daemon has been taken over, and finds out which files other users and root have.
            hidden = os.path.dirname(other)
            paths = other, f"{hidden}/none", "/etc/shadow", "/etc/none", "/root", "/root/none", os.path.dirname(own)
            refusals = {ask(f"check {uid} {path}").replace(path, "PATH").replace(f"user {uid} ", "user U ")
                        for path in paths for uid in (0, 12345, 65534)}
            print(len(refusals), "not a stream socket" in refusals.pop())
            print(ask(f"wake 12345 {own}\\n{event}"))
            print("not absolute" in ask(f"wake 12345 app\\n{event}"))
            lines = "hello", event + "\\n", event + "x" * 9000, event[:-1], event + "{}"
            print([ask(f"wake 12345 {own}\\n{line}")[-8:] for line in lines])
            """, peers)
        // Attack: the daemon has been taken over, and makes root write anything to any socket.
        #expect(
            lines == [
                "woken ", "True", "1 True", "woken ", "True",
                "['an event', 'an event', 'an event', 'an event', 'an event']",
            ])
        #expect(
            try await listeners.end().lines == [
                "ready", "{\"method\":\"io.locationd.Location.MonitorVisits\",\"parameters\":{}}",
            ])
    }
}

/// Sends SIGSTOP to a process, and waits until all of its threads have stopped. The signal reaches one of them first.
/// Until that one gets the processor, the others go on.
func halt(_ process: pid_t) async throws {
    kill(process, SIGSTOP)
    let tasks = "/proc/\(process)/task"
    try await eventually("process \(process) to stop") {
        try FileManager.default.contentsOfDirectory(atPath: tasks).allSatisfy { task in
            // A thread that has just ended has no file any more.
            let status = (try? String(contentsOfFile: "\(tasks)/\(task)/stat", encoding: .utf8)) ?? ""
            // proc(5): the state follows the name, which is in parentheses.
            return status.split(separator: ")").last?.split(separator: " ").first == "T"
        }
    }
}
