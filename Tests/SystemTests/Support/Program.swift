import Foundation
import Synchronization

/// One of the programs that were built together with the tests.
enum Program {
    /// The folder that the test runner is in, where the build puts the programs too.
    static let folder = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()

    static func path(_ name: String) -> String { folder.appending(path: name).path(percentEncoded: false) }

    /// How a program ended.
    struct Result {
        let status: Int32
        let output: String
        let errors: String
        var lines: [String] { output.split(whereSeparator: \.isNewline).map(String.init) }
    }

    /// Runs a program to its end.
    static func run(_ executable: String, _ arguments: [String], environment: [String: String] = [:]) async throws
        -> Result
    {
        let running = try RunningProgram(executable, arguments, environment: environment)
        return try await running.end()
    }

    /// Copies a program that is to be run. Another program does that: a test that starts a process meanwhile would pass the
    /// descriptor that is written to on to it, and nothing that is open for writing can be run (ETXTBSY).
    static func copy(_ program: String, to path: String) async throws {
        let result = try await run("/bin/cp", ["--", program, path])
        guard result.status == 0 else { throw Overdue(what: "a copy of \(program): \(result.errors)") }
    }
}

/// A program that runs, with its output in files.
final class RunningProgram: @unchecked Sendable {
    let process = Process()
    private let folder: TemporaryFolder
    private let outputPath: String
    private let errorPath: String
    private let ended = Mutex(false)

    init(_ executable: String, _ arguments: [String], environment: [String: String] = [:]) throws {
        folder = try TemporaryFolder()
        outputPath = folder.path + "/out"
        errorPath = folder.path + "/err"
        _ = FileManager.default.createFile(atPath: outputPath, contents: nil)
        _ = FileManager.default.createFile(atPath: errorPath, contents: nil)
        process.executableURL = URL(filePath: executable)
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle(forWritingAtPath: outputPath)
        process.standardError = FileHandle(forWritingAtPath: errorPath)
        process.terminationHandler = { [weak self] _ in self?.ended.withLock { $0 = true } }
        // A child inherits the signals that this thread blocks, and would not hear SIGTERM.
        var blocked = sigset_t()
        var none = sigset_t()
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, &blocked)
        defer { pthread_sigmask(SIG_SETMASK, &blocked, nil) }
        try process.run()
    }

    deinit {
        if process.isRunning { process.terminate() }
    }

    /// What it wrote so far.
    var output: String { (try? String(contentsOfFile: outputPath, encoding: .utf8)) ?? "" }
    var errors: String { (try? String(contentsOfFile: errorPath, encoding: .utf8)) ?? "" }
    var lines: [String] { output.split(whereSeparator: \.isNewline).map(String.init) }
    var hasEnded: Bool { ended.withLock { $0 } }

    func signal(_ number: Int32) { kill(process.processIdentifier, number) }

    /// Waits for its end.
    func end() async throws -> Program.Result {
        try await eventually("the end of \(process.executableURL?.lastPathComponent ?? "")") { self.hasEnded }
        return Program.Result(status: process.terminationStatus, output: output, errors: errors)
    }
}

/// A folder with a short path that goes away with its owner.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        var template = Array("/tmp/locationd-XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else { throw POSIXError(.EIO) }
        path = String(cString: made)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}

/// Waits until something is so. There is no event to wait for in a file or another process, so it is asked again.
func eventually(_ what: String, seconds: Double = 60, _ condition: () async throws -> Bool) async throws {
    let deadline = ContinuousClock.now + .seconds(seconds)
    while try await !condition() {
        guard ContinuousClock.now < deadline else { throw Overdue(what: what) }
        try await Task.sleep(for: .milliseconds(5))
    }
}

struct Overdue: Error, CustomStringConvertible {
    let what: String
    var description: String { "waited in vain for \(what)" }
}
