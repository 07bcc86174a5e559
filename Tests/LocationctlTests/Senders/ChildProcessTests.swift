import Foundation
import Testing

@testable import LocationctlCommands

/// Programs that locationctl runs for their output.
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
}
