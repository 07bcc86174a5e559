internal import Glibc
internal import Linux
internal import NIOCore
internal import PeerIdentity

/// Determines whether a process belongs to a user who is logged in and at the machine.
///
/// The answer is needed before each delivery, so once it is known, it costs no system call until logind reports a
/// change. Confined to the event loop. Opens nothing before the first query.
final class LoginWatch {
    /// Called when the answer may have changed for any process.
    var onChange: (() -> Void)?

    private let loop: any EventLoop
    private let lookUp: LookUp
    private var monitor: LoginMonitor?
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
    typealias LookUp = (
        _ process: ProcessDescriptor, _ pid: pid_t, _ answer: @escaping (Result<Login.Owner?, Login.Failure>) -> Void
    ) -> Void

    /// Creates a watch that calls back on `loop`.
    init(on loop: any EventLoop, lookUp: @escaping LookUp = LoginWatch.lookUpHere) {
        self.loop = loop
        self.lookUp = lookUp
    }

    /// Looks up the login with this process's own rights, at once.
    private static func lookUpHere(
        _ process: ProcessDescriptor, _ pid: pid_t, _ answer: (Result<Login.Owner?, Login.Failure>) -> Void
    ) {
        answer(Result { () throws(Login.Failure) in try OwnPeerIdentifier().loginOwner(of: process) })
    }

    /// Records the login that a process, which is alive, belongs to.
    func note(_ owner: Login.Owner?, of pid: pid_t) {
        if let owner { owners[pid] = owner } else { strangers.insert(pid) }
    }

    /// A Boolean value indicating whether logind is running on this machine.
    ///
    /// sd-login(3) itself only checks for the folder /run/systemd/seats. Images of containers have this folder
    /// without logind, left from the installation of systemd, and no app there would ever be in use. So the folder
    /// has to contain a seat. A later start of logind is noticed, unless the folder did not exist: systemd creates it
    /// early at boot.
    var isAvailable: Bool {
        if let isLogindThere { return isLogindThere }
        do throws(Login.Failure) {
            try startMonitor()
            // The monitor comes first, so that changes after the check are reported.
            let isThere = try Login.hasSeats()
            isLogindThere = isThere
            return isThere
        } catch {
            // Any other error leaves the question open. Until it is settled, no app is in use.
            if error.errno == ENOENT { isLogindThere = false }
            return error.errno != ENOENT
        }
    }

    /// Returns whether the process belongs to a user's active session, or to the user manager of a user who has one.
    ///
    /// `true` for every process if logind is not running. `false` if the answer cannot be found, or is not known yet;
    /// in the second case, ``onChange`` is called once it is known. What counts is the owner of the session, not the
    /// user that the process runs as: what sudo runs in a session is used by the user in front of it.
    ///
    /// - Parameter process: The process that has the id `pid` while it is alive.
    func isInActiveSession(_ process: ProcessDescriptor, pid: pid_t) -> Bool {
        guard isAvailable else { return true }
        // Without the monitor, an answer would never change.
        guard monitor != nil, let owner = owner(of: process, pid: pid) else { return false }
        if let known = isInUse[owner] { return known }
        guard let found = try? Login.isInUse(owner) else { return false }
        isInUse[owner] = found
        return found
    }

    /// Forgets a process. To be called when it has ended or is no longer of interest: its id may pass to another
    /// process, which would get its answers.
    func forget(pid: pid_t) {
        owners[pid] = nil
        strangers.remove(pid)
        awaited.remove(pid)
    }

    /// Closes everything. From now on no app is in use, and nothing is reported.
    func stop() {
        isStopped = true
        isLogindThere = nil
        onChange = nil
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
