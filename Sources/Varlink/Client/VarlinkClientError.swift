import Glibc

/// Why there is no reply, when it is not the service that says so (that is a ``VarlinkError``).
public enum VarlinkClientError: Error, Hashable, CustomStringConvertible {
    /// Nobody listens on `path`, or it may not be connected to; `errno` says which (ENOENT, ECONNREFUSED, EACCES).
    case notReachable(path: String, errno: Int32)
    /// The connection was closed, by either side, before the reply.
    case closed
    /// What came is not a reply, or not the one that the caller decodes; the text says what is wrong.
    case malformed(String)

    /// A sentence without its full stop.
    public var description: String {
        switch self {
        case .notReachable(let path, let errno): "cannot connect to \(path): \(String(cString: strerror(errno)))"
        case .closed: "the connection was closed"
        case .malformed(let what): "not a valid reply: \(what)"
        }
    }
}
