internal import CSystemd
internal import Glibc

/// What logind knows of logins, read through sd-login(3): from proc(5) and the files below /run/systemd, with no bus and
/// no answer to wait for.
public enum Login {
    /// What keeps a process: its place among the control groups, which without root's help a process can leave neither
    /// for another user's nor for another session's (cgroups(7), "Delegation containment").
    public enum Owner: Hashable, Sendable {
        /// The session with that id.
        case session(String)
        /// The user manager of that user: what a desktop starts as units, and what `systemd --user` does.
        case userManager(UInt32)
    }

    /// It could not be found out, because of something other than what was asked about: EMFILE, for example.
    public struct Failure: Error {
        /// What a function of sd-login returned, errno(3).
        public let errno: Int32

        /// That errno.
        public init(errno: Int32) { self.errno = errno }
    }

    /// Returns whether there is a seat. logind has one, seat0, from its start on, also on a machine without a screen.
    public static func hasSeats() throws(Failure) -> Bool {
        try check(sd_get_seats(nil)).map { $0 > 0 } ?? false
    }

    /// What keeps a process; `nil` where no login does: system services, cron, containers of the machine.
    ///
    /// - Parameter pid: at least 1. It is for the caller to know that the process still has it afterwards; libsystemd's
    ///   functions for a pidfd, which came with 253, check no more than that.
    public static func owner(of pid: Int32) throws(Failure) -> Owner? {
        // Attack: 0 is the peer's id where the peer is in a pid namespace that the daemon cannot see into, and sd-login
        // takes it for the daemon itself, which someone may have started in a terminal.
        guard pid > 0 else { return nil }
        if let session = try text({ sd_pid_get_session(pid, $0) }) { return .session(session) }
        guard try text({ sd_pid_get_user_unit(pid, $0) }) != nil else { return nil }
        var uid: uid_t = 0
        return try check(sd_pid_get_owner_uid(pid, &uid)).map { _ in .userManager(uid) }
    }

    /// Returns whether somebody uses the machine there now.
    public static func isInUse(_ owner: Owner) throws(Failure) -> Bool {
        switch owner {
        case .session(let session): return try isInUse(session: session)
        case .userManager(let uid):
            // Attack: a user manager that lingers, or that stays behind when another user takes the seat, goes on with
            // its apps. logind calls the user "lingering" or "online" then, and there is no session that is active.
            for session in try activeSessions(of: uid) where try isInUse(session: session) { return true }
            return false
        }
    }

    /// Attacks:
    /// * What a user leaves running at logout (nohup, tmux) keeps the session, and logind goes on calling one without
    ///   a seat (SSH) active; its state however is "closing".
    /// * cron jobs have sessions where its PAM stack has pam_systemd, active ones, and make their user "active". An app
    ///   would need no more than a line in a crontab. So what counts is who the session is for.
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

    /// What a call returned; `nil` where there is no such thing (ENXIO) or it has no such property (ENODATA).
    private static func check(_ status: CInt) throws(Failure) -> CInt? {
        guard status < 0 else { return status }
        guard status == -ENXIO || status == -ENODATA else { throw Failure(errno: -status) }
        return nil
    }
}
