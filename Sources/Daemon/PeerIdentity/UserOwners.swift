internal import Glibc

/// The users who answer for user IDs, according to `/etc/subuid`: see ``SubordinateUsers``. Other sources of
/// subordinate IDs, nsswitch.conf(5), are ignored: a server may not answer.
///
/// The next call after a change reads the file again. It is root's, on the machine's own file system.
public struct UserOwners: Sendable {
    private let subuid: String
    private let passwd: String
    private var version: Version?
    private var users = SubordinateUsers(subuid: [], passwd: [])

    /// The version of the file that was read.
    private struct Version: Equatable {
        let inode: ino_t
        let seconds: Int
        let nanoseconds: Int
        let size: off_t

        init?(of path: String) {
            var status = stat()
            guard stat(path, &status) == 0 else { return nil }
            inode = status.st_ino
            seconds = status.st_mtim.tv_sec
            nanoseconds = status.st_mtim.tv_nsec
            size = status.st_size
        }
    }

    /// Creates the owners from these files.
    public init(subuid: String = "/etc/subuid", passwd: String = "/etc/passwd") {
        self.subuid = subuid
        self.passwd = passwd
    }

    /// Returns the user who answers for an ID: its owner if it is subordinate, otherwise the user itself.
    public mutating func owner(of uid: UInt32) -> UInt32 {
        let current = Version(of: subuid)
        if current != version {
            users = SubordinateUsers(subuid: Self.contents(subuid), passwd: Self.contents(passwd))
            version = current
        }
        return users.owner(of: uid)
    }

    /// Returns the contents of a file of at most 4 MiB, or nothing. With 10,000 users, it has less than 1 MiB.
    private static func contents(_ path: String) -> [UInt8] { ProcFile.contents(path, maximumSize: 4 << 20) ?? [] }
}
