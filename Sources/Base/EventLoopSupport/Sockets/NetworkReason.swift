import Glibc
import NIOCore
import NIOPosix

extension Error {
    /// The system's error number for a failed connection or socket, or `nil` if there is none.
    package var networkErrno: CInt? {
        let first = (self as? NIOConnectionError)?.connectionErrors.first?.error ?? self
        return (first as? IOError)?.errnoCode
    }

    /// The reason for a failed connection or socket, in the system's words where they exist.
    package var networkReason: String {
        if let networkErrno { return String(cString: strerror(networkErrno)) }
        guard let failure = self as? NIOConnectionError, failure.connectionErrors.isEmpty else { return "\(self)" }
        return "the name \(failure.host) is not known"
    }
}
