internal import CLinux
internal import Glibc

/// The socket of an app that is to be started: the system calls, which may block for as long as a file system likes.
///
/// The path comes from an app, and the daemon may do more than the app may. So nothing that the path names is trusted
/// until the kernel has told whose it is.
public enum WakeSocket {
    /// The longest path, in bytes: what an app can bind (unix(7)), without the NUL.
    public static let maximumPathLength = 107
    /// The longest line, in bytes without its newline. The kernel takes it at once, whether the app reads or not.
    public static let maximumLineLength = 8192

    /// Checks the socket at `path` for an app of user `uid` and, where there is a line, connects and writes that.
    public static func attempt(_ path: String, of uid: UInt32, line: [UInt8]?) throws(WakeRefusal) {
        try checkText(path)
        let place = try asUser(uid) { () throws(WakeRefusal) in try open(path, of: uid) }
        defer { close(place) }
        guard let line else { return }
        let connection = try asUser(uid) { () throws(WakeRefusal) in try connect(to: place, path) }
        defer { close(connection) }
        try checkPeer(of: connection, path, uid)
        try send(line + [UInt8(ascii: "\n")], on: connection, path)
    }

    /// Refuses what no socket of an app's own is called, without a look at any file.
    public static func checkText(_ path: String) throws(WakeRefusal) {
        // Attack: a path with a NUL is checked as a whole and opened up to the NUL; one with a line break makes up lines of
        // the daemon's log.
        guard !path.utf8.contains(where: { $0 < 0x20 || $0 == 0x7f }) else {
            throw WakeRefusal(description: "the path of wake has control characters: give one without")
        }
        guard path.utf8.first == UInt8(ascii: "/") else {
            throw WakeRefusal(description: "the path of wake is not absolute: give the socket's whole path, from /")
        }
        guard path.utf8.count <= maximumPathLength else {
            throw WakeRefusal(
                description: "the path of wake is longer than \(maximumPathLength) bytes: no socket can have it")
        }
        // Attack: /run/user/1000/../0/service looks like the app's own folder to whoever reads it in `locationctl
        // sessions`.
        guard !path.hasSuffix("/"), !path.split(separator: "/").contains(where: { $0 == "." || $0 == ".." }) else {
            throw WakeRefusal(
                description: "the path of wake has a part that is . or .., or ends in /: give the socket's own path")
        }
    }

    /// Looks files up as the app's user does.
    ///
    /// Attack: an app names paths inside a folder that it may not look into, of another user or of root, and learns from
    /// the refusals what there is.
    private static func asUser<Value>(
        _ uid: UInt32, _ body: () throws(WakeRefusal) -> Value
    ) throws(WakeRefusal) -> Value {
        // Only root has anything to give up. No group of the daemon's comes along: nogroup.
        guard geteuid() == 0, uid != 0 else { return try body() }
        let user = file_user(uid: uid, gid: 65534)
        let own = file_user_set(user)
        defer { _ = file_user_set(own) }
        // setfsuid(2) does not say whether it worked: where it did not, the look would be root's.
        guard uid != .max, file_user_is(user) != 0 else {
            throw WakeRefusal(
                description: "files cannot be looked up as user \(uid): the daemon lacks CAP_SETUID and CAP_SETGID")
        }
        return try body()
    }

    /// A descriptor of the place, which stays the same socket whatever happens to the path from now on.
    private static func open(_ path: String, of uid: UInt32) throws(WakeRefusal) -> CInt {
        // Attack: a link, or a folder on the way that is one, leads to a socket that only the daemon may write to. It could
        // be put there between a check and the use, so the kernel refuses it while it looks the path up.
        let place = path_open(path)
        guard place >= 0 else {
            throw WakeRefusal(description: "\(path): \(reason(-place)): \(remedy(-place, path))")
        }
        do throws(WakeRefusal) {
            var status = stat()
            guard fstat(place, &status) == 0 else {
                throw WakeRefusal(description: "\(path): \(reason(errno)): put the socket on another file system")
            }
            guard status.st_mode & S_IFMT == S_IFSOCK else {
                throw WakeRefusal(description: "\(path) is not a socket: \(listen(path))")
            }
            // Attack: an app names the socket of another user's service, or of a system service that trusts the daemon.
            guard status.st_uid == uid else {
                throw WakeRefusal(
                    description: "\(path) is owned by user \(status.st_uid), not by \(uid): give a socket of your own")
            }
            return place
        } catch {
            close(place)
            throw error
        }
    }

    /// Connects to the socket that was checked, not to what may be at its path by now.
    private static func connect(to place: CInt, _ path: String) throws(WakeRefusal) -> CInt {
        let connection = place_connect(place)
        guard connection < 0 else { return connection }
        let failure = -connection
        // EAGAIN, unix(7): without waiting there is no room in the backlog.
        throw WakeRefusal(
            description: failure == EAGAIN
                ? "\(path): too many connections wait there already: accept them"
                : "\(path): \(reason(failure)): \(remedy(failure, path))")
    }

    /// Attack: a user gives a socket file that another user's process listens on, who would get the location (its owner
    /// may have changed, or the listener has it from somebody else). The kernel tells who called listen(2).
    private static func checkPeer(of connection: CInt, _ path: String, _ uid: UInt32) throws(WakeRefusal) {
        var peer = peer_credentials()
        let failure = peer_credentials(connection, &peer)
        guard failure == 0 else {
            throw WakeRefusal(description: "\(path): who listens is not to be learnt: \(reason(failure))")
        }
        guard peer.uid == uid else {
            throw WakeRefusal(
                description:
                    "user \(peer.uid) listens on \(path), not \(uid): listen as that user (a systemd user unit does)")
        }
    }

    private static func send(_ bytes: [UInt8], on connection: CInt, _ path: String) throws(WakeRefusal) {
        var count: Int
        repeat {
            // Attack: the listener closes at once; SIGPIPE would end the daemon.
            count = bytes.withUnsafeBytes { Glibc.send(connection, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL)) }
        } while count < 0 && errno == EINTR
        guard count >= 0 else {
            throw WakeRefusal(description: "\(path): \(reason(errno)): \(remedy(errno, path))")
        }
        guard count == bytes.count else {
            throw WakeRefusal(
                description: "\(path) took \(count) of \(bytes.count) bytes: read what is sent there",
                mayHaveArrived: true)
        }
    }

    private static func reason(_ error: CInt) -> String { String(cString: strerror(error)) }

    private static func remedy(_ error: CInt, _ path: String) -> String {
        switch error {
        case ELOOP, ENOTDIR: "symbolic links are not followed: give the socket's own path"
        case EACCES, EPERM: "let its user search the folders on the way and write to the socket"
        case ENOENT, ECONNREFUSED: listen(path)
        case EPROTOTYPE: "make it a stream socket"
        case EAGAIN: "read what is sent there"
        default: "give another socket"
        }
    }

    private static func listen(_ path: String) -> String {
        "listen there (ListenStream=\(path) in a systemd .socket unit of the user)"
    }
}
