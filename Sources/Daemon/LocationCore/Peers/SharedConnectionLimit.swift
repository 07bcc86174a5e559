internal import Glibc

/// The limit on the connections of all sockets together, so that descriptors are left for everything else.
///
/// Attack: users who connect as often as they may use up the daemon's descriptors. Then no client can connect, not even
/// root's to revoke their grants. So some descriptors are reserved for root.
final class SharedConnectionLimit {
    /// The number of descriptors that other users' connections leave free, for the daemon itself and for root.
    static let reserve = 64

    /// The number of connections above which only root's are accepted.
    private let maximum: Int
    private var count = 0

    /// - Parameter descriptors: The maximum number of descriptors of the process, RLIMIT_NOFILE.
    init(descriptors: Int = SharedConnectionLimit.descriptorLimit) {
        // Each connection needs a socket and, unless its process has another connection, a pidfd.
        maximum = max(1, (descriptors - Self.reserve) / 2)
    }

    /// Counts a connection of user `uid`. Returns whether it is within the limit. ``leave()`` follows in either case.
    func enter(_ uid: UInt32) -> Bool {
        count += 1
        return uid == 0 || count <= maximum
    }

    /// Counts that a connection was closed.
    func leave() { count -= 1 }

    private static var descriptorLimit: Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1024 }
        return Int(clamping: limit.rlim_cur)
    }
}
