internal import Glibc
internal import LocationModel
internal import LocationctlSupport

/// A file's owner and mode.
struct FileFacts: Sendable, Equatable {
    var uid: UInt32
    var gid: UInt32
    /// The owner's name, or the number if it has no name.
    var owner: String
    /// The group's name, or the number if it has no name.
    var group: String
    /// The permission bits.
    var mode: UInt32
    /// A Boolean value indicating whether the file is a character device.
    var isDevice = false
    /// A Boolean value indicating whether the file is a socket.
    var isSocket = false

    /// The owner and the mode, as in `owner root, group gnss, mode 0660`.
    var description: String {
        "owner \(owner), group \(group), mode \(Int(mode).padded(to: 4, radix: 8))"
    }

    /// Returns whether `user` may read the file, as open(2) decides.
    func isReadable(by user: UserFacts) -> Bool { grants(0o4, to: user) }

    /// Returns whether `user` may write to the file, which connect(2) needs.
    func isWritable(by user: UserFacts) -> Bool { grants(0o2, to: user) }

    private func grants(_ permission: UInt32, to user: UserFacts) -> Bool {
        if user.uid == 0 { return true }
        if user.uid == uid { return mode & permission << 6 != 0 }
        return mode & (user.groups.contains(gid) ? permission << 3 : permission) != 0
    }
}

/// One of the daemon's sockets.
struct SocketFacts: Sendable, Equatable {
    var path: String
    /// The socket's owner and mode, or `nil` if there is no socket or its folder may not be searched.
    var file: FileFacts?
    /// A Boolean value indicating whether this process may connect to the socket.
    var isOpen = false
}

/// The device node of a receiver's port.
struct PortFacts: Sendable, Equatable {
    /// The path as it is configured, which may be a symbolic link.
    var path: String
    /// The path that the link leads to; the same as `path` for a node.
    var node: String
    /// The node's owner and mode, or `nil` if there is no such node.
    var file: FileFacts?
    /// The program other than locationd that has the port open, or `nil` if this process sees no such program.
    var holder: Holder?
}

extension FileFacts {
    /// Reads the facts of the file at `path`, or returns `nil` if the file does not exist or may not be seen.
    init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        let group = getgrgid(status.st_gid).map { String(cString: $0.pointee.gr_name) } ?? "\(status.st_gid)"
        self.init(
            uid: status.st_uid, gid: status.st_gid, owner: LoginName.of(status.st_uid), group: group,
            mode: status.st_mode & 0o7777)
        isDevice = status.st_mode & S_IFMT == S_IFCHR
        isSocket = status.st_mode & S_IFMT == S_IFSOCK
    }
}

extension PortFacts {
    /// Reads the facts of the node at `path`, and finds the program besides locationd that has it open.
    init(path: String, _ root: SystemRoot = SystemRoot()) {
        self.path = path
        node = root.resolved(path) ?? path
        file = FileFacts(path: root.path(path))
        // In a folder that imitates a machine's root, plain files stand for nodes, which only root could create.
        if !root.isMachine, file != nil { file?.isDevice = true }
        guard file?.isDevice == true else { return }
        holder = Holder(ofNode: node, root)
    }
}
