internal import Glibc

/// A file that is written whole or not at all: who reads it meanwhile finds the one before.
enum WholeFile {
    /// Writes it, with mode 0644 whatever the umask: a manifest that others than its owner may write to does not count.
    static func write(_ text: String, to path: String) throws(Failure) {
        var status = stat()
        // Else root would put a file in the place of /dev/stdout.
        guard lstat(path, &status) < 0 || status.st_mode & S_IFMT == S_IFREG else {
            throw Failure(.failed, "cannot write \(path): there is something else than a file")
        }
        var name = Array("\(path).XXXXXX".utf8CString)
        let descriptor = mkstemp(&name)
        guard descriptor >= 0 else { throw failure(path) }
        do throws(Failure) {
            defer { close(descriptor) }
            var rest = Array(text.utf8)[...]
            while !rest.isEmpty {
                let written = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
                guard written >= 0 || errno == EINTR else { throw failure(path) }
                rest = rest.dropFirst(max(0, written))
            }
            guard fchmod(descriptor, 0o644) == 0, rename(name, path) == 0 else { throw failure(path) }
        } catch {
            unlink(name)
            throw error
        }
    }

    private static func failure(_ path: String) -> Failure {
        Failure(.failed, "cannot write \(path): \(String(cString: strerror(errno)))")
    }
}
