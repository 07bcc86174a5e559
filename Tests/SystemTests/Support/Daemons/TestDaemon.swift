import Foundation
import LocationModel
import LocationProtocol
import NIOCore
import NIOPosix
import Synchronization
import TestSupport
import Testing
import Varlink

/// A real locationd with folders of its own.
final class TestDaemon: Sendable {
    static let loop: any EventLoop = MultiThreadedEventLoopGroup(numberOfThreads: 1).next()

    let folder: TemporaryFolder
    private let command: [String]
    private let running: Mutex<RunningProgram>
    var program: RunningProgram { running.withLock { $0 } }

    var runtime: String { folder.path + "/run" }
    /// The path of the management socket.
    var managementSocket: String { ManageInterface.socketPath(in: runtime) }
    var state: String { folder.path + "/state" }
    var configuration: String { folder.path + "/locationd.toml" }
    var log: String { program.errors }

    /// Waits for a text in the log. A thread of its own writes it, so it may come after the event that it tells of.
    func waitForLog(_ text: String) async throws {
        try await eventually("\(text) in the log: \(log)") { log.contains(text) }
    }

    /// Starts the daemon, and waits until it answers.
    ///
    /// - Parameters:
    ///   - discover: The value of `discover` in the configuration, or `nil` to leave it out. It is off by default,
    ///     because a receiver may be plugged into the machine that runs the tests.
    ///   - launcher: A command that becomes the daemon by running the command that is appended to it.
    init(
        receivers: [String], configuration: String = "", discover: Bool? = false, folder: TemporaryFolder? = nil,
        launcher: [String] = []
    ) async throws {
        let folder = try folder ?? TemporaryFolder()
        self.folder = folder
        let file = folder.path + "/locationd.toml"
        let discovery = discover.map { "discover = \($0)\n" } ?? ""
        try (discovery + configuration).write(toFile: file, atomically: true, encoding: .utf8)
        command =
            launcher + [
                Program.path("locationd"), "--runtime-directory", folder.path + "/run", "--state-directory",
                folder.path + "/state", "--config", file,
            ]
            + receivers.flatMap { ["--receiver", $0] }
        running = Mutex(try RunningProgram(command[0], Array(command.dropFirst())))
        try await waitUntilReady()
    }

    func start() async throws {
        let program = try RunningProgram(command[0], Array(command.dropFirst()))
        running.withLock { $0 = program }
        try await waitUntilReady()
    }

    /// Ends the daemon as a power cut would.
    func kill() async throws {
        program.signal(SIGKILL)
        _ = try await program.end()
    }

    private func waitUntilReady() async throws {
        try await eventually("locationd") {
            if program.hasEnded { throw Overdue(what: "locationd, which ended: \(log)") }
            return (try? await self.call(GetStatistics.self, Nothing())) != nil
        }
    }

    // MARK: Clients

    /// Gives the management socket to a group, whose members then manage.
    func letManage(group: gid_t) { chown(managementSocket, .max, group) }

    /// Waits until the first receiver's port is open. Bytes written before that are lost.
    func waitUntilOpen() async throws {
        try await eventually("the port to be open") {
            let state = try await call(ListReceivers.self, .init()).receivers[0].state
            return state == .searching || state == .running
        }
    }

    /// Waits until the daemon has this many subscriptions open. ``subscribe(_:)`` returns as soon as the call is on its
    /// way, and a subscription that is opened later misses earlier sentences.
    func waitUntilSubscribed(_ count: Int) async throws {
        try await eventually("\(count) subscriptions") {
            try await call(GetStatistics.self, Nothing()).statistics.sessions == count
        }
    }

    /// Writes an epoch to the first receiver's port, and returns the location of the update that `updates` delivers for
    /// it: `nil` if it is an update without a location.
    ///
    /// A receiver is lost after five seconds of silence, however that comes about: the thread that sends the wire's
    /// texts may not run for that long. What was written meanwhile may be lost too, and is written again once the port
    /// is open. The daemon delivers no epoch twice.
    func location(
        ofEpoch second: Int, on wire: Wire, in updates: inout VarlinkStream<Subscribe.Reply>.Iterator
    ) async throws -> Location? {
        wire.write(Sentences.epoch(second))
        while let update = try await updates.next()?.update {
            switch update.event {
            case .receiverLost:
                try await waitUntilOpen()
                wire.write(Sentences.epoch(second))
            case .receiverFound: continue
            default: return update.location
            }
        }
        return nil
    }

    /// Stops the daemon with SIGSTOP, and waits until each of its threads has stopped. One thread receives the signal
    /// and stops the others: until that thread has run, the others go on.
    func halt() async throws {
        program.signal(SIGSTOP)
        let tasks = "/proc/\(program.processIdentifier)/task"
        try await eventually("each thread to stop") {
            try FileManager.default.contentsOfDirectory(atPath: tasks).allSatisfy { task in
                let status = try? String(contentsOfFile: "\(tasks)/\(task)/stat", encoding: .utf8)
                return status?.split(separator: ")").last?.hasPrefix(" T ") == true
            }
        }
    }

