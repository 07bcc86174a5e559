import Foundation

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
    var hasEnded: Bool { process.exitStatus != nil }

    func signal(_ number: Int32) { kill(process.processIdentifier, number) }

    /// Waits for its end.
    func end() async throws -> Program.Result {
        var status: Int32?
        try await eventually("the end of \(process.executableURL?.lastPathComponent ?? "")") {
            status = self.process.exitStatus
            return status != nil
        }
        return Program.Result(status: status ?? -1, output: output, errors: errors)
    }
}

extension Process {
    /// The exit status of a program that was started, or the signal that ended it; `nil` while it runs.
    ///
    /// Foundation learns of the end by a socket that the program holds, and so does each program that another thread starts
    /// at the same moment: then it learns of it when that one has ended too. So the kernel is asked first.
    var exitStatus: Int32? {
        var information = siginfo_t()
        let status = waitid(P_PID, id_t(processIdentifier), &information, WEXITED | WNOHANG | WNOWAIT)
        if status == 0, information._sifields._kill.si_pid != 0 { return information._sifields._sigchld.si_status }
        return isRunning ? nil : terminationStatus
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
