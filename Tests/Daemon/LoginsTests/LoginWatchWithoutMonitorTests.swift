import CLinux
import Glibc
import Linux
import Logging
import NIOConcurrencyHelpers
import NIOCore
import NIOEmbedded
import PeerIdentity
import TestSupport
import Testing

@testable import Logins

/// The presence of processes while logind cannot be watched: the user that the daemon runs as has no inotify instance
/// left, for example.
extension LoginWatchTests {
    @Test func withoutAnInotifyInstanceAppsAtTheMachineAreInUseNevertheless() throws {
        try with(Machine(monitorError: EMFILE)) { machine in
            try machine.login("s1", state: "active")
            #expect(try machine.isInUse(machine.process(in: Machine.scope(of: "s1"))))
            #expect(try machine.isInUse(machine.process(in: Machine.userManager + "/app.slice/a.service")))
            #expect(try !machine.isInUse(machine.process(in: "presence-\(getpid())")))
            #expect(try machine.ask { $0.isAvailable })
        }
    }

    @Test func aChangeIsNoticedWithoutAnInotifyInstance() throws {
        try with(Machine(monitorError: EMFILE, retryInterval: .milliseconds(20))) { machine in
            try machine.login("s1", state: "active")
            let process = try machine.process(in: Machine.scope(of: "s1"))
            let other = try machine.process(in: "presence-\(getpid())")
            #expect(try machine.isInUse(process))
            #expect(try !machine.isInUse(other))
            try machine.change { try machine.login("s1", state: "closing") }
            #expect(try !machine.isInUse(process))
            try machine.put(other.pid, in: Machine.scope(of: "s1"))
            try machine.change { try machine.login("s1", state: "active") }
            #expect(try machine.isInUse(process))
            #expect(try machine.isInUse(other))
        }
    }

    @Test func changesAreReportedOnceThereIsAnInotifyInstance() throws {
        try with(Machine(monitorError: EMFILE, retryInterval: .milliseconds(20))) { machine in
            try machine.login("s1", state: "active")
            let process = try machine.process(in: Machine.scope(of: "s1"))
            #expect(try machine.isInUse(process))
            machine.monitorError.withLockedValue { $0 = nil }
            let deadline = NIODeadline.now() + .minutes(10)
            while NIODeadline.now() < deadline, !machine.lines.all.contains(DrivenWatch.recovery) { sched_yield() }
            #expect(machine.lines.all.last == DrivenWatch.recovery)
            // The timer is stopped: only the monitor can report this.
            try machine.change { try machine.login("s1", state: "closing") }
            #expect(try !machine.isInUse(process))
        }
    }

    // MARK: With a time that the test makes up

    /// Runs `body` with a watch that cannot watch logind, on the thread that sees the machine's logins.
    private func withDrivenWatch(
        on machine: Machine, _ body: @escaping @Sendable (DrivenWatch) throws -> Void
    ) throws {
        try with(machine) { machine in
            try machine.ask { _ in
                let driven = DrivenWatch()
                defer { driven.watch.stop() }
                try body(driven)
            }
        }
    }

    /// Attack: the user logs out, and a program stays behind that was in use.
    @Test func anAnswerWithoutTheMonitorIsKeptForTenSecondsAtMost() throws {
        let machine = try Machine()
        try withDrivenWatch(on: machine) { driven in
            try machine.login("s1", state: "active")
            #expect(driven.isInUse(1))
            try machine.login("s1", state: "closing")
            driven.loop.advanceTime(by: .milliseconds(9_999))
            // Queries do not prolong it.
            #expect(driven.isInUse(1))
            #expect(driven.changes == 0)
            driven.loop.advanceTime(by: .milliseconds(1))
            #expect(driven.changes == 1)
            #expect(!driven.isInUse(1))
        }
    }

    @Test func theFailureAndTheRecoveryAreLoggedOnce() throws {
        let machine = try Machine()
        try withDrivenWatch(on: machine) { driven in
            try machine.login("s1", state: "active")
            #expect(driven.isInUse(1))
            driven.loop.advanceTime(by: .minutes(1))
            #expect(driven.isInUse(1))
            #expect(driven.attempts == 7)
            let failure = """
                error: logind cannot be watched (Too many open files): checking sessions every 10 s instead; \
                raise fs.inotify.max_user_instances with sysctl(8), or LimitNOFILE= in locationd.service
                """
            #expect(driven.lines.all == [failure])
            driven.error = nil
            driven.loop.advanceTime(by: .seconds(10))
            #expect(driven.lines.all == [failure, DrivenWatch.recovery])
            #expect(driven.isInUse(1))
            driven.loop.advanceTime(by: .hours(1))
            #expect(driven.attempts == 8)
            #expect(driven.lines.all.count == 2)
        }
    }

