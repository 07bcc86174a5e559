internal import Glibc

/// A system call that failed.
public struct SystemCallError: Error, Hashable, CustomStringConvertible {
    /// What was called, with its object where it has one: `bind(/run/example)`.
    public let call: String
    /// Why it failed.
    public let errno: CInt

    /// `call` failed with `errno`.
    public init(_ call: String, _ errno: CInt) {
        self.call = call
        self.errno = errno
    }

    /// `bind(/run/example): Permission denied`
    public var description: String { "\(call): \(String(cString: strerror(errno)))" }
}
