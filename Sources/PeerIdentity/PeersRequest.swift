/// A request from the daemon to locationd-peers: one message of text. A request about a process comes with its pidfd.
public enum PeersRequest: Equatable, Sendable {
    /// A request for the identity of a process that this user runs.
    case identity(uid: UInt32)
    /// A request for the login that the process belongs to.
    case loginOwner
    /// A request for the file that the process runs.
    case executable
    /// A request for the app and the processes that hold the socket with this inode, which user `uid` created in the
    /// control group with this ID.
    case holders(inode: UInt32, uid: UInt32, cgroupID: UInt64)
    /// A check whether the path may be written to for an app of this user. With a line, a request to write it as well.
    case wake(path: String, uid: UInt32, line: [UInt8]?)

    /// The maximum length of a message, in bytes: that of a wake with the longest path and line.
    public static let maximumLength = 10_240

    /// The message to send.
    public var bytes: [UInt8] {
        switch self {
        case .identity(let uid): Array("identity \(uid)".utf8)
        case .loginOwner: Array("owner".utf8)
        case .executable: Array("executable".utf8)
        case .holders(let inode, let uid, let cgroupID): Array("holders \(uid) \(inode) \(cgroupID)".utf8)
        // Paths with a line break have been refused before: WakeSocket.validatePath.
        case .wake(let path, let uid, nil): Array("check \(uid) \(path)".utf8)
        case .wake(let path, let uid, let line?): Array("wake \(uid) \(path)\n".utf8) + line
        }
    }

    /// Parses a message. Returns `nil` if it is not a request.
    public init?(_ bytes: some Collection<UInt8>) {
        let parts = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 1, omittingEmptySubsequences: false)
        guard let head = parts.first.flatMap({ String(validating: $0, as: UTF8.self) }) else { return nil }
        let words = head.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
        let uid = words.count > 1 ? UInt32(words[1]) : nil
        switch (words[0], words.count, parts.count, uid) {
        case ("identity", 2, 1, let uid?): self = .identity(uid: uid)
        case ("owner", 1, 1, _): self = .loginOwner
        case ("executable", 1, 1, _): self = .executable
        case ("holders", 3, 1, let uid?):
            let numbers = words[2].split(separator: " ", omittingEmptySubsequences: false)
            guard numbers.count == 2, let inode = UInt32(numbers[0]), let cgroupID = UInt64(numbers[1]) else {
                return nil
            }
            self = .holders(inode: inode, uid: uid, cgroupID: cgroupID)
        case ("check", 3, 1, let uid?): self = .wake(path: String(words[2]), uid: uid, line: nil)
        case ("wake", 3, 2, let uid?): self = .wake(path: String(words[2]), uid: uid, line: Array(parts[1]))
        default: return nil
        }
    }
}
