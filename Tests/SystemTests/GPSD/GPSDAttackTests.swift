import Foundation
import LocationModel
import LocationProtocol
import TestSupport
import Testing

/// Attacks on the daemon's identification of the process at the other end of a TCP connection.
@Suite(.timeLimit(.minutes(15))) struct GPSDAttackTests {
    @Test func eachProgramHasAGrantOfItsOwn() async throws {
        let gpsd = try await GPSDAttack()
        #expect(try await gpsd.run("print(outcome())", as: gpsd.attack.granted) == ["fix"])
        #expect(try await gpsd.run("print(outcome())", as: gpsd.attack.other) == ["no fix"])
    }

    /// Attack: another user runs the very program that has a grant.
    @Test(.enabled(if: Attack.isRoot, "another user's process needs root"))
    func anotherUserWithTheSameProgram() async throws {
        let gpsd = try await GPSDAttack()
        #expect(try await gpsd.run("print(outcome())", as: gpsd.attack.granted, through: Attack.asNobody) == ["no fix"])
        // It is the same app of another user, who may have it too.
        _ = try await gpsd.attack.daemon.call(
            Grant.self, .init(app: "exe:\(gpsd.attack.granted)", uid: 65534, level: .always))
        #expect(try await gpsd.run("print(outcome())", as: gpsd.attack.granted, through: Attack.asNobody) == ["fix"])
    }

    /// Attack: a granted app leaves its connection to another process (SCM_RIGHTS) and exits. While it runs, this is
    /// its own affair: it could also pass on what it reads.
    @Test func aConnectionPassedToAnotherProcess() async throws {
        let gpsd = try await GPSDAttack()
        let lines = try await gpsd.run(Program.script("GPSDAttack/passed_connection"), as: gpsd.attack.other)
        #expect(lines == ["closed"])
    }

    /// Attack: a granted app forks and exits, and its child continues to read for another program.
    @Test func aForkedChildThatOutlivesItsParent() async throws {
        let gpsd = try await GPSDAttack()
        let lines = try await gpsd.run(
            Program.script("GPSDAttack/child_that_outlives_its_parent"), as: gpsd.attack.other)
        #expect(lines == ["closed"])
    }

    /// Attack: a process without a grant connects, and then becomes a program that has one.
    @Test func becomingAGrantedAppAfterConnecting() async throws {
        let gpsd = try await GPSDAttack()
        let lines = try await gpsd.run(Program.script("GPSDAttack/becoming_a_granted_app"), as: gpsd.attack.other)
        #expect(lines.first == "no fix")
        #expect(["no fix", "refused", "closed"].contains(lines.dropFirst().first), "\(lines)")
        #expect(lines.last == "fix", "a new connection belongs to the program that the process now is: \(lines)")
    }

    /// Attack: a program without a grant has a granted one forward its connection, or forwards for it. The forwarder is
    /// the app: a granted one can also write what it reads into a file.
    @Test func aForwarderIsTheApp() async throws {
        let gpsd = try await GPSDAttack()
        let forwarder = Program.script("GPSDAttack/forwarder")
        for (program, client, expected) in [
            (gpsd.attack.other, gpsd.attack.granted, "no fix"), (gpsd.attack.granted, gpsd.attack.other, "fix"),
        ] {
            let running = try gpsd.start(forwarder, as: program)
            try await eventually("the forwarder: \(running.errors)") { !running.lines.isEmpty }
            let port = try #require(running.lines.first)
            #expect(
                try await gpsd.run("print(outcome(connect_tcp(port=\(port))))", as: client) == [expected],
                "\(running.errors)")
        }
    }

    /// Attack: an app connects, sends its request and is gone, again and again, and nothing of it may stay.
    @Test func processesThatEndAtOnce() async throws {
        let gpsd = try await GPSDAttack()
        let lines = try await gpsd.run(Program.script("GPSDAttack/processes_that_end_at_once"), as: gpsd.attack.other)
        #expect(lines == ["done"])
        // The client with a grant is the one that stays.
        try await eventually("no connection to be left") { try await gpsd.attack.connections() <= 1 }
        try await gpsd.waitForFixes()
    }
}
