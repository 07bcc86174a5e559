internal import Glibc

/// The folder of a program's state. It belongs to the program's user, is closed to other users, and is used by one
/// process at a time.
///
/// Attack: the database reveals which places apps monitor and where a user was. Other users can read it in a folder
/// that they may enter, and replace it in a folder that belongs to them.
///
/// Accident: two daemons each decide by the contents of their memory. A grant that one of them has revoked still holds
/// in the other one, which may also write it again.
package struct StateDirectory: ~Copyable {
    private let descriptor: CInt

    /// Opens and locks the folder, and creates it if it does not exist. Files in it are closed to other users.
    ///
    /// - Parameter program: The name of the program and of its unit, for errors.
    package init(_ path: String, of program: String) throws(DirectoryFailure) {
        try makeDirectory(path, mode: 0o700)
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw DirectoryFailure("cannot open the state folder \(path)", errno) }
        do {
            try Self.checkOwner(of: descriptor, path, program)
            try Self.lock(descriptor, path, program)
        } catch {
            close(descriptor)
            throw error
        }
        self.descriptor = descriptor
        Self.closeFiles(in: descriptor, path)
    }

    deinit { close(descriptor) }

    private static func checkOwner(
        of descriptor: CInt, _ path: String, _ program: String
    ) throws(DirectoryFailure) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            throw DirectoryFailure("cannot look at the state folder \(path)", errno)
        }
        guard status.st_uid == geteuid() else {
            throw DirectoryFailure(
                description: """
                    the state folder \(path) belongs to user \(status.st_uid), and \(program) runs as user \
                    \(geteuid()): chown -R \(geteuid()) \(path), or name another folder with --state-directory
                    """)
        }
        guard status.st_mode & 0o077 == 0 else {
            throw DirectoryFailure(
                description: """
                    other users may enter the state folder \(path) (mode \
                    0\(String(status.st_mode & 0o7777, radix: 8))): chmod 0700 \(path), then start \(program) again
                    """)
        }
    }

    /// Locks the folder. The kernel releases the lock when this process ends, in whatever way.
    private static func lock(
        _ descriptor: CInt, _ path: String, _ program: String
    ) throws(DirectoryFailure) {
        guard flock(descriptor, LOCK_EX | LOCK_NB) != 0 else { return }
        guard errno == EWOULDBLOCK else { throw DirectoryFailure("cannot lock the state folder \(path)", errno) }
        throw DirectoryFailure(
            description: """
                another \(program) uses the state folder \(path): end that one (systemctl stop \(program)), or name \
                another folder with --state-directory
                """)
    }

    /// Closes files that were created under another umask to other users.
    private static func closeFiles(in descriptor: CInt, _ path: String) {
        for name in fileNames(in: path) ?? [] {
            var status = stat()
            guard fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0, status.st_mode & S_IFMT == S_IFREG,
                status.st_mode & 0o077 != 0
            else { continue }
            fchmodat(descriptor, name, 0o600, 0)
        }
    }
}
