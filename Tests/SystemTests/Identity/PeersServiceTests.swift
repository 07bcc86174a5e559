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

    /// The daemon waits ten seconds, refuses clients that are not identified by then, and continues.
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
        let prelude = Program.script("PeersService/ask")
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
        let lines = try await run(Program.script("PeersService/other_descriptors"), peers)
        #expect(
            lines == [
                "closed", "closed", "True", "refused processGone", "refused processGone", "True", "closed closed",
                "True",
            ])
    }

    /// A socket's holders are found in processes that the daemon may not look into, and only there.
    @Test func theHoldersOfASocket() async throws {
        let peers = try await PeersService(in: folder.path, user: Attack.nobody)
        let lines = try await run(Program.script("PeersService/holders"), peers)
        #expect(
            lines == [
                "True", "holders socketOfAnotherUnit", "holders socketNotHeld", "holders socketNotHeld", "True",
                "True", "holders socketNotHeld",
            ])
    }

    /// A wake is carried out with the rights of the app's user: in that user's folders, and in no other user's.
    @Test func aWakeIsTheUsersOwn() async throws {
        let peers = try await PeersService(in: folder.path, user: Attack.nobody)
        let listeners = try RunningProgram(
            "/usr/bin/python3",
            [
                "-c",
                Program.script("PeersService/wake_listeners"), folder.path,
            ])
        try await eventually("the listeners") { listeners.lines.first == "ready" }
        let lines = try await run(Program.script("PeersService/wake"), peers)
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
            // A thread that has just ended no longer has a file.
            let status = (try? String(contentsOfFile: "\(tasks)/\(task)/stat", encoding: .utf8)) ?? ""
            // proc(5): the state follows the name, which is in parentheses.
            return status.split(separator: ")").last?.split(separator: " ").first == "T"
        }
    }
}
