package import Glibc

/// A file that is written whole or not at all. Meanwhile, readers find the previous one.
package enum AtomicFile {
    /// Writes the file with the given mode, whatever the umask, and the given group, if any. The default is 0644: a
    /// manifest that users other than its owner may write to is ignored.
    package static func write(
        _ text: String, to path: String, mode: mode_t = 0o644, group: gid_t? = nil
    ) throws(Failure) {
        try check(path)
        var name = Array("\(path).XXXXXX".utf8CString)
        let descriptor = mkstemp(&name)
        guard descriptor >= 0 else { throw failure(path) }
        do throws(Failure) {
            defer { close(descriptor) }
            try write(Array(text.utf8)[...], to: descriptor, path)
            if let group { guard fchown(descriptor, uid_t.max, group) == 0 else { throw failure(path) } }
            guard fchmod(descriptor, mode) == 0, rename(name, path) == 0 else { throw failure(path) }
        } catch {
            unlink(name)
            throw error
        }
    }

    /// Throws if the file cannot be written. Called before the work that produces the contents.
    package static func check(_ path: String) throws(Failure) {
        var status = stat()
        // Otherwise root would replace /dev/stdout with a file.
        guard lstat(path, &status) < 0 || status.st_mode & S_IFMT == S_IFREG else {
            throw Failure(.failed, "cannot write \(path): it exists and is not a regular file")
        }
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        guard access(folder, W_OK) == 0 else { throw failure(path) }
    }

    /// Writes all of the bytes to an open file. The path is for the error.
    package static func write(_ bytes: ArraySlice<UInt8>, to descriptor: Int32, _ path: String) throws(Failure) {
        var rest = bytes
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            guard written >= 0 || errno == EINTR else { throw failure(path) }
            rest = rest.dropFirst(max(0, written))
        }
    }

    /// Returns the error of the last system call about a file.
    package static func failure(_ path: String) -> Failure {
        Failure(.failed, "cannot write \(path): \(String(cString: strerror(errno)))")
    }
}
