/// A request from the daemon to locationd-peers: one message of text. A request about a process comes with its pidfd.
public enum PeersRequest: Equatable, Sendable {
    /// A request for the identity of a process that this user runs.
    case identity(uid: UInt32)
    /// A request for the login that the process belongs to.
    case loginOwner
    /// A request for the file that the process runs.
    case executable
    /// A request for the time when the process started.
    case startTime
    /// A request to determine whether the process is in a sandbox or a container.
    case confinement
    /// A request for the apps and processes that hold sockets, from one to ``maximumSockets``, created by user `uid`.
    case holders(of: [SocketOrigin], uid: UInt32)
    /// A request to check that the path may be written to for an app of this user, and to write the line, if there is
    /// one.
    case wake(path: String, uid: UInt32, line: [UInt8]?)

    /// The maximum length of a message, in bytes: enough for a wake with the longest path and line.
    public static let maximumLength = 10_240

    /// The maximum number of sockets in a request.
    public static let maximumSockets = 256

    /// The message to send.
    public var bytes: [UInt8] {
        switch self {
        case .identity(let uid): Array("identity \(uid)".utf8)
        case .loginOwner: Array("owner".utf8)
        case .executable: Array("executable".utf8)
        case .startTime: Array("started".utf8)
        case .confinement: Array("confined".utf8)
        case .holders(let sockets, let uid):
            Array("holders \(uid)\(sockets.map { " \($0.inode) \($0.cgroupID)" }.joined())".utf8)
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
        case ("started", 1, 1, _): self = .startTime
        case ("confined", 1, 1, _): self = .confinement
        case ("holders", 3, 1, let uid?):
            guard let sockets = Self.sockets(words[2]) else { return nil }
            self = .holders(of: sockets, uid: uid)
        case ("check", 3, 1, let uid?): self = .wake(path: String(words[2]), uid: uid, line: nil)
        case ("wake", 3, 2, let uid?): self = .wake(path: String(words[2]), uid: uid, line: Array(parts[1]))
        default: return nil
        }
    }

    private static func sockets(_ text: Substring) -> [SocketOrigin]? {
        let numbers = text.split(separator: " ", omittingEmptySubsequences: false)
        guard numbers.count % 2 == 0, 2...2 * maximumSockets ~= numbers.count else { return nil }
        var sockets: [SocketOrigin] = []
        for index in stride(from: 0, to: numbers.count, by: 2) {
            guard let inode = UInt32(numbers[index]), let cgroupID = UInt64(numbers[index + 1]) else { return nil }
            sockets.append(SocketOrigin(inode: inode, cgroupID: cgroupID))
        }
        return sockets
    }
}
