import Foundation
import Testing

@testable import LocationctlSupport

/// Programs that locationctl runs.
@Suite struct ChildProcessTests {
    /// Attack: a program that root runs as another user, and that a neighbour in the network has taken over, types
    /// commands into root's terminal.
    @Test(.enabled(if: geteuid() == 0, "only root runs programs as another user"))
    func aProgramOfAnotherUserHasNoTerminal() throws {
        let result = try #require(
            ChildProcess.run("/bin/sh", ["-c", "id -un; cut -d ' ' -f 6,7 /proc/self/stat"], as: "nobody"))
        let lines = result.output.split(separator: "\n")
        try #require(result.status == 0 && lines.count == 2, "\(result)")
        #expect(lines[0] == "nobody")
        // The session and the number of its terminal: proc(5).
        let fields = lines[1].split(separator: " ").compactMap { pid_t($0) }
        #expect(fields.count == 2 && fields[0] != getsid(0) && fields[1] == 0, "\(lines[1])")
    }

    @Test func aProgramOfTheUsersOwn() throws {
        let result = try #require(ChildProcess.run("sh", ["-c", "echo out; echo err >&2; exit 3"]))
        #expect(result.status == 3 && result.output == "out\n" && result.errors == "err\n")
    }

    @Test func aStartedProgramHasItsDescriptors() throws {
        var ends: [CInt] = [-1, -1]
        try #require(pipe(&ends) == 0)
        let command = ["sh", "-c", "read line || echo text >&9; exit 4"]
        let process = ChildProcess.start(command, inheritsInput: false, [9: ends[1]])
        close(ends[1])
        defer { close(ends[0]) }
        var bytes = [UInt8](repeating: 0, count: 16)
        let count = try #require(process == nil ? nil : read(ends[0], &bytes, bytes.count))
        #expect(String(decoding: bytes.prefix(count), as: UTF8.self) == "text\n")
        var status: CInt = 0
        #expect(waitpid(try #require(process), &status, 0) == process && status >> 8 == 4)
    }

    @Test func aProgramThatDoesNotExistIsNotStarted() {
        #expect(ChildProcess.start(["/nonexistent/program"], inheritsInput: false, [:]) == nil)
    }
}
