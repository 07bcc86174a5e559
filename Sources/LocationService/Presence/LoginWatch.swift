internal import Glibc
internal import NIOCore
internal import PeerIdentity
internal import Varlink

/// Whether a person who is logged in and at the machine stands behind a process.
///
/// Asked before each delivery, so an answer that was given costs no system call until logind tells of a change. Confined
/// to the event loop. Opens nothing until the first question.
final class LoginWatch {
    /// Told when the answer may have changed for any process.
    var onChange: (() -> Void)?

    private let loop: any EventLoop
    private let identifier: any PeerIdentifying
    private var monitor: LoginMonitor?
    private var isStopped = false
    /// Whether logind runs, as far as that is known.
    private var isLogindThere: Bool?
    /// What keeps the processes that were asked about. For the life of a process it stays the same …
    private var owners: [pid_t: Login.Owner] = [:]
    /// … but for those that nothing keeps: PAM puts the process that logs a user in into the new session.
    private var strangers: Set<pid_t> = []
    private var isInUse: [Login.Owner: Bool] = [:]

    /// A watch that says what it finds on that loop.
    init(on loop: any EventLoop, identifier: any PeerIdentifying = OwnPeerIdentifier()) {
        self.loop = loop
        self.identifier = identifier
    }

    /// Whether logind runs on this machine.
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

    /// Whether the process belongs to an active session of a person, or to the user manager of a user who has one.
    ///
    /// `true` for every process where logind does not run; `false` where it cannot be found out. Who owns the session
    /// counts, not as whom the process runs: what sudo runs in a session is used by the person in front of it.
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
        if let known = owners[pid] { return known }
        guard !strangers.contains(pid) else { return nil }
        do throws(Login.Failure) {
            let found = try identifier.loginOwner(of: process)
            guard process.isAlive else { return nil }
            if let found { owners[pid] = found } else { strangers.insert(pid) }
            return found
        } catch {
            return nil
        }
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
