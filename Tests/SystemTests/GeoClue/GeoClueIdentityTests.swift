import Foundation
import LocationProtocol
import TestSupport
import Testing

/// Attacks on the daemon's identification of its callers on the bus.
@Suite(
    .timeLimit(.minutes(15)),
    .enabled(if: PrivateBus.isInstalled, "needs dbus-daemon"))
struct GeoClueIdentityTests {
    /// Attack: an app gives itself the id of an app with a grant.
    @Test func anIdIsALabel() async throws {
        let geoclue = try await GeoClueAttack()
        #expect(try await geoclue.run("print(outcome('granted'))", as: geoclue.attack.granted) == ["fix"])
        for id in ["granted", "firefox", "org.gnome.Shell", "exe:\(geoclue.attack.granted)", "gnome-datetime-panel"] {
            #expect(try await geoclue.run("print(outcome('\(id)'))", as: geoclue.attack.other) == ["nothing"])
        }
        let deny = try await geoclue.attack.daemon.ctl("deny", "exe:\(geoclue.attack.other)")
        #expect(deny.status == 0, "\(deny.errors)")
        #expect(try await geoclue.run("print(outcome('granted'))", as: geoclue.attack.other) == ["AccessDenied"])
    }

    /// Attack: another user runs the very program that has a grant.
    @Test(.enabled(if: Attack.isRoot, "another user's process needs root"))
    func anotherUserWithTheSameProgram() async throws {
        let geoclue = try await GeoClueAttack()
        #expect(
            try await geoclue.run("print(outcome())", as: geoclue.attack.granted, through: Attack.asNobody)
                == ["nothing"])
    }

    /// Attack: a process without a grant starts a client, and then becomes a program that has a grant.
    @Test func becomingAGrantedAppAfterCalling() async throws {
        let geoclue = try await GeoClueAttack()
        let lines = try await geoclue.run(
            Program.script("GeoClueIdentity/becoming_a_granted_app"), as: geoclue.attack.other)
        #expect(lines == ["nothing", "nothing", "fix"])
    }

    /// Attack: a granted app leaves its connection to the bus to another process, and exits.
    @Test func aConnectionThatIsLeftToAnotherProcess() async throws {
        let geoclue = try await GeoClueAttack()
        let lines = try await geoclue.run(Program.script("GeoClueIdentity/left_connection"), as: geoclue.attack.other)
        #expect(lines == ["nothing"])
    }

    /// Attack: processes that connect, call and are gone before the daemon has looked.
    @Test func processesThatEndAtOnce() async throws {
        let geoclue = try await GeoClueAttack()
        let lines = try await geoclue.run(
            Program.script("GeoClueIdentity/processes_that_end_at_once"), as: geoclue.attack.other)
        #expect(lines == ["done"])
        try await eventually("no connection to be left") { try await geoclue.attack.connections() <= 1 }
        #expect(try await geoclue.run("print(outcome())", as: geoclue.attack.granted) == ["fix"])
    }
}
