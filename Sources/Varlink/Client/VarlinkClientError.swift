import Glibc

/// The reason why a call has no valid reply, unless the service itself reports an error (a ``VarlinkError``).
public enum VarlinkClientError: Error, Hashable, CustomStringConvertible {
    /// Connecting to `path` failed. `errno` is the reason, such as ENOENT, ECONNREFUSED (no service listens
    /// there) or EACCES.
    case notReachable(path: String, errno: Int32)
    /// The connection was closed, by either side, before the reply arrived.
    case closed
    /// The received data is not a reply, or not one that the caller can decode. The text describes the problem.
    case malformed(String)

    /// The error as a sentence without its full stop.
    public var description: String {
        switch self {
        case .notReachable(let path, let errno): "cannot connect to \(path): \(String(cString: strerror(errno)))"
        case .closed: "the connection was closed"
        case .malformed(let what): "not a valid reply: \(what)"
        }
    }
}
