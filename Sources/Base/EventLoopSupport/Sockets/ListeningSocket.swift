package import Glibc
package import Linux
internal import NIOCore

/// A Unix stream socket that listens on a path.
package struct ListeningSocket {
    /// The descriptor of the socket, owned by whichever part listens on it.
    package let descriptor: CInt
    package let path: String
    private let device: dev_t
    private let inode: ino_t

    /// Binds to `path` and listens there. The file gets `mode`, regardless of the umask.
    ///
    /// A socket file without a listening process is replaced.
    ///
    /// - Throws: EADDRINUSE if a process listens on the path, or if the file there is not a socket.
    package init(path: String, mode: mode_t, backlog: CInt) throws(SystemCallError) {
        guard let address = try? SocketAddress(unixDomainSocketPath: path) else {
            throw SystemCallError("bind(\(path))", ENAMETOOLONG)
        }
        try Self.removeStale(path, address)
        let descriptor = try Self.streamSocket(AF_UNIX)
        do {
            // Clients can connect only after listen(2), when the mode has been set.
            try Self.check("bind(\(path))", address.withSockAddr { Glibc.bind(descriptor, $0, socklen_t($1)) })
            try Self.check("chmod(\(path))", chmod(path, mode))
            try Self.check("listen(\(path))", listen(descriptor, backlog))
            var status = stat()
            try Self.check("lstat(\(path))", lstat(path, &status))
            device = status.st_dev
            inode = status.st_ino
        } catch {
            close(descriptor)
            throw error
        }
        self.descriptor = descriptor
        self.path = path
    }

    /// Removes the socket file, unless another file has replaced it.
    package func unlinkFile() {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_dev == device, status.st_ino == inode else { return }
        unlink(path)
    }

    private static func removeStale(_ path: String, _ address: SocketAddress) throws(SystemCallError) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFSOCK else { throw SystemCallError("bind(\(path))", EADDRINUSE) }
        let probe = try streamSocket(AF_UNIX)
        defer { close(probe) }
        let connected = address.withSockAddr { connect(probe, $0, socklen_t($1)) }
        guard connected < 0, errno == ECONNREFUSED else { throw SystemCallError("bind(\(path))", EADDRINUSE) }
        try check("unlink(\(path))", unlink(path))
    }

    static func streamSocket(_ domain: CInt) throws(SystemCallError) -> CInt {
        let type = CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        return try check("socket", socket(domain, type, 0))
    }

    @discardableResult
    static func check(_ call: String, _ result: CInt) throws(SystemCallError) -> CInt {
        guard result >= 0 else { throw SystemCallError(call, errno) }
        return result
    }
}
