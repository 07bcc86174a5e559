import Foundation
import Glibc
import Linux
import NIOCore
import TestSupport
import Testing

@testable import Logins

/// The presence of processes on a machine whose logins the test makes up.
@Suite(
    .enabled(if: LoginMachine.controlGroups != nil, "needs root and a control group hierarchy (v2) of its own"),
    .serialized)
struct LoginWatchTests {
    typealias Machine = LoginMachine

    func with(_ machine: LoginMachine, _ body: (LoginMachine) throws -> Void) throws {
        do { try body(machine) } catch {
            try machine.stop()
            throw error
        }
        try machine.stop()
    }

    // MARK: Sessions

    /// Attacks: another user is at the seat ("online"); a process was left running at logout ("closing").
    @Test(arguments: [("active", true), ("online", false), ("closing", false), ("opening", false)])
    func aSessionByItsState(_ state: String, _ isInUse: Bool) throws {
        try with(Machine()) { machine in
            try machine.login("s1", state: state)
            let process = try machine.process(in: Machine.scope(of: "s1"))
            #expect(try machine.isInUse(process) == isInUse)
        }
    }

    /// Attack: a cron job, which has an active session if its PAM stack includes pam_systemd.
    @Test(arguments: [
        ("user", true), ("user-early", true), ("user-light", true), ("user-early-light", true), ("background", false),
        ("background-light", false), ("greeter", false), ("lock-screen", false), ("manager", false), ("", false),
    ])
    func aSessionByItsClass(_ class: String, _ isInUse: Bool) throws {
        try with(Machine()) { machine in
            try machine.login("s1", state: "active", class: `class`)
            let inSession = try machine.process(in: Machine.scope(of: "s1"))
            #expect(try machine.isInUse(inSession) == isInUse)
            // logind considers a user active because of any session, whatever its class.
            let inManager = try machine.process(in: Machine.userManager + "/app.slice/app-org.example-1.scope")
            #expect(try machine.isInUse(inManager) == isInUse)
        }
    }

    @Test func aSessionThatLogindDoesNotKnow() throws {
        try with(Machine()) { machine in
            let process = try machine.process(in: Machine.scope(of: "s1"))
            #expect(try !machine.isInUse(process))
        }
    }

    // MARK: User managers

    /// Attacks: a user manager that lingers, for which logind has no session; another user who took the seat.
    @Test(arguments: [("active", "active", true), ("online", "online", false), ("closing", "closing", false)])
    func aUserManagerByTheUsersSession(_ user: String, _ session: String, _ isInUse: Bool) throws {
        try with(Machine()) { machine in
            try machine.login("s1", state: session, user: user)
            let process = try machine.process(in: Machine.userManager + "/app.slice/app-org.example-1.scope")
            #expect(try machine.isInUse(process) == isInUse)
        }
    }

    @Test func aUserManagerThatLingers() throws {
        try with(Machine()) { machine in
            let process = try machine.process(in: Machine.userManager + "/init.scope")
            #expect(try !machine.isInUse(process))
            try machine.change {
                try machine.write("users/\(Machine.uid)", Machine.user(state: "lingering", sessions: []))
            }
            #expect(try !machine.isInUse(process))
        }
    }

    /// Of two active sessions, one is left behind at logout with a nohup process in it. The other one counts.
    @Test func aUserWithSeveralSessions() throws {
        try with(Machine()) { machine in
            try machine.write("sessions/s1", Machine.session(state: "closing"))
            try machine.write("sessions/s2", Machine.session(state: "active"))
            try machine.write("users/\(Machine.uid)", Machine.user(state: "active", sessions: ["s1", "s2"]))
            #expect(try machine.isInUse(machine.process(in: Machine.userManager + "/app.slice/a.service")))
            #expect(try machine.isInUse(machine.process(in: Machine.scope(of: "s2"))))
            #expect(try !machine.isInUse(machine.process(in: Machine.scope(of: "s1"))))
        }
    }

    // MARK: Processes without a login

    /// Attacks: a control group looks like a login session, but lies within something that is not one or within
    /// another user's.
    @Test(arguments: [
        "system.slice/presence-\(getpid()).service",
        "presence-\(getpid())",
        "presence-\(getpid()).slice/docker-1.scope/\(LoginMachine.scope(of: "s1"))",
        "presence-\(getpid())/\(LoginMachine.scope(of: "s1"))",
        "presence-\(getpid())/\(LoginMachine.userManager)/app.slice/app-org.example-1.scope",
        "user.slice/user-\(LoginMachine.uid + 1).slice/user@\(LoginMachine.uid + 1).service/session-s1.scope",
        "user.slice/user-\(LoginMachine.uid + 1).slice/user@\(LoginMachine.uid + 1).service"
            + "/\(LoginMachine.userManager)/app.slice/app-org.example-1.scope",
    ])
    func aProcessOfNoLogin(_ controlGroup: String) throws {
        try with(Machine()) { machine in
            try machine.login("s1", state: "active")
            let process = try machine.process(in: controlGroup)
            #expect(try !machine.isInUse(process))
        }
    }

    /// Attack: the peer is in a pid namespace that the daemon does not see, so it has no process id here. sd-login
    /// takes the id 0 for the calling process, which is another one than that of the tests: while that was in the
    /// session, what other tests start would be too.
    @Test func aProcessWithoutAnID() throws {
        try with(Machine()) { machine in
            try machine.login("s1", state: "active")
            let input = try ProgramPipe()
            let program = try RunningProgram(Program.path("own-login"), [], input: input.readEnd.fileDescriptor)
            try machine.put(program.processIdentifier, in: Machine.scope(of: "s1"))
            try input.write("\n")
            #expect(program.waitUntilEnd() == 0)
            #expect(program.lines == ["none", "none", "session s1"])
        }
    }

