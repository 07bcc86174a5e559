package import Foundation

/// A program that is run to its end, and the programs that were built together with the tests.
package enum Program {
    /// The folder of the test runner, where the build puts the programs too.
    package static let folder = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()

    package static func path(_ name: String) -> String { folder.appending(path: name).path(percentEncoded: false) }

    /// Returns a Python script of the folder `Scripts`, to be run by `python3 -c`: it runs also for users who may not
    /// read this package's folder.
    package static func script(_ name: String) -> String {
        let file = URL(filePath: #filePath).appending(path: "../../Scripts/\(name).py").standardized
        guard let text = try? String(contentsOf: file, encoding: .utf8) else { fatalError("\(file) cannot be read") }
        return text
    }

    /// The result of a program that has ended.
    package struct Result: Sendable {
        /// The exit status, or the number of the signal that ended the program.
        package let status: CInt
        package let output: String
        package let errors: String
        package var lines: [String] { Program.lines(of: output) }
    }

    /// Returns the lines of an output, without line ends and empty lines.
    ///
    /// Bytes are compared, because outputs are long, and looked at often while a test waits for a line.
    static func lines(of output: String) -> [String] {
        output.utf8.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }.map { String(Substring($0)) }
    }

    /// Runs a program to its end.
    package static func run(
        _ executable: String, _ arguments: [String], environment: [String: String] = [:]
    ) async throws -> Result {
        try await RunningProgram(executable, arguments, environment: environment).end()
    }

    /// Copies a program that is to be run.
    ///
    /// Another process makes the copy. A process that is started in the meantime holds copies of this process's
    /// descriptors until its execve(2), and a file that is open for writing cannot be executed (ETXTBSY).
    package static func copy(_ program: String, to path: String) async throws {
        let result = try await run("/bin/cp", ["--", program, path])
        guard result.status == 0 else { throw Overdue(what: "a copy of \(program): \(result.errors)") }
    }
}
