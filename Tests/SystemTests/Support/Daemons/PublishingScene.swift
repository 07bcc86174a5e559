import Foundation
import Synchronization
import TestSupport

/// A locationd that replays a journey of hours, and a publisher of its location.
final class PublishingScene: Sendable {
    let daemon: TestDaemon
    let app: FixtureApp
    private let running: Mutex<RunningProgram?>
    private let logs = Mutex("")

    /// The publisher that runs, or ran last.
    var publisher: RunningProgram? { running.withLock { $0 } }
    /// The logs of all publishers so far.
    var log: String { logs.withLock { $0 } + (publisher?.errors ?? "") }

    /// Waits for a text in the log, which a thread of its own writes.
    func waitForLog(_ text: String) async throws {
        try await eventually("\(text) in the log: \(log)") { log.contains(text) }
    }

    /// The path of the folder of the queue.
    var state: String { app.folder.path + "/queue" }
    private let sendsWhileDisabled: Bool
    private let environment: [String: String]
    private var configuration: String { app.folder.path + "/publish.toml" }
    private var credentials: String { app.folder.path + "/credentials" }

    /// Starts the daemon.
    ///
    /// - Parameters:
    ///   - configuration: The publisher's configuration, without `device`.
    ///   - credentials: The credentials from the service manager, by name.
    ///   - environment: The publisher's environment.
    ///   - sendsWhileDisabled: `true` if waiting reports are sent while location services are off, as ``drain(_:)``
    ///     needs it.
    init(
        _ configuration: String, credentials: [String: String] = [:], environment: [String: String] = [:],
        sendsWhileDisabled: Bool = true
    ) async throws {
        self.sendsWhileDisabled = sendsWhileDisabled
        self.environment = environment
        let folder = try TemporaryFolder()
        var track = Track()
        // Out and back for three hours, so that no test sees the end: 20 fixes a second for nine minutes.
        for _ in 0..<6 {
            track.go(900, at: 15)
            track.go(900, at: -15)
        }
        let file = try track.write(to: folder, as: "track.nmea")
        daemon = try await TestDaemon(receivers: ["replay:\(file)@20"], folder: folder)
        app = try await FixtureApp("locationd-publish", daemon)
        running = Mutex(nil)
        try configure(configuration)
        try FileManager.default.createDirectory(atPath: self.credentials, withIntermediateDirectories: false)
        for (name, value) in credentials { try app.folder.write(value, to: "credentials/locationd-publish.\(name)") }
    }

    /// Writes the publisher's configuration, without `device`.
    func configure(_ configuration: String) throws {
        let queue = sendsWhileDisabled ? "\n[queue]\nsend-while-disabled = true\n" : ""
        try app.folder.write("device = \"van\"\n" + configuration + queue, to: "publish.toml")
    }

    /// Starts the publisher.
    func start() throws {
        let program = try app.start(
            "--config", configuration, "--state-directory", state,
            environment: environment.merging(["CREDENTIALS_DIRECTORY": credentials]) { $1 })
        let before = running.withLock { running in
            defer { running = program }
            return running?.errors ?? ""
        }
        logs.withLock { $0 += before }
    }

    /// Runs the publisher's program with other options to its end.
    func run(_ arguments: String...) async throws -> Program.Result {
        try await Program.run(app.folder.path + "/locationd-publish", arguments + ["--state-directory", state])
    }

    func grant() async throws { _ = try await daemon.ctl("grant", app.app, "--always") }

    /// Ends the publisher as a power cut would.
    func killPublisher() async throws {
        publisher?.signal(SIGKILL)
        _ = try await publisher?.end()
    }

    /// Stops the publisher's process, does something, and lets the process go on.
    func whilePublisherStands(_ body: () async throws -> Void) async throws {
        publisher?.signal(SIGSTOP)
        try await body()
        publisher?.signal(SIGCONT)
    }

    /// Returns whether a file of the queue contains a text.
    func queueContains(_ text: String) throws -> Bool {
        try FileManager.default.contentsOfDirectory(atPath: state).contains { name in
            // A file of SQLite's may be gone again.
            (try? Data(contentsOf: URL(filePath: "\(state)/\(name)")))?.range(of: Data(text.utf8)) != nil
        }
    }

    /// Returns the number of reports in the queue, and the number of the last one that was ever put into it. A queue
    /// that is not there yet is empty.
    func queue() async throws -> (count: Int, last: Int) {
        let script = Program.script("Database/queue")
        var numbers: [Int] = []
        // A reader cannot open the database while the publisher is opening it.
        try await eventually("the number of reports") {
            guard FileManager.default.fileExists(atPath: state + "/queue.db") else { return true }
            numbers = try await Program.run("/usr/bin/python3", ["-c", script, state + "/queue.db"]).lines
                .compactMap { Int($0) }
            return numbers.count == 2
        }
        guard numbers.count == 2 else { return (0, 0) }
        return (numbers[0], numbers[1])
    }

    /// Switches the location services off, and waits until a consumer has everything. Returns what it has, and the
    /// number of the last report that was ever put into the queue.
    ///
    /// - Parameter messages: Returns the messages that have arrived.
    func drain(_ messages: () -> [String]) async throws -> (consumed: ConsumedReports, last: Int) {
        // A publisher that starts with the services off sends nothing.
        try await eventually("the publisher: \(log)") { publisher?.errors.contains("connected to") == true }
        _ = try await daemon.ctl("disable")
        try await eventually("the end of the locations: \(log)") { log.contains("location services are off") }
        var result: (consumed: ConsumedReports, last: Int)?
        try await eventually("the queue to be sent: \(log)", seconds: 300) {
            // Reports on their way to the disk may still get there.
            let (count, last) = try await queue()
            let consumed = try ConsumedReports(messages())
            result = (consumed, last)
            return count == 0 && consumed.numbers.last ?? 0 >= last
        }
        guard let result else { throw Overdue(what: "a result") }
        return result
    }
}

/// A consumer's result for messages of the format `json`: each report once, by its queue and number.
struct ConsumedReports {
    private(set) var numbers: [Int] = []
    private(set) var timestamps: [String] = []
    private(set) var queues: Set<String> = []
    private(set) var duplicates = 0

    init(_ messages: [String]) throws {
        for message in messages {
            let json = try JSONSerialization.jsonObject(with: Data(message.utf8)) as? [String: Any]
            guard let queue = json?["queue"] as? String, let number = json?["number"] as? Int,
                let timestamp = json?["timestamp"] as? String
            else { throw Overdue(what: "a report, not \(message)") }
            queues.insert(queue)
            guard number > numbers.last ?? 0 else {
                duplicates += 1
                continue
            }
            numbers.append(number)
            timestamps.append(timestamp)
        }
    }

    var areInOrderOfTime: Bool { zip(timestamps, timestamps.dropFirst()).allSatisfy { $0 < $1 } }
}
