import CLinux
import EventLoopSupport
import Foundation
import Glibc
import Linux
import Logging
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import PeerIdentity
import TestSupport

@testable import Logins

/// A machine with logins that a test makes up, without logind: real control groups for the processes, and logind's
/// files in a folder that appears at /run/systemd to the loop's thread alone.
///
/// Needs root and a control group hierarchy of version 2 that is writable. All calls block and none is async: a
/// thread created by the loop's thread, as the runtime does to resume a task, would see that folder, too.
final class LoginMachine: Sendable {
    /// A user id that is unused on the machine and different in each test process.
    static let uid = uid_t(1_000_000 + getpid())
    /// The mount point of the control group hierarchy, or `nil` if none is writable.
    static let controlGroups: String? = ["/sys/fs/cgroup", "/sys/fs/cgroup/unified"].first {
        geteuid() == 0 && access($0 + "/cgroup.procs", W_OK) == 0
    }

    /// Returns the control group of a session's processes.
    static func scope(of session: String) -> String { "\(slice)/session-\(session).scope" }
    /// The control group of the user manager.
    static let userManager = "\(slice)/user@\(uid).service"
    private static let slice = "user.slice/user-\(uid).slice"

    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let watch: NIOLoopBound<LoginWatch>
    var loop: any EventLoop { group.next() }
    /// The error of an attempt to watch logind, or `nil` if it succeeds.
    let monitorError: NIOLockedValueBox<CInt?>
    /// The log of the watch.
    let lines = RecordedLines()
    private let changes = NIOLockedValueBox<[EventLoopPromise<Void>]>([])
    private let temporary: TemporaryFolder
    /// The thread's original mount namespace and working directory.
    private let (mounts, directory): (CInt, CInt)
    /// A pipe that the poller waits for in vain.
    private let idle: WakePipe
    private let made = NIOLockedValueBox<(groups: [String], processes: [LoginProcess])>(([], []))

    /// - Parameters:
    ///   - hasLogind: `true` to create the seat that logind always creates.
    ///   - retryInterval: The time between two attempts to watch logind.
    init(
        hasLogind: Bool = true, hasFolders: Bool = true, monitorError: CInt? = nil,
        retryInterval: TimeAmount = LoginWatch.retryInterval
    ) throws {
        let monitorError = NIOLockedValueBox(monitorError)
        self.monitorError = monitorError
        let temporary = try TemporaryFolder()
        self.temporary = temporary
        if hasFolders {
            for kind in ["seats", "sessions", "users", "machines"] {
                try FileManager.default.createDirectory(
                    atPath: "\(temporary.path)/systemd/\(kind)", withIntermediateDirectories: true)
            }
        }
        let (loop, changes, lines) = (group.next(), changes, lines)
        (mounts, directory) = (
            open("/proc/self/ns/mnt", O_RDONLY | O_CLOEXEC), open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        )
        let idle = try WakePipe()
        self.idle = idle
        watch = try loop.submit {
            // Its thread is started first. One that is started later shares this thread's working directory, and setns(2)
            // refuses the way back.
            let poller = try DescriptorPoller(on: loop)
            try poller.watch(idle.descriptor) { _ in }.wait(for: .readable)
            try Self.mountOnRun(temporary.path)
            let watch = LoginWatch(
                on: loop, log: Logger(label: "test") { _ in RecordingLog(lines) }, retryInterval: retryInterval,
                makeMonitor: { onChange, onFailure throws(Login.Failure) in
                    if let error = monitorError.withLockedValue(\.self) { throw Login.Failure(errno: error) }
                    return try LoginMonitor(poller: poller, on: loop, onChange: onChange, onFailure: onFailure)
                })
            watch.onChange = {
                for promise in changes.withLockedValue({ exchange(&$0, []) }) { promise.succeed() }
            }
            return NIOLoopBound(watch, eventLoop: loop)
        }.wait()
        if hasLogind { try write("seats/seat0", "IS_SEAT0=1\n") }
    }

    /// Ends the processes and removes all control groups.
    func stop() throws {
        try loop.submit { [watch, mounts, directory] in
            watch.value.stop()
            try Self.call("setns", mounts, Self.newMounts)
            guard fchdir(directory) == 0 else { throw Self.failure }
        }.wait()
        try group.syncShutdownGracefully()
        close(mounts)
        close(directory)
        let (groups, processes) = made.withLockedValue { $0 }
        for process in processes { process.end() }
        for group in groups.reversed() {
            // A process leaves its control group shortly after its end.
            var attempts = 0
            while rmdir(group) != 0, errno == EBUSY, attempts < 120_000 {
                attempts += 1
                usleep(1000)
            }
        }
    }

    // MARK: Logind's files

    /// Writes a file as logind does, by renaming a new file over the old one.
    func write(_ name: String, _ text: String) throws {
        try write(inPlace: ".new", text)
        guard rename(path(".new"), path(name)) == 0 else {
            throw Self.failure
        }
    }

