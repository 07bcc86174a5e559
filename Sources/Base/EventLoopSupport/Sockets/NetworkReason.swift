import Glibc
import NIOCore
import NIOPosix

extension Error {
    /// The system's number for the failure of a connection or a socket, or `nil` if it has none.
    package var networkErrno: CInt? {
        let first = (self as? NIOConnectionError)?.connectionErrors.first?.error ?? self
        return (first as? IOError)?.errnoCode
    }

    /// The reason of a failed connection or socket in the system's words, where it has some.
    package var networkReason: String {
        if let networkErrno { return String(cString: strerror(networkErrno)) }
        guard let failure = self as? NIOConnectionError, failure.connectionErrors.isEmpty else { return "\(self)" }
        return "the name \(failure.host) is not known"
    }
}
