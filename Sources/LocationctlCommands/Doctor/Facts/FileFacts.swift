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
        let octal = String(mode, radix: 8)
        return "owner \(owner), group \(group), mode " + String(repeating: "0", count: max(0, 4 - octal.count)) + octal
    }

    /// Returns whether `user` may read the file, as open(2) decides.
    func isReadable(by user: UserFacts) -> Bool {
        if user.uid == 0 { return true }
        if user.uid == uid { return mode & 0o400 != 0 }
        return mode & (user.groups.contains(gid) ? 0o040 : 0o004) != 0
    }
}