    /// Attack: the process ends, and a process of the active session gets its id before the daemon looks it up.
    @Test func anIDThatIsAnotherProcessNow() throws {
        try with(Machine()) { machine in
            try machine.login("s1", state: "active")
            let other = try machine.process(in: Machine.scope(of: "s1"))
            let ended = try LoginProcess()
            ended.end()
            #expect(try !machine.ask { $0.isInActiveSession(ended.descriptor, pid: other.pid) })
            #expect(try machine.isInUse(other))
        }
    }

    // MARK: Changes

    /// Answers are kept until logind reports a change. After that they are looked up again.
    @Test func answersAreKeptUntilAChange() throws {
        try with(Machine()) { machine in
            try machine.login("s1", state: "active")
            let inSession = try machine.process(in: Machine.scope(of: "s1"))
            let inManager = try machine.process(in: Machine.userManager + "/app.slice/a.service")
            let inNone = try machine.process(in: "presence-\(getpid())")
            func answers() throws -> [Bool] {
                [
                    try machine.isInUse(inSession), try machine.isInUse(inManager),
                    try machine.isInUse(inNone),
                ]
            }
            #expect(try answers() == [true, true, false])
            // Changed without the watch noticing: a look-up would return another answer.
            try machine.write(inPlace: "sessions/s1", Machine.session(state: "online"))
            try machine.put(inNone.pid, in: Machine.scope(of: "s1"))
            #expect(try answers() == [true, true, false])
            try machine.change { try machine.login("s1", state: "online", user: "online") }
            #expect(try answers() == [false, false, false])
            try machine.change { try machine.login("s1", state: "active") }
            // The last process has entered the session meanwhile, as with a login by PAM.
            #expect(try answers() == [true, true, true])
            try machine.change { unlink(machine.path("sessions/s1")) }
            #expect(try answers() == [false, false, false])
        }
    }

    /// Attack: a process id is reused for a process of another session.
    @Test func aProcessIsForgotten() throws {
        try with(Machine()) { machine in
            try machine.login("s1", state: "active")
            let process = try machine.process(in: Machine.scope(of: "s1"))
            #expect(try machine.isInUse(process))
            try machine.put(process.pid, in: "presence-\(getpid())")
            #expect(try machine.isInUse(process))
            try machine.ask { $0.forget(pid: process.pid) }
            #expect(try !machine.isInUse(process))
        }
    }

    /// inotify(7) never returns a part of an event, so the buffer must have room for names of any length, even after
    /// many short ones that nobody has asked about.
    @Test func namesOfAnyLengthAreHeardOf() throws {
        try with(Machine()) { machine in
            try machine.login("s1", state: "active")
            let process = try machine.process(in: Machine.scope(of: "s1"))
            #expect(try machine.isInUse(process))
            for _ in 0..<20 { try machine.change { try machine.write("sessions/s2", "STATE=online\n") } }
            try machine.change {
                try machine.write("machines/" + String(repeating: "m", count: 255), "NAME=m\n")
            }
            try machine.change { try machine.login("s1", state: "closing") }
            #expect(try !machine.isInUse(process))
        }
    }

    /// While the loop is busy, there are more changes than the kernel keeps (inotify(7), max_queued_events: 16384).
    /// The event that reports the loss counts as a change, too.
    @Test func aFloodOfChanges() throws {
        try with(Machine()) { machine in
            try machine.login("s1", state: "active")
            let process = try machine.process(in: Machine.scope(of: "s1"))
            #expect(try machine.isInUse(process))
            try machine.write("sessions/a", "")
            try machine.ask { _ in
                let (a, b) = (machine.path("sessions/a"), machine.path("sessions/b"))
                for _ in 0..<10_000 where rename(a, b) != 0 || rename(b, a) != 0 { Issue.record("errno \(errno)") }
                try machine.login("s1", state: "closing")
            }
            let deadline = NIODeadline.now() + .minutes(10)
            while NIODeadline.now() < deadline, try machine.isInUse(process) { sched_yield() }
            #expect(try !machine.isInUse(process))
        }
    }

    // MARK: Without logind

    @Test func withoutLogind() throws {
        try with(Machine(hasLogind: false, hasFolders: false)) { machine in
            let process = try machine.process(in: "system.slice/presence-\(getpid()).service")
            #expect(try !machine.ask { $0.isAvailable })
            #expect(try machine.isInUse(process))
        }
    }

    /// The folders exist without logind, as in images of containers. Then logind starts after all.
    @Test func logindStartsLater() throws {
        try with(Machine(hasLogind: false)) { machine in
            let process = try machine.process(in: "system.slice/presence-\(getpid()).service")
            #expect(try !machine.ask { $0.isAvailable })
            #expect(try machine.isInUse(process))
            try machine.change { try machine.write("seats/seat0", "IS_SEAT0=1\n") }
            #expect(try machine.ask { $0.isAvailable })
            #expect(try !machine.isInUse(process))
        }
    }

    // MARK: Stopping

    @Test func stopped() throws {
        try with(Machine()) { machine in
            try machine.login("s1", state: "active")
            let process = try machine.process(in: Machine.scope(of: "s1"))
            #expect(try machine.isInUse(process))
            try machine.ask { $0.stop() }
            #expect(try !machine.isInUse(process))
        }
    }
}
