internal import Glibc

/// Makes a folder, and those above it, where it is not there yet.
func makeDirectory(_ path: String, mode: mode_t) throws {
    var partial = ""
    for component in path.split(separator: "/", omittingEmptySubsequences: false) {
        partial +=
            partial.isEmpty && component.isEmpty
            ? "/" : (partial.hasSuffix("/") || partial.isEmpty ? "" : "/") + component
        guard partial != "/", !component.isEmpty, mkdir(partial, partial == path ? mode : 0o755) != 0, errno != EEXIST
        else {
            continue
        }
        let failure = errno
        var status = stat()
        guard stat(partial, &status) == 0 else {
            throw DirectoryFailure(
                description: "cannot make the folder \(partial): \(String(cString: strerror(failure)))")
        }
    }
}

/// A folder that cannot be made.
struct DirectoryFailure: Error, CustomStringConvertible {
    let description: String
}
