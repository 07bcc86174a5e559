import Foundation
import Glibc
import NIOCore
import Testing
import Varlink

@testable import LocationService

/// Who is in use, on a machine whose logins the test makes up.
@Suite(
    .enabled(if: PresenceMachine.controlGroups != nil, "needs root and a control group hierarchy (v2) of its own"),
    .serialized, .timeLimit(.minutes(1)))
struct PresenceLoginWatchTests {
    private typealias Machine = PresenceMachine

    private func with(
        _ machine: PresenceMachine, _ body: (PresenceMachine) async throws -> Void
    ) async throws {
        do { try await body(machine) } catch {
            try await machine.stop()
            throw error
        }
        try await machine.stop()
    }

    // MARK: Sessions

    /// Attacks: another user is at the seat ("online"); what the person left running at logout ("closing").
    @Test(arguments: [("active", true), ("online", false), ("closing", false), ("opening", false)])
    func aSessionByItsState(_ state: String, _ isInUse: Bool) async throws {
        try await with(Machine()) { machine in
            try machine.login("s1", state: state)
            let process = try machine.process(in: Machine.scope(of: "s1"))
            #expect(try await machine.isInUse(process) == isInUse)
        }
    }

    /// Attack: a cron job, which has an active session where its PAM stack has pam_systemd.
    @Test(arguments: [
        ("user", true), ("user-early", true), ("user-light", true), ("user-early-light", true), ("background", false),
        ("background-light", false), ("greeter", false), ("lock-screen", false), ("manager", false), ("", false),
    ])
    func aSessionByItsClass(_ class: String, _ isInUse: Bool) async throws {
        try await with(Machine()) { machine in
            try machine.login("s1", state: "active", class: `class`)
            let inSession = try machine.process(in: Machine.scope(of: "s1"))
            #expect(try await machine.isInUse(inSession) == isInUse)
            // logind calls a user active because of any session.
            let inManager = try machine.process(in: Machine.userManager + "/app.slice/app-org.example-1.scope")
            #expect(try await machine.isInUse(inManager) == isInUse)
        }
    }

    @Test func aSessionThatLogindDoesNotKnow() async throws {
        try await with(Machine()) { machine in
            let process = try machine.process(in: Machine.scope(of: "s1"))
            #expect(try await !machine.isInUse(process))
        }
    }

    // MARK: User managers

    /// Attacks: a user manager that lingers, for which logind keeps no session; another user who took the seat.
    @Test(arguments: [("active", "active", true), ("online", "online", false), ("closing", "closing", false)])
    func aUserManagerByTheUsersSession(_ user: String, _ session: String, _ isInUse: Bool) async throws {
        try await with(Machine()) { machine in
            try machine.login("s1", state: session, user: user)
            let process = try machine.process(in: Machine.userManager + "/app.slice/app-org.example-1.scope")
            #expect(try await machine.isInUse(process) == isInUse)
        }
    }

    @Test func aUserManagerThatLingers() async throws {
        try await with(Machine()) { machine in
            let process = try machine.process(in: Machine.userManager + "/init.scope")
            #expect(try await !machine.isInUse(process))
            try await machine.change {
                try machine.write("users/\(Machine.uid)", Machine.user(state: "lingering", sessions: []))
            }
            #expect(try await !machine.isInUse(process))
        }
    }

    /// One of two sessions that are active is left at logout, with nohup in it: the other one counts.
    @Test func aUserWithSeveralSessions() async throws {
        try await with(Machine()) { machine in
            try machine.write("sessions/s1", Machine.session(state: "closing"))
            try machine.write("sessions/s2", Machine.session(state: "active"))
            try machine.write("users/\(Machine.uid)", Machine.user(state: "active", sessions: ["s1", "s2"]))
            #expect(try await machine.isInUse(machine.process(in: Machine.userManager + "/app.slice/a.service")))
            #expect(try await machine.isInUse(machine.process(in: Machine.scope(of: "s2"))))
            #expect(try await !machine.isInUse(machine.process(in: Machine.scope(of: "s1"))))
        }
    }

    // MARK: No login

    /// Attacks: what looks like a session of a login inside of what is none, or inside of another user's.
    @Test(arguments: [
        "system.slice/presence-\(getpid()).service",
        "presence-\(getpid())",
        "presence-\(getpid()).slice/docker-1.scope/\(PresenceMachine.scope(of: "s1"))",
        "presence-\(getpid())/\(PresenceMachine.scope(of: "s1"))",
        "presence-\(getpid())/\(PresenceMachine.userManager)/app.slice/app-org.example-1.scope",
        "user.slice/user-\(PresenceMachine.uid + 1).slice/user@\(PresenceMachine.uid + 1).service/session-s1.scope",
        "user.slice/user-\(PresenceMachine.uid + 1).slice/user@\(PresenceMachine.uid + 1).service"
            + "/\(PresenceMachine.userManager)/app.slice/app-org.example-1.scope",
    ])
    func aProcessOfNoLogin(_ controlGroup: String) async throws {
        try await with(Machine()) { machine in
            try machine.login("s1", state: "active")
            let process = try machine.process(in: controlGroup)
            #expect(try await !machine.isInUse(process))
        }
    }

    /// Attack: the peer is in a pid namespace that the daemon does not see, hence without an id: sd-login takes that for
    /// whoever asks.
    @Test func aProcessWithoutAnID() async throws {
        try await with(Machine()) { machine in
            try machine.login("s1", state: "active")
            let process = try machine.process(in: Machine.scope(of: "s1"))
            let own = try String(contentsOfFile: "/proc/self/cgroup", encoding: .utf8)
                .split(separator: "\n").last { $0.hasPrefix("0::") }!.dropFirst(3)
            try machine.put(getpid(), in: Machine.scope(of: "s1"))
            defer { try? machine.put(getpid(), in: String(own)) }
            let answers = try await machine.loop.submit { [watch = machine.watch] in
                [0, -1, getpid()].map { watch.value.isInActiveSession(process.descriptor, pid: $0) }
            }.get()
            #expect(answers == [false, false, true])
        }
    }

