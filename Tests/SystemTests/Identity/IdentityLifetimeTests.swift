import Foundation
import LocationProtocol
import TestSupport
import Testing

/// Attacks between the connection of a process and its end: another process takes its place.
@Suite(.timeLimit(.minutes(15))) struct IdentityLifetimeTests {
    private static let canReuse =
        Attack.isRoot && Attack.hasPeerDescriptors && access("/proc/sys/kernel/ns_last_pid", W_OK) == 0

    /// Attack: a process connects and exits, and its id is reused for an app with a grant before the daemon has
    /// looked it up. The kernel's descriptor still refers to the process that ended.
    @Test(.enabled(if: canReuse, "needs root and Linux 6.5"))
    func anIdGivenToAGrantedAppBeforeTheDaemonLooks() async throws {
        let attack = try await Attack()
        let lines = try await attack.run(Program.script("IdentityLifetime/id_of_a_granted_app"), as: attack.other)
        #expect(lines == ["True"])
        #expect(try await attack.connections() == 0)
        #expect(try await attack.outcome(of: attack.granted) == ["location"])
    }

    /// Attack: an app that has a grant connects and exits, another of its processes gets its id, and a stranger holds
    /// its connection. The first call on that connection is refused, whichever it is.
    @Test(.enabled(if: canReuse, "needs root and Linux 6.5"))
    func anIdGivenToAGrantedAppAfterItsConnectionsWereLeft() async throws {
        let attack = try await Attack()
        let lines = try await attack.run(Program.script("IdentityLifetime/id_of_a_granted_app_later"), as: attack.other)
        #expect(lines == Array(repeating: "closed", count: 8))
        #expect(try await attack.connections() == 0)
        // Nothing was done in the app's name.
        #expect(
            try await attack.run("print(ask(None, 'GetRegionState', {'identifier': 'home'}))", as: attack.granted)
                == ["state"])
    }

    /// Attack: a process connects, leaves the connection to another process, and exits before the daemon has accepted
    /// it.
    @Test func aProcessThatEndsBeforeItIsAccepted() async throws {
        let attack = try await Attack()
        let lines = try await attack.run(Program.script("IdentityLifetime/ended_before_accepted"), as: attack.other)
        #expect(lines == ["True", "True"])
        #expect(try await attack.connections() == 0)
        #expect(try await attack.outcome(of: attack.granted) == ["location"])
    }

    /// Attack: a process without a grant connects, and then becomes a program that has one.
    @Test func becomingAGrantedAppAfterConnecting() async throws {
        let attack = try await Attack()
        let lines = try await attack.run(Program.script("IdentityLifetime/becoming_a_granted_app"), as: attack.other)
        // The connection still belongs to the other program. A new one belongs to the granted program, which the
        // process now is.
        #expect(lines == ["authorization", "NotAuthorized notDetermined", "location"])
    }

    /// A granted app that becomes another program keeps its connections, as it could also have passed on its data from
    /// them. Connections made after that belong to the other program.
    @Test func becomingAnotherAppAfterConnecting() async throws {
        let attack = try await Attack()
        let lines = try await attack.run(Program.script("IdentityLifetime/becoming_another_app"), as: attack.granted)
        #expect(lines == ["location", "location", "NotAuthorized notDetermined"])
    }

    /// An attack that cannot be prevented: the kernel reports which process connected, but not which program it was
    /// running. A program that becomes a granted one between its connecting and the daemon's look-up is taken for the
    /// granted one. It could also have run the granted program under ptrace: advisory identities do not protect
    /// against this. Another user's process gains nothing, because a decision is about one user's app.
    @Test(arguments: Attack.isRoot ? [false, true] : [false])
    func becomingAGrantedAppBeforeTheDaemonLooks(asAnotherUser: Bool) async throws {
        let attack = try await Attack()
        let lines = try await attack.run(
            "AS_ANOTHER_USER = \(asAnotherUser ? "True" : "False")\n"
                + Program.script("IdentityLifetime/becoming_a_granted_app_early"), as: attack.other)
        #expect(lines == [asAnotherUser ? "NotAuthorized notDetermined" : "location", "closed"])
    }

    /// Attack: a granted app passes its connections to another process (SCM_RIGHTS), and exits. While it runs, this
    /// is its own affair: it could also pass on what it reads. Nothing arrives after its end, neither unsolicited nor
    /// in reply to a call.
    @Test func aConnectionPassedToAnotherProcess() async throws {
        let attack = try await Attack()
        let lines = try await attack.run(Program.script("IdentityLifetime/passed_connection"), as: attack.other)
        #expect(lines == ["location authorization", "0 closed"])
        #expect(try await attack.connections() == 0)
    }
}
