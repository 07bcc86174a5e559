internal import CLinux
internal import Glibc

/// The status of a file, from the kernel's own memory. The file system is not asked, because it may never answer.
struct FileStatus {
    /// The type, as in `st_mode`, inode(7).
    let type: mode_t
    /// The ID of the mount that the file is on, as in the first field of `/proc/PID/mountinfo`.
    let mount: UInt64
    private let device: UInt64
    private let inode: UInt64

    /// Reads the status of the file at a path, or returns `nil` if there is none.
    init?(_ path: String, followsLink: Bool) {
        self.init(AT_FDCWD, path, followsLink: followsLink)
    }

    /// Reads the status of an open file, which may be open as a location only (O_PATH).
    init?(of descriptor: CInt) {
        self.init(descriptor, "", followsLink: false)
    }

    private init?(_ folder: CInt, _ path: String, followsLink: Bool) {
        var status = file_status()
        guard file_status_read(folder, path, followsLink ? 1 : 0, &status) == 0 else { return nil }
        type = status.type
        mount = status.mount
        device = status.device
        inode = status.inode
    }

    /// Returns whether both are the same file or folder.
    func isSameFile(as other: FileStatus) -> Bool { device == other.device && inode == other.inode }
}