    /// Attack: the process ends, and one of the session in front gets its id before that is looked up.
    @Test func anIDThatIsAnotherProcessNow() async throws {
        try await with(Machine()) { machine in
            try machine.login("s1", state: "active")
            let other = try machine.process(in: Machine.scope(of: "s1"))
            let ended = try PresenceProcess()
            ended.end()
            let answer = try await machine.loop.submit { [watch = machine.watch] in
                watch.value.isInActiveSession(ended.descriptor, pid: other.pid)
            }.get()
            #expect(!answer)
            #expect(try await machine.isInUse(other))
        }
    }

    // MARK: Changes

    /// What was answered is not looked up again until logind tells of a change, and then it is.
    @Test func answersAreKeptUntilAChange() async throws {
        try await with(Machine()) { machine in
            try machine.login("s1", state: "active")
            let inSession = try machine.process(in: Machine.scope(of: "s1"))
            let inManager = try machine.process(in: Machine.userManager + "/app.slice/a.service")
            let inNone = try machine.process(in: "presence-\(getpid())")
            func answers() async throws -> [Bool] {
                [
                    try await machine.isInUse(inSession), try await machine.isInUse(inManager),
                    try await machine.isInUse(inNone),
                ]
            }
            #expect(try await answers() == [true, true, false])
            // Behind the watch's back: were anything looked up again, it would be noticed.
            try machine.write(inPlace: "sessions/s1", Machine.session(state: "online"))
            try machine.put(inNone.pid, in: Machine.scope(of: "s1"))
            #expect(try await answers() == [true, true, false])
            try await machine.change { try machine.login("s1", state: "online", user: "online") }
            #expect(try await answers() == [false, false, false])
            try await machine.change { try machine.login("s1", state: "active") }
            // The last one was logged in by PAM meanwhile.
            #expect(try await answers() == [true, true, true])
            try await machine.change { unlink(machine.path("sessions/s1")) }
            #expect(try await answers() == [false, false, false])
        }
    }

    /// Attack: an id is used again for a process of another session.
    @Test func aProcessIsForgotten() async throws {
        try await with(Machine()) { machine in
            try machine.login("s1", state: "active")
            let process = try machine.process(in: Machine.scope(of: "s1"))
            #expect(try await machine.isInUse(process))
            try machine.put(process.pid, in: "presence-\(getpid())")
            #expect(try await machine.isInUse(process))
            try await machine.loop.submit { [watch = machine.watch] in watch.value.forget(pid: process.pid) }.get()
            #expect(try await !machine.isInUse(process))
        }
    }

    /// The loop's buffers shrink with what is read, and inotify(7) reads no event in part: names of any length have to
    /// go through, after many short ones.
    @Test func namesOfAnyLengthAreHeardOf() async throws {
        try await with(Machine()) { machine in
            try machine.login("s1", state: "active")
            let process = try machine.process(in: Machine.scope(of: "s1"))
            #expect(try await machine.isInUse(process))
            for _ in 0..<20 { try await machine.change { try machine.write("sessions/s2", "STATE=online\n") } }
            try await machine.change {
                try machine.write("machines/" + String(repeating: "m", count: 255), "NAME=m\n")
            }
            try await machine.change { try machine.login("s1", state: "closing") }
            #expect(try await !machine.isInUse(process))
        }
    }

    /// More changes while the loop is busy than the kernel keeps (inotify(7), max_queued_events: 16384): that some were
    /// lost is one, too.
    @Test func aFloodOfChanges() async throws {
        try await with(Machine()) { machine in
            try machine.login("s1", state: "active")
            let process = try machine.process(in: Machine.scope(of: "s1"))
            #expect(try await machine.isInUse(process))
            try machine.write("sessions/a", "")
            try await machine.loop.submit {
                let (a, b) = (machine.path("sessions/a"), machine.path("sessions/b"))
                for _ in 0..<10_000 where rename(a, b) != 0 || rename(b, a) != 0 { Issue.record("errno \(errno)") }
                try machine.login("s1", state: "closing")
            }.get()
            while try await machine.isInUse(process) { await Task.yield() }
        }
    }

    // MARK: Without logind

    @Test func withoutLogind() async throws {
        try await with(Machine(hasLogind: false, hasFolders: false)) { machine in
            let process = try machine.process(in: "system.slice/presence-\(getpid()).service")
            #expect(try await !machine.isAvailable())
            #expect(try await machine.isInUse(process))
        }
    }

    /// The folders without a logind, as images of containers have them; then logind starts after all.
    @Test func logindStartsLater() async throws {
        try await with(Machine(hasLogind: false)) { machine in
            let process = try machine.process(in: "system.slice/presence-\(getpid()).service")
            #expect(try await !machine.isAvailable())
            #expect(try await machine.isInUse(process))
            try await machine.change { try machine.write("seats/seat0", "IS_SEAT0=1\n") }
            #expect(try await machine.isAvailable())
            #expect(try await !machine.isInUse(process))
        }
    }

    // MARK: The end

    @Test func stopped() async throws {
        try await with(Machine()) { machine in
            try machine.login("s1", state: "active")
            let process = try machine.process(in: Machine.scope(of: "s1"))
            #expect(try await machine.isInUse(process))
            try await machine.loop.submit { [watch = machine.watch] in watch.value.stop() }.get()
            #expect(try await !machine.isInUse(process))
        }
    }
}