    @Test func aMonitorThatEndsByItselfIsMadeAgain() throws {
        let machine = try Machine()
        try withDrivenWatch(on: machine) { driven in
            driven.error = nil
            try machine.login("s1", state: "active")
            #expect(driven.isInUse(1))
            try machine.login("s1", state: "closing")
            #expect(driven.isInUse(1), "the monitor has reported nothing")
            driven.monitor?.onFailure()
            #expect(driven.changes == 1)
            #expect(!driven.isInUse(1))
            #expect(driven.attempts == 1)
            driven.loop.advanceTime(by: .seconds(10))
            #expect(driven.attempts == 2)
            #expect(driven.changes == 2)
            driven.loop.advanceTime(by: .hours(1))
            #expect(driven.attempts == 2)
            #expect(
                driven.lines.all == [
                    "error: logind cannot be watched (Input/output error): checking sessions every 10 s instead",
                    DrivenWatch.recovery,
                ])
        }
    }

    /// A daemon without apps does not wake up. Attack: an app connects after the user has logged out, and gets the
    /// answer of the app before it.
    @Test func nothingIsScheduledWhileNoProcessIsKnown() throws {
        let machine = try Machine()
        try withDrivenWatch(on: machine) { driven in
            try machine.login("s1", state: "active")
            #expect(driven.watch.isAvailable)
            driven.loop.advanceTime(by: .hours(1))
            #expect(driven.attempts == 1)
            #expect(driven.isInUse(1))
            #expect(driven.attempts == 2)
            #expect(driven.isInUse(2))
            driven.watch.forget(pid: 1)
            driven.loop.advanceTime(by: .seconds(10))
            #expect(driven.attempts == 3)
            #expect(driven.isInUse(2))
            driven.watch.forget(pid: 2)
            driven.loop.advanceTime(by: .hours(1))
            #expect(driven.attempts == 3)
            #expect(driven.changes == 1)
            #expect(driven.isInUse(3))
            driven.watch.forget(pid: 3)
            try machine.login("s1", state: "closing")
            #expect(!driven.isInUse(4))
        }
    }

    /// Attack: the app is in use since logind is not running yet, and would stay so.
    @Test func logindStartsLaterWithoutTheMonitor() throws {
        let machine = try Machine(hasLogind: false)
        try withDrivenWatch(on: machine) { driven in
            #expect(driven.isInUse(1))
            #expect(driven.isInUse(2))
            driven.watch.forget(pid: 1)
            driven.loop.advanceTime(by: .seconds(10))
            #expect(driven.isInUse(2))
            #expect(driven.lines.all.isEmpty, "there is nothing to be watched")
            try machine.write("seats/seat0", "IS_SEAT0=1\n")
            driven.loop.advanceTime(by: .seconds(10))
            #expect(driven.changes == 2)
            #expect(!driven.isInUse(2))
            #expect(driven.lines.all.count == 1)
        }
    }

    @Test func stoppedWithoutTheMonitor() throws {
        let machine = try Machine()
        try withDrivenWatch(on: machine) { driven in
            try machine.login("s1", state: "active")
            #expect(driven.isInUse(1))
            driven.watch.stop()
            #expect(!driven.isInUse(1))
            driven.loop.advanceTime(by: .hours(1))
            #expect(driven.attempts == 1)
            #expect(driven.changes == 0)
        }
    }
}

/// A watch whose monitor and whose time the test makes up. Each process belongs to the session s1.
private final class DrivenWatch {
    static let recovery = "notice: logind is watched again"

    /// A monitor that reports what the test wants.
    final class Monitor: LoginMonitoring {
        let onFailure: () -> Void

        init(onFailure: @escaping () -> Void) { self.onFailure = onFailure }

        func stop() {}
    }

    let loop = EmbeddedEventLoop()
    let lines = RecordedLines()
    /// The error of the next attempts to make the monitor, or `nil` if they succeed.
    var error: CInt? = EMFILE
    private(set) var attempts = 0
    private(set) var changes = 0
    private(set) var monitor: Monitor?
    private let process = ProcessDescriptor(owning: process_open(getpid()))

    private(set) lazy var watch: LoginWatch = {
        let watch = LoginWatch(
            on: loop, log: Logger(label: "test") { [lines] _ in RecordingLog(lines) },
            lookUp: { _, _, answer in answer(.success(.session("s1"))) },
            makeMonitor: { [unowned self] _, onFailure throws(Login.Failure) in
                attempts += 1
                if let error { throw Login.Failure(errno: error) }
                let monitor = Monitor(onFailure: onFailure)
                self.monitor = monitor
                return monitor
            })
        watch.onChange = { [unowned self] in changes += 1 }
        return watch
    }()

    func isInUse(_ pid: pid_t) -> Bool { watch.isInActiveSession(process, pid: pid) }
}
