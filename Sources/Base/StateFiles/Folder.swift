internal import Glibc

/// Creates a folder and its parents, unless they exist.
///
/// - Parameter mode: The mode of a new folder, regardless of the umask. New parents get 0755.
package func makeDirectory(_ path: String, mode: UInt32) throws(DirectoryFailure) {
    let components = path.split(separator: "/")
    var partial = ""
    for (index, component) in components.enumerated() {
        partial += (index == 0 && !path.hasPrefix("/") ? "" : "/") + component
        let mode = index == components.count - 1 ? mode : 0o755
        if mkdir(partial, mode) == 0 {
            chmod(partial, mode)
            continue
        }
        let failure = errno
        var status = stat()
        guard failure == EEXIST || stat(partial, &status) == 0 else {
            throw DirectoryFailure("cannot make the folder \(partial)", failure)
        }
    }
}

/// The error for a folder that cannot be created or used.
package struct DirectoryFailure: Error, CustomStringConvertible {
    /// The problem and, where there is one, the remedy.
    package let description: String

    /// Creates an error with this text.
    package init(description: String) {
        self.description = description
    }

    /// Creates an error for a system call that failed with `errno`.
    package init(_ problem: String, _ errno: CInt) {
        description = "\(problem): \(String(cString: strerror(errno)))"
    }
}
