internal import CSystemd
internal import Glibc

/// logind's data about logins, read through sd-login(3): from proc(5) and the files below /run/systemd, without a bus
/// and without waiting for a reply.
public enum Login {
    /// The login that a process belongs to, by its control group. Without root's help, a process cannot move to the
    /// control group of another user or another session (cgroups(7), "Delegation containment").
    public enum Owner: Hashable, Sendable {
        /// The session with this ID.
        case session(String)
        /// The user manager of this user. It runs the units of a desktop and of `systemd --user`.
        case userManager(UInt32)
    }

    /// A lookup that failed for a reason unrelated to its subject: EMFILE, for example.
    public struct Failure: Error {
        /// The error that a function of sd-login returned, errno(3).
        public let errno: Int32

        /// Creates a failure with this errno.
        public init(errno: Int32) { self.errno = errno }
    }

    /// Returns whether there is a seat. logind has one, seat0, from its start, even on a machine without a screen.
    public static func hasSeats() throws(Failure) -> Bool {
        try check(sd_get_seats(nil)).map { $0 > 0 } ?? false
    }

    /// Returns whether a user has a session now, local or remote. A lingering user manager does not count.
    @Sendable public static func isLoggedIn(_ uid: UInt32) -> Bool {
        guard let state = try? text({ sd_uid_get_state(uid, $0) }) else { return false }
        return state == "active" || state == "online"
    }

    /// Returns the login that a process belongs to, or `nil` if it has none, as a system service or a container of the
    /// machine.
    ///
    /// - Parameter pid: The process ID, at least 1. The caller checks afterwards that the process still has it.
    ///   libsystemd's functions for a pidfd, new in version 253, check no more than that.
    public static func owner(of pid: Int32) throws(Failure) -> Owner? {
        // Attack: a peer in a pid namespace that the daemon cannot see into has the ID 0. sd-login takes that for the
        // daemon itself, which a user may have started in a terminal.
        guard pid > 0 else { return nil }
        if let session = try text({ sd_pid_get_session(pid, $0) }) { return .session(session) }
        guard try text({ sd_pid_get_user_unit(pid, $0) }) != nil else { return nil }
        var uid: uid_t = 0
        return try check(sd_pid_get_owner_uid(pid, &uid)).map { _ in .userManager(uid) }
    }

    /// Returns whether a user is using the machine through this login now.
    public static func isInUse(_ owner: Owner) throws(Failure) -> Bool {
        switch owner {
        case .session(let session): return try isInUse(session: session)
        case .userManager(let uid):
            // Attack: a user manager that lingers, or that stays behind when another user takes over the seat, keeps
            // its apps running. logind then calls the user "lingering" or "online", and the user has no active session.
            for session in try activeSessions(of: uid) where try isInUse(session: session) { return true }
            return false
        }
    }

    /// Returns whether a user is using the machine through this session now.
    ///
    /// Attacks:
    /// * Processes that a user leaves running at logout (nohup, tmux) keep the session, and logind still calls a
    ///   session without a seat (SSH) active. Its state, however, is "closing".
    /// * cron jobs have sessions if cron's PAM stack has pam_systemd. These sessions are active, and make their user
    ///   "active". An app would need no more than a line in a crontab. So the class of the session, which states its
    ///   purpose, decides.
    private static func isInUse(session: String) throws(Failure) -> Bool {
        guard try text({ sd_session_get_state(session, $0) }) == "active" else { return false }
        switch try text({ sd_session_get_class(session, $0) }) {
        case "user", "user-early", "user-light", "user-early-light": return true
        default: return false  // greeter, lock-screen, background, manager ...: sd_session_get_class(3)
        }
    }

    private static func activeSessions(of uid: uid_t) throws(Failure) -> [String] {
        var list: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
        guard let count = try check(sd_uid_get_sessions(uid, 1, &list)), let list else { return [] }
        defer { free(list) }
        return (0..<Int(count)).compactMap { index in
            defer { free(list[index]) }
            return list[index].map { String(cString: $0) }
        }
    }

    private static func text(
        _ call: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> CInt
    ) throws(Failure) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        guard try check(call(&text)) != nil, let text else { return nil }
        defer { free(text) }
        return String(cString: text)
    }

    /// Returns the result of a call, or `nil` if there is no such thing (ENXIO) or it has no such property (ENODATA).
    private static func check(_ status: CInt) throws(Failure) -> CInt? {
        guard status < 0 else { return status }
        guard status == -ENXIO || status == -ENODATA else { throw Failure(errno: -status) }
        return nil
    }
}
