internal import Glibc
internal import Linux
internal import NIOCore
internal import PeerIdentity

/// Whether a user who is logged in and at the machine stands behind a process.
///
/// Asked before each delivery, so an answer that was given costs no system call until logind tells of a change.
/// Confined to the event loop. Opens nothing until the first question.
final class LoginWatch {
    /// Told when the answer may have changed for any process.
    var onChange: (() -> Void)?

    private let loop: any EventLoop
    private let lookUp: LookUp
    private var monitor: LoginMonitor?
    private var isStopped = false
    /// A Boolean value indicating whether logind runs, as far as that is known.
    private var isLogindThere: Bool?
    /// What keeps the processes that were asked about. For the life of a process it stays the same …
    private var owners: [pid_t: Login.Owner] = [:]
    /// … but for those that nothing keeps: PAM puts the process that logs a user in into the new session.
    private var strangers: Set<pid_t> = []
    /// The processes that are being looked up.
    private var awaited: Set<pid_t> = []
    private var isInUse: [Login.Owner: Bool] = [:]

    /// Finds out the login that keeps a process, which has that id, and answers on the loop: at once or later.
    typealias LookUp = (
        _ process: ProcessDescriptor, _ pid: pid_t, _ answer: @escaping (Result<Login.Owner?, Login.Failure>) -> Void
    ) -> Void

    /// A watch that says what it finds on that loop.
    init(on loop: any EventLoop, lookUp: @escaping LookUp = LoginWatch.lookUpHere) {
        self.loop = loop
        self.lookUp = lookUp
    }

    /// Looks with this process' own rights, at once.
    private static func lookUpHere(
        _ process: ProcessDescriptor, _ pid: pid_t, _ answer: (Result<Login.Owner?, Login.Failure>) -> Void
    ) {
        answer(Result { () throws(Login.Failure) in try OwnPeerIdentifier().loginOwner(of: process) })
    }

    /// Notes the login that keeps a process, which is alive.
    func note(_ owner: Login.Owner?, of pid: pid_t) {
        if let owner { owners[pid] = owner } else { strangers.insert(pid) }
    }

    /// A Boolean value indicating whether logind runs on this machine.
    ///
    /// sd-login itself takes the folder /run/systemd/seats for that. Images of containers have the folder without any
    /// logind, left from the installation of systemd, and there nobody would ever be in use; so a seat has to be in it.
    /// When logind starts later, that is heard of, unless there was no folder: systemd makes it early at boot.
    var isAvailable: Bool {
        if let isLogindThere { return isLogindThere }
        do throws(Login.Failure) {
            try startMonitor()
            // The monitor first: what comes after the look is told of.
            let isThere = try Login.hasSeats()
            isLogindThere = isThere
            return isThere
        } catch {
            // Anything else leaves it open, and then nobody is in use.
            if error.errno == ENOENT { isLogindThere = false }
            return error.errno != ENOENT
        }
    }

    /// Returns whether the process belongs to an active session of a user, or to the user manager of a user who has
    /// one.
    ///
    /// `true` for every process where logind does not run; `false` where it cannot be found out, or is not known yet: then
    /// ``onChange`` is told once it is. Who owns the session
    /// counts, not as whom the process runs: what sudo runs in a session is used by the user in front of it.
    ///
    /// - Parameter process: the process that has the id `pid` as long as it is alive.
    func isInActiveSession(_ process: ProcessDescriptor, pid: pid_t) -> Bool {
        guard isAvailable else { return true }
        // Without the monitor no answer would ever change.
        guard monitor != nil, let owner = owner(of: process, pid: pid) else { return false }
        if let known = isInUse[owner] { return known }
        guard let found = try? Login.isInUse(owner) else { return false }
        isInUse[owner] = found
        return found
    }

    /// Forgets a process: its id may be another one's from now on. To be called when it has ended or is of no interest
    /// any more, else the other one has its answers.
    func forget(pid: pid_t) {
        owners[pid] = nil
        strangers.remove(pid)
        awaited.remove(pid)
    }

    /// Closes what was opened. Nobody is in use from now on, and nothing is told.
    func stop() {
        isStopped = true
        isLogindThere = nil
        onChange = nil
        monitor?.stop()
        monitor = nil
    }

    private func owner(of process: ProcessDescriptor, pid: pid_t) -> Login.Owner? {
        // Attack: 0 is the id of every peer in a pid namespace that the daemon does not see; they would have each
        // other's answers.
        guard pid > 0 else { return nil }
        if let known = owners[pid] { return known }
        guard !strangers.contains(pid), awaited.insert(pid).inserted else { return nil }
        var isAsking = true
        lookUp(process, pid) { result in
            // Attack: the process ended meanwhile, and its id is another one's.
            guard self.awaited.remove(pid) != nil, process.isAlive, case .success(let found) = result else { return }
            self.note(found, of: pid)
            if !isAsking, found != nil { self.onChange?() }
        }
        isAsking = false
        return owners[pid]
    }

    private func startMonitor() throws(Login.Failure) {
        guard !isStopped else { throw Login.Failure(errno: ESHUTDOWN) }
        guard monitor == nil else { return }
        monitor = try LoginMonitor(
            on: loop, onChange: { [unowned self] in changed() },
            onFailure: { [unowned self] in
                monitor = nil
                changed()
            })
    }

    private func changed() {
        isLogindThere = nil
        isInUse.removeAll(keepingCapacity: true)
        strangers.removeAll(keepingCapacity: true)
        onChange?()
    }
}
