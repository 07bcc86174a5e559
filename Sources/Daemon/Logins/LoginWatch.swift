internal import EventLoopSupport
package import Glibc
package import Linux
package import Logging
package import NIOCore
package import PeerIdentity

/// Determines whether a process belongs to a user who is logged in and at the machine.
///
/// The answer is needed before each delivery, so once it is known, it costs no system call until logind reports a
/// change. While logind cannot be watched, an answer is kept for ``retryInterval`` at most, and then looked up again.
///
/// Confined to the event loop. Opens nothing before the first query.
package final class LoginWatch {
    /// The time between two attempts to watch logind, and the greatest age of an answer meanwhile.
    package static let retryInterval = TimeAmount.seconds(10)

    /// Called when the answer may have changed for any process.
    package var onChange: (() -> Void)?

    private let loop: any EventLoop
    private let log: Logger
    private let lookUp: LookUp
    private let retryInterval: TimeAmount
    private let makeMonitor: MakeMonitor
    private var monitor: (any LoginMonitoring)?
    /// The timer for the next attempt to make the monitor. It also ends the answers that were given without one.
    private let retry: LoopTimer
    /// The processes queried without the monitor. Without any, the timer does not run: an idle daemon does not wake up.
    private var unwatched: Set<pid_t> = []
    /// The errors logged since logind could last be watched: errno(3).
    private var loggedErrors: Set<CInt> = []
    private var isStopped = false
    /// A Boolean value indicating whether logind is running, or `nil` if that is not known.
    private var isLogindThere: Bool?
    /// The logins that the processes belong to. A process belongs to the same login for its whole life …
    private var owners: [pid_t: Login.Owner] = [:]
    /// … unless it belongs to none: PAM moves the process that logs a user in into the new session.
    private var strangers: Set<pid_t> = []
    /// The processes whose look-up is under way.
    private var awaited: Set<pid_t> = []
    private var isInUse: [Login.Owner: Bool] = [:]

    /// Looks up the login that the process with that id belongs to, and answers on the loop, at once or later.
    package typealias LookUp = (
        _ process: ProcessDescriptor, _ pid: pid_t, _ answer: @escaping (Result<Login.Owner?, Login.Failure>) -> Void
    ) -> Void

    /// Makes a monitor that calls back on the loop. Throws a failure with ENOENT if logind is not running.
    package typealias MakeMonitor = (
        _ onChange: @escaping () -> Void, _ onFailure: @escaping () -> Void
    ) throws(Login.Failure) -> any LoginMonitoring

    /// Creates a watch that calls back on `loop`.
    package init(
        on loop: any EventLoop, log: Logger, lookUp: @escaping LookUp = LoginWatch.lookUpHere,
        retryInterval: TimeAmount = LoginWatch.retryInterval,
        makeMonitor: @escaping MakeMonitor
    ) {
        self.loop = loop
        self.log = log
        self.lookUp = lookUp
        self.retryInterval = retryInterval
        self.makeMonitor = makeMonitor
        retry = LoopTimer(on: loop)
    }

    /// Looks up the login with this process's own rights, at once.
    private static func lookUpHere(
        _ process: ProcessDescriptor, _ pid: pid_t, _ answer: (Result<Login.Owner?, Login.Failure>) -> Void
    ) {
        answer(
            Result { () throws(Login.Failure) in try (try? ProcessReader(pidfd: process.descriptor))?.loginOwner() })
    }

    /// Records the login of a live process.
    package func record(_ owner: Login.Owner?, of pid: pid_t) {
        if let owner { owners[pid] = owner } else { strangers.insert(pid) }
    }

    /// A Boolean value indicating whether logind is running on this machine.
    ///
    /// sd-login(3) itself only checks for the folder /run/systemd/seats. Container images have this folder without
    /// logind, left from the installation of systemd, and no app there would ever be in use. So the folder has to
    /// contain a seat. A later start of logind is noticed, unless the folder did not exist: systemd creates it early at
    /// boot.
    package var isAvailable: Bool {
        if let isLogindThere { return isLogindThere }
        guard !isStopped else { return true }
        // The monitor comes first, so that changes after the check are reported.
        guard retry.isSet || startMonitor() else {
            isLogindThere = false
            return false
        }
        let hasSeats = Self.hasSeats()
        // Without the monitor and without the timer, nothing would ever end the answer.
        if monitor != nil || retry.isSet { isLogindThere = hasSeats }
        // An error leaves the question open. Until it is settled, logind counts as running.
        return hasSeats ?? true
    }

    /// Returns whether logind has a seat, or `nil` if that cannot be determined.
    private static func hasSeats() -> Bool? {
        do throws(Login.Failure) { return try Login.hasSeats() } catch { return error.errno == ENOENT ? false : nil }
    }

    /// Returns whether the process belongs to a user's active session, or to the user manager of a user who has one.
    ///
    /// `true` for every process if logind is not running. `false` if the answer cannot be found, or is not known yet;
    /// in the second case, ``onChange`` is called once it is known. What counts is the owner of the session, not the
    /// user that the process runs as: what sudo runs in a session is used by the user in front of it.
    ///
    /// - Parameter process: The process that has the id `pid` while it is alive.
    package func isInActiveSession(_ process: ProcessDescriptor, pid: pid_t) -> Bool {
        guard !isStopped else { return false }
        let isAvailable = isAvailable
        scheduleRetry(for: pid)
        guard isAvailable else { return true }
        guard let owner = owner(of: process, pid: pid) else { return false }
        if let known = isInUse[owner] { return known }
        guard let found = try? Login.isInUse(owner) else { return false }
        isInUse[owner] = found
        return found
    }

    /// Forgets a process. To be called when it has ended or is no longer of interest: its id may pass to another
    /// process, which would get its answers.
    package func forget(pid: pid_t) {
        owners[pid] = nil
        strangers.remove(pid)
        awaited.remove(pid)
        if unwatched.remove(pid) != nil, unwatched.isEmpty { stopRetrying() }
    }

    /// Closes everything. Afterwards no app is in use, and nothing is reported.
    package func stop() {
        isStopped = true
        isLogindThere = nil
        onChange = nil
        retry.cancel()
        monitor?.stop()
        monitor = nil
    }

    private func owner(of process: ProcessDescriptor, pid: pid_t) -> Login.Owner? {
        // Attack: 0 is the id of every peer in a pid namespace that the daemon cannot see into. Those peers would
        // share their answers.
        guard pid > 0 else { return nil }
        if let known = owners[pid] { return known }
        guard !strangers.contains(pid), awaited.insert(pid).inserted else { return nil }
        var isAsking = true
        lookUp(process, pid) { result in
            // Attack: the process has ended in the meantime, and its id is another process's.
            guard self.awaited.remove(pid) != nil, process.isAlive, case .success(let found) = result else { return }
            self.record(found, of: pid)
            if !isAsking, found != nil { self.onChange?() }
        }
        isAsking = false
        return owners[pid]
    }

    private func changed() {
        dropAnswers()
        onChange?()
    }

    private func dropAnswers() {
        isLogindThere = nil
        isInUse.removeAll(keepingCapacity: true)
        strangers.removeAll(keepingCapacity: true)
    }

    // MARK: The monitor

    /// Makes the monitor if there is none. Returns `false` if logind's folders do not exist.
    @discardableResult private func startMonitor() -> Bool {
        guard monitor == nil else { return true }
        do throws(Login.Failure) {
            monitor = try makeMonitor({ [unowned self] in changed() }, { [unowned self] in monitorFailed() })
        } catch {
            guard error.errno != ENOENT else { return false }
            if Self.hasSeats() != false { report(error) }
            return true
        }
        // These answers may have changed before the monitor was there to report it.
        dropAnswers()
        unwatched.removeAll()
        reportRecovery()
        return true
    }

    /// Handles a monitor that has ended by itself. The next attempt waits: a monitor that ends each time would
    /// otherwise keep the processor busy.
    private func monitorFailed() {
        monitor = nil
        report(Login.Failure(errno: EIO))
        setRetry()
        changed()
    }

    /// Ensures that the answer about this process ends after the interval if the monitor is missing.
    ///
    /// Attack: the user logs out, or another user takes over the seat. Without the monitor and without the timer, the
    /// app would stay in use.
    private func scheduleRetry(for pid: pid_t) {
        // Without logind's folders, there is nothing to attempt.
        guard monitor == nil, isLogindThere != false || retry.isSet else { return }
        unwatched.insert(pid)
        if !retry.isSet { setRetry() }
    }

    private func setRetry() {
        retry.set(in: retryInterval) { [weak self] in self?.tryAgain() }
    }

    /// Tries to make the monitor again. The answers may have changed by now, whether it succeeds or not.
    private func tryAgain() {
        guard !unwatched.isEmpty else { return dropAnswers() }
        startMonitor()
        // Set before `onChange`, whose queries would each make an attempt.
        if monitor == nil { setRetry() }
        changed()
    }

    /// Stops the timer, since no queried process is left.
    private func stopRetrying() {
        retry.cancel()
        // Attack: another process of the same login connects after the user has logged out.
        dropAnswers()
    }

    /// Logs that logind cannot be watched, once for each reason.
    private func report(_ failure: Login.Failure) {
        guard loggedErrors.insert(failure.errno).inserted else { return }
        let reason = String(cString: strerror(failure.errno))
        let remedy = failure.monitorRemedy.map { "; \($0)" } ?? ""
        let seconds = retryInterval.nanoseconds / 1_000_000_000
        log.error(
            "logind cannot be watched (\(reason)): checking sessions every \(seconds) s instead\(remedy)")
    }

    /// Logs that logind is watched again, after a failure that was logged.
    private func reportRecovery() {
        guard !loggedErrors.isEmpty else { return }
        loggedErrors.removeAll()
        log.notice("logind is watched again")
    }
}