    /// Writes a file as logind never does, so that no watch notices it.
    func write(inPlace name: String, _ text: String) throws {
        try text.write(toFile: path(name), atomically: false, encoding: .utf8)
    }

    /// Writes a session of the user, and the user's file that names it.
    func login(_ session: String, state: String, class: String = "user", user: String = "active") throws {
        try write("sessions/\(session)", Self.session(state: state, class: `class`))
        try write("users/\(Self.uid)", Self.user(state: user, sessions: [session]))
    }

    /// Returns the file of a session without a seat, as over SSH. Such a session is active while it exists.
    static func session(state: String, class: String = "user") -> String {
        "UID=\(uid)\nUSER=someone\nACTIVE=\(state == "online" ? 0 : 1)\nSTATE=\(state)\nCLASS=\(`class`)\nREMOTE=0\n"
    }

    static func user(state: String, sessions: [String]) -> String {
        let list = sessions.joined(separator: " ")
        let (active, online) = state == "active" ? (list, list) : state == "online" ? ("", list) : ("", "")
        return "NAME=someone\nSTATE=\(state)\nSESSIONS=\(list)\nACTIVE_SESSIONS=\(active)\nONLINE_SESSIONS=\(online)\n"
    }

    /// Returns the path of one of logind's files in the test's folder.
    func path(_ name: String) -> String { "\(temporary.path)/systemd/\(name)" }

    // MARK: Processes

    /// Starts a process that sleeps in the given control group.
    func process(in controlGroup: String) throws -> LoginProcess {
        let process = try LoginProcess()
        made.withLockedValue { $0.processes.append(process) }
        try put(process.pid, in: controlGroup)
        return process
    }

    /// Moves a process into a control group, which is created if necessary.
    func put(_ pid: pid_t, in controlGroup: String) throws {
        // Tests in another process may remove the slice that both use.
        repeat { try makeControlGroup(controlGroup) } while access("\(Self.controlGroups!)/\(controlGroup)", F_OK) != 0
        try "\(pid)".write(
            toFile: "\(Self.controlGroups!)/\(controlGroup)/cgroup.procs", atomically: false, encoding: .utf8)
    }

    private func makeControlGroup(_ controlGroup: String) throws {
        var path = Self.controlGroups!
        for component in controlGroup.split(separator: "/") {
            path += "/\(component)"
            if mkdir(path, 0o755) == 0 {
                made.withLockedValue { $0.groups.append(path) }
            } else if errno != EEXIST && errno != ENOENT {
                throw Self.failure
            }
        }
    }

    // MARK: The watch

    func isInUse(_ process: LoginProcess) throws -> Bool {
        try ask { $0.isInActiveSession(process.descriptor, pid: process.pid) }
    }

    func ask<Answer: Sendable>(_ question: @escaping @Sendable (LoginWatch) throws -> Answer) throws -> Answer {
        try loop.submit { [watch] in try question(watch.value) }.wait()
    }

    /// Makes a change that the watch must notice, and waits for its notification.
    func change(_ body: () throws -> Void) throws {
        let promise = loop.makePromise(of: Void.self)
        let timeout = loop.scheduleTask(in: .minutes(10)) { promise.fail(POSIXError(.ETIMEDOUT)) }
        defer { timeout.cancel() }
        changes.withLockedValue { $0.append(promise) }
        try body()
        try promise.futureResult.wait()
    }

    // MARK: Mounts

    private static let newMounts: CInt = 0x20000

    /// Gives the calling thread a mount namespace of its own (unshare(2)), with `folder` mounted at /run.
    private static func mountOnRun(_ folder: String) throws {
        try call("unshare", newMounts)
        guard mount("none", "/", nil, UInt(MS_REC | MS_PRIVATE), nil) == 0,
            mount(folder, "/run", nil, UInt(MS_BIND), nil) == 0
        else { throw failure }
    }

    /// Calls a function that only GNU declares.
    private static func call(_ name: String, _ first: CInt, _ second: CInt = 0) throws {
        typealias Function = @convention(c) (CInt, CInt) -> CInt
        guard unsafeBitCast(dlsym(nil, name)!, to: Function.self)(first, second) == 0 else { throw failure }
    }

    private static var failure: POSIXError { POSIXError(POSIXErrorCode(rawValue: errno)!) }
}

/// A process that sleeps until it is ended.
final class LoginProcess: Sendable {
    let pid: pid_t
    let descriptor: ProcessDescriptor

    private let program: RunningProgram

    init() throws {
        program = try RunningProgram("/bin/sleep", ["infinity"])
        pid = program.processIdentifier
        descriptor = ProcessDescriptor(owning: process_open(pid))
    }

    func end() {
        program.signal(SIGKILL)
        _ = program.waitUntilEnd()
    }
}

private func exchange<T>(_ value: inout T, _ new: T) -> T {
    let old = value
    value = new
    return old
}
