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

/// Returns the names of the entries of a folder, with `.` and `..`, or `nil` if it cannot be read.
func fileNames(in folder: String) -> [String]? {
    guard let directory = opendir(folder) else { return nil }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
        names.append(
            withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) })
    }
    return names
}

/// Writes a file to the disk, whole or not at all, in the place of an older one. Other users cannot read it.
func replaceFile(_ path: String, with bytes: [UInt8]) throws(DirectoryFailure) {
    let temporary = path + ".new"
    unlink(temporary)
    let file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else { throw DirectoryFailure("\(path) cannot be made", errno) }
    defer { close(file) }
    guard write(file, bytes, bytes.count) == bytes.count, fsync(file) == 0, rename(temporary, path) == 0 else {
        let failure = errno
        unlink(temporary)
        throw DirectoryFailure("\(path) cannot be written", failure)
    }
    // Without this, a power cut could undo the renaming.
    let folder = open(String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { return }
    fsync(folder)
    close(folder)
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
