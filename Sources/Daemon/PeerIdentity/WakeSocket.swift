internal import CLinux
internal import Glibc

/// The socket of an app to be started. Its system calls may block for as long as a file system takes.
///
/// The path comes from an app, and the daemon has more privileges than the app. So nothing at the path is trusted
/// until the kernel has confirmed its owner.
public enum WakeSocket {
    /// The maximum length of a path that an app can bind, in bytes without the NUL: unix(7).
    public static let maximumPathLength = 107
    /// The maximum length of a line, in bytes without its newline. The kernel accepts that much at once, whether or not
    /// the app reads.
    public static let maximumLineLength = 8192

    /// Checks the socket at `path` for an app of user `uid`. If there is a line, connects and writes it.
    public static func attempt(_ path: String, of uid: UInt32, line: [UInt8]?) throws(WakeRefusal) {
        try validatePath(path)
        let place = try asUser(uid) { () throws(WakeRefusal) in try open(path, of: uid) }
        defer { close(place) }
        guard let line else { return }
        let connection = try asUser(uid) { () throws(WakeRefusal) in try connect(to: place, path, uid) }
        defer { close(connection) }
        try checkPeer(of: connection, path, uid)
        try send(line + [UInt8(ascii: "\n")], on: connection, path)
    }

    /// Refuses a path that cannot be an app's own socket, without access to any file.
    public static func validatePath(_ path: String) throws(WakeRefusal) {
        // Attack: a path with a NUL is checked as a whole, but opened only up to the NUL. A path with a line break
        // forges lines of the daemon's log.
        guard !path.utf8.contains(where: { $0 < 0x20 || $0 == 0x7f }) else {
            throw WakeRefusal(description: "the path of wake contains control characters: give one without")
        }
        guard path.utf8.first == UInt8(ascii: "/") else {
            throw WakeRefusal(description: "the path of wake is not absolute: give the socket's whole path, from /")
        }
        guard path.utf8.count <= maximumPathLength else {
            throw WakeRefusal(
                description: "the path of wake is longer than \(maximumPathLength) bytes: no socket can have it")
        }
        // Attack: /run/user/1000/../0/service looks like the app's own folder to a reader of `locationctl sessions`.
        guard !path.hasSuffix("/"), !path.split(separator: "/").contains(where: { $0 == "." || $0 == ".." }) else {
            throw WakeRefusal(
                description: "the path of wake has a part that is . or .., or ends in /: give the socket's own path")
        }
    }

    /// Runs `body` with files looked up as the app's user.
    ///
    /// Attack: an app names paths in another user's or root's folder that it may not search, and learns from the
    /// refusals which files exist there.
    private static func asUser<Value>(
        _ uid: UInt32, _ body: () throws(WakeRefusal) -> Value
    ) throws(WakeRefusal) -> Value {
        // Only root has privileges to give up. The group becomes nogroup, so that the daemon's own does not apply, and
        // the thread drops its supplementary groups: it belongs to root, which needs none.
        guard geteuid() == 0, uid != 0 else { return try body() }
        let areGroupsDropped = groups_drop() == 0
        let user = file_user(uid: uid, gid: 65534)
        let own = file_user_set(user)
        defer { _ = file_user_set(own) }
        // setfsuid(2) does not report failure. After a failure, the lookup would be root's.
        guard uid != .max, areGroupsDropped, file_user_is(user) != 0 else {
            throw WakeRefusal(
                description: "files cannot be looked up as user \(uid): the daemon lacks CAP_SETUID and CAP_SETGID")
        }
        return try body()
    }

    /// Returns a descriptor of the socket file, which refers to that socket whatever happens to the path afterwards.
    private static func open(_ path: String, of uid: UInt32) throws(WakeRefusal) -> CInt {
        // Attack: a symbolic link at the path, or in place of a folder on the way, leads to a socket that only the
        // daemon may write to. The link could appear between a check and the use, so the kernel refuses it while it
        // looks up the path.
        let place = path_open(path)
        guard place >= 0 else {
            throw .notListening(path, uid, finding: reason(-place))
        }
        do throws(WakeRefusal) {
            var status = stat()
            guard fstat(place, &status) == 0 else {
                throw .notListening(path, uid, finding: reason(errno))
            }
            guard status.st_mode & S_IFMT == S_IFSOCK else {
                throw .notListening(path, uid, finding: "not a socket")
            }
            // Attack: an app names the socket of another user's service, or of a system service that trusts the daemon.
            guard status.st_uid == uid else {
                throw .notListening(path, uid, finding: "owned by user \(status.st_uid)")
            }
            return place
        } catch {
            close(place)
            throw error
        }
    }

    /// Connects to the socket that was checked, whatever is at its path by now.
    private static func connect(to place: CInt, _ path: String, _ uid: UInt32) throws(WakeRefusal) -> CInt {
        let connection = place_connect(place)
        guard connection < 0 else { return connection }
        // EAGAIN, unix(7): the backlog is full, and the socket does not block. So a process listens.
        guard connection == -EAGAIN else { throw .notListening(path, uid, finding: reason(-connection)) }
        throw WakeRefusal(description: "\(path): too many connections are waiting there: accept them")
    }

    /// Checks that the app's user listens on the socket.
    ///
    /// Attack: a user names a socket file where another user's process listens, which would receive the location. (The
    /// owner of the file may have changed, or another process may have passed the socket on.) The kernel knows who
    /// called listen(2).
    private static func checkPeer(of connection: CInt, _ path: String, _ uid: UInt32) throws(WakeRefusal) {
        var peer = peer_credentials()
        let failure = peer_credentials(connection, &peer)
        guard failure == 0 else {
            throw .notListening(path, uid, finding: "who listens: \(reason(failure))")
        }
        guard peer.uid == uid else { throw .notListening(path, uid, finding: "user \(peer.uid) listens") }
    }

    private static func send(_ bytes: [UInt8], on connection: CInt, _ path: String) throws(WakeRefusal) {
        var count: Int
        repeat {
            // Attack: the listener closes at once, and SIGPIPE would end the daemon.
            count = bytes.withUnsafeBytes { Glibc.send(connection, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL)) }
        } while count < 0 && errno == EINTR
        guard count >= 0 else {
            throw WakeRefusal(description: "\(path): \(reason(errno)): its program has to read")
        }
        guard count == bytes.count else {
            throw WakeRefusal(
                description: "\(path) accepted only \(count) of \(bytes.count) bytes: its program has to read",
                mayHaveArrived: true)
        }
    }

    private static func reason(_ error: CInt) -> String { String(cString: strerror(error)) }
}
