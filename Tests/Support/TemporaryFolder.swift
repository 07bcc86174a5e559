import Foundation

/// A temporary folder for one test, removed with its contents on deinit. It is in memory if possible: otherwise
/// hundreds of daemons would wait for the disk to write their databases.
///
/// Its path is short, because the path of a socket has at most 107 bytes.
package final class TemporaryFolder: Sendable {
    package let path: String

    package init() throws {
        var template = Array("\(Self.parent)/locationd-XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else { throw POSIXError.last }
        path = String(cString: made)
    }

    /// `/dev/shm`, or `/tmp` if programs cannot be run from there as usual, or it has less than 4 GB.
    private static let parent: String = {
        // ST_RDONLY, ST_NOSUID and ST_NOEXEC of statvfs(3).
        let restrictions: UInt = 1 | 2 | 8
        var status = statvfs()
        let isUsable =
            statvfs("/dev/shm", &status) == 0 && status.f_flag & restrictions == 0
            && status.f_bavail * status.f_frsize >= 4_000_000_000 && access("/dev/shm", W_OK) == 0
        return isUsable ? "/dev/shm" : "/tmp"
    }()

    deinit { remove() }

    /// Removes the folder with its contents, if that cannot wait for deinit.
    ///
    /// A program that is ending may remove its own files at the same time, and the first of them that is gone already
    /// ends the removal. So it is begun again.
    package func remove() {
        for _ in 0..<10 where FileManager.default.fileExists(atPath: path) {
            try? FileManager.default.removeItem(atPath: path)
        }
    }

    /// Writes a file and returns its path.
    @discardableResult
    package func write(_ text: String, to name: String) throws -> String {
        let file = "\(path)/\(name)"
        try Data(text.utf8).write(to: URL(filePath: file))
        return file
    }

    /// Removes a file.
    package func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: "\(path)/\(name)") }
}
