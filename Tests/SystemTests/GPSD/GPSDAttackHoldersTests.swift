import Foundation
import LocationModel
import LocationProtocol
import TestSupport
import Testing

/// Attacks with a TCP connection that several processes hold when the daemon looks.
@Suite(.timeLimit(.minutes(15))) struct GPSDAttackHoldersTests {
    /// Attack: two programs hold the same connection when the daemon looks. It cannot tell which of them asks.
    @Test func aConnectionOfTwoPrograms() async throws {
        let gpsd = try await GPSDAttack()
        let lines = try await gpsd.run(Program.script("GPSDAttackHolders/two_programs"), as: gpsd.attack.other)
        #expect(lines == ["True"])
        try await gpsd.attack.daemon.waitForLog("processes of several apps hold its socket")
        try await gpsd.waitForFixes()
    }

    /// Several processes of one program are one app, as with a program that forks to serve its connection.
    @Test func aConnectionOfTwoProcessesOfOneProgram() async throws {
        let gpsd = try await GPSDAttack()
        let lines = try await gpsd.run(
            Program.script("GPSDAttackHolders/two_processes_of_one_program"), as: gpsd.attack.granted)
        #expect(lines == ["fix"])
    }

    /// Attack: a granted app connects and exits at once; another process holds its connections.
    @Test func aProcessThatEndsBeforeItIsAccepted() async throws {
        let gpsd = try await GPSDAttack()
        let lines = try await gpsd.run(Program.script("GPSDAttackHolders/ended_before_accepted"), as: gpsd.attack.other)
        // The process that holds a connection when the daemon looks is the app: here the other program, which has no
        // grant.
        #expect(lines == [String](repeating: "no fix", count: 20))
        #expect(try await gpsd.run("print(outcome())", as: gpsd.attack.granted) == ["fix"])
    }

    /// Attack: a process of another user has made the socket, and holds it too. A user's processes cannot speak for
    /// another user, whatever the programs are.
    @Test(.enabled(if: Attack.isRoot, "another user's process needs root"))
    func aConnectionThatAnotherUserHasMade() async throws {
        let gpsd = try await GPSDAttack()
        for closes in ["True", "False"] {
            let lines = try await gpsd.run(
                "CLOSES = \(closes)\n" + Program.script("GPSDAttackHolders/made_by_another_user"),
                as: gpsd.attack.granted)
            #expect(lines.count == 2)
            #expect(lines.first.map(["closed", "refused", "no fix"].contains) == true, "\(lines)")
            #expect(lines.last == "fix", "its own connection")
        }
    }

    /// Attack: a user starts one of root's set-user-ID programs under a name that is no text and leaves it the
    /// connection, which a granted program then appears to hold alone.
    @Test(.enabled(if: Attack.isRoot, "another user's process needs root"))
    func aHolderWithANameThatIsNoText() async throws {
        let gpsd = try await GPSDAttack()
        _ = try await gpsd.attack.daemon.call(
            Grant.self, .init(app: "exe:\(gpsd.attack.granted)", uid: 65534, level: .always))
        let lines = try await gpsd.run(Program.script("GPSDAttackHolders/unreadable_name"), as: gpsd.attack.other)
        #expect(lines.count == 2)
        #expect(lines.first.map(["closed", "refused"].contains) == true, "\(lines)")
        #expect(lines.last == "fix", "its own connection")
        try await gpsd.attack.daemon.waitForLog("also has the rights of another user")
    }
}
