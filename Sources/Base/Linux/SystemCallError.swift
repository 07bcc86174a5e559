internal import Glibc

/// The error of a system call that failed.
public struct SystemCallError: Error, Hashable, CustomStringConvertible {
    /// The name of the call, with its object if there is one: `bind(/run/example)`.
    public let call: String
    /// The error number, as in errno(3).
    public let errno: CInt

    /// Creates the error of `call`, which failed with `errno`.
    public init(_ call: String, _ errno: CInt) {
        self.call = call
        self.errno = errno
    }

    /// The call and the reason, such as `bind(/run/example): Permission denied`.
    public var description: String { "\(call): \(String(cString: strerror(errno)))" }
}