    /// Expects that the daemon has no thread of Dispatch's: from the first one on, a timer of its own wakes the process
    /// each second, to the end.
    func expectNoThreadOfDispatchs(sourceLocation: SourceLocation = #_sourceLocation) throws {
        let tasks = "/proc/\(program.processIdentifier)/task"
        let names = try FileManager.default.contentsOfDirectory(atPath: tasks).compactMap { task in
            try? String(contentsOfFile: "\(tasks)/\(task)/comm", encoding: .utf8)
        }
        #expect(!names.contains { $0.contains("overcommit") }, "\(names)", sourceLocation: sourceLocation)
    }

    func connect<I: DaemonInterface>(to interface: I.Type) async throws -> VarlinkClient {
        try await VarlinkClient.connect(path: I.socketPath(in: runtime), on: Self.loop)
    }

    func call<M: DaemonMethod>(_ method: M.Type, _ parameters: M.Parameters) async throws -> M.Reply {
        try await connect(to: M.Interface.self).call(M.qualifiedName, parameters)
    }

    /// Returns a whole list, in however many replies it arrives.
    func list<M: DaemonMethod>(_ method: M.Type, _ parameters: M.Parameters) async throws -> M.Reply
    where M.Reply: Page {
        let pages: VarlinkStream<M.Reply> = try await connect(to: M.Interface.self).stream(M.qualifiedName, parameters)
        var list: M.Reply?
        for try await page in pages {
            list?.append(page)
            list = list ?? page
            if let list, list.continued != true { return list }
        }
        throw Overdue(what: "the end of the list of \(M.name)")
    }

    func subscribe(_ options: Options = Options()) async throws -> VarlinkStream<Subscribe.Reply> {
        try await connect(to: LocationInterface.self).stream(
            Subscribe.qualifiedName, Subscribe.Parameters(options: options))
    }

    /// Runs locationctl with this daemon.
    func ctl(_ arguments: String...) async throws -> Program.Result {
        try await Program.run(
            Program.path("locationctl"), arguments, environment: ["LOCATIOND_RUNTIME_DIRECTORY": runtime])
    }

    /// Starts locationctl with this daemon.
    func startCtl(_ arguments: String...) throws -> RunningProgram {
        try RunningProgram(
            Program.path("locationctl"), arguments, environment: ["LOCATIOND_RUNTIME_DIRECTORY": runtime])
    }

    /// Returns the daemon's name for this process.
    func ownApp() async throws -> String {
        let client = try await connect(to: LocationInterface.self)
        _ = try await client.call(GetAuthorization.qualifiedName, Nothing(), returning: GetAuthorization.Reply.self)
        let apps = try await list(ListApps.self, UserScope(uid: Int(getuid()))).apps
        let executable = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let connected = apps.filter { $0.connections > 0 }
        // Other apps may be connected too. This process has another name if a unit of the user runs it.
        guard let own = connected.first(where: { $0.app == "exe:\(executable)" }) ?? connected.first else {
            throw Overdue(what: "this app")
        }
        return own.app
    }

    /// Grants this process access to the location.
    func grantSelf(_ accuracy: AccuracyAuthorization? = nil) async throws {
        _ = try await call(Grant.self, .init(app: try await ownApp(), level: .whenInUse, accuracy: accuracy))
    }

    /// The name of locationctl, which is the same to all daemons. Asking each of them takes the start of a program.
    private static let knownCtlApp = Mutex<String?>(nil)

    /// Grants locationctl access to the location.
    func grantCtl(_ level: RequestedLevel = .whenInUse) async throws {
        let known = Self.knownCtlApp.withLock { $0 }
        let app = if let known { known } else { try await ctlApp() }
        Self.knownCtlApp.withLock { $0 = app }
        _ = try await call(Grant.self, .init(app: app, level: level))
    }

    /// Returns the daemon's name for locationctl.
    func ctlApp() async throws -> String {
        let status = try await ctl("status", "--json")
        let json = try JSONSerialization.jsonObject(with: Data(status.output.utf8)) as? [String: Any]
        guard let app = json?["app"] as? String else { throw Overdue(what: "locationctl's name: \(status.errors)") }
        return app
    }
}

extension AsyncSequence {
    /// Returns the first `count` elements, or fewer if the sequence ends before.
    func first(_ count: Int) async throws -> [Element] {
        var elements: [Element] = []
        guard count > 0 else { return elements }
        for try await element in self {
            elements.append(element)
            if elements.count == count { break }
        }
        return elements
    }
}
