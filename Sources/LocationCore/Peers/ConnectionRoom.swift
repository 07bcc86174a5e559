internal import Glibc

/// How many connections there may be on both sockets together, so that descriptors are left for everything else.
///
/// Attack: users who connect as often as they may use up the daemon's descriptors; then nobody connects any more, not
/// even root to take their grants away. So some are kept for root.
final class ConnectionRoom {
    /// How many descriptors other users' connections leave: for the daemon itself, and for root.
    static let reserve = 64

    /// How many connections there may be before only root's are accepted.
    private let maximum: Int
    private var count = 0

    /// - Parameter descriptors: how many the process may have, RLIMIT_NOFILE.
    init(descriptors: Int = ConnectionRoom.descriptorLimit) {
        // Each connection is a socket and, where its process has no other one, a pidfd.
        maximum = max(1, (descriptors - Self.reserve) / 2)
    }

    /// Counts a connection of user `uid`. Returns whether there is room for it; ``leave()`` follows in either case.
    func enter(_ uid: UInt32) -> Bool {
        count += 1
        return uid == 0 || count <= maximum
    }

    /// Counts that a connection is closed.
    func leave() { count -= 1 }

    private static var descriptorLimit: Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1024 }
        return Int(clamping: limit.rlim_cur)
    }
}
