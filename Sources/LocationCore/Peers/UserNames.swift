internal import Glibc
internal import NIOCore

/// The login names of users, for people to read.
///
/// Confined to the event loop. Attack: names are kept by a server that does not answer, nsswitch.conf(5), and a user without
/// a name connects. So looking them up is ``BlockingWork``; nobody waits for it, and until it is done there is no name.
package final class UserNames {
    /// The greatest number of names that are kept.
    static let maximumCount = 1000
    /// The timeout of a look-up. Until it has ended, the same user is not looked up again.
    private static let timeout = TimeAmount.seconds(10)

    private let lookUp: @Sendable (UInt32) -> String?
    private let work: BlockingWork
    private var names: [UInt32: String?] = [:]

    /// - Parameter lookUp: finds a name, on a thread of this object's own.
    init(on loop: any EventLoop, lookUp: @escaping @Sendable (UInt32) -> String? = loginName) {
        self.lookUp = lookUp
        work = BlockingWork(on: loop, threadCount: 1, maximumWaiting: 0, deadline: .sinceBegun(Self.timeout))
    }

    /// The name of user `uid`; `nil` where there is none, or none was found yet.
    package subscript(uid: UInt32) -> String? { names[uid] ?? nil }

    /// Looks up the name of user `uid`, if that was not done.
    func find(_ uid: UInt32) {
        guard names[uid] == nil else { return }
        work.run(for: uid) { [lookUp] in lookUp(uid) }.result.assumeIsolated().whenSuccess { name in
            // Attack: users without end, as a user namespace has them.
            if self.names.count >= Self.maximumCount { self.names.removeAll() }
            self.names.updateValue(name, forKey: uid)
        }
    }

    /// Looks up nothing from now on.
    func stop() { work.stop() }
}

/// The login name of user `uid`, wherever the machine keeps names; `nil` where there is none.
@Sendable func loginName(of uid: UInt32) -> String? {
    var (entry, found) = (passwd(), UnsafeMutablePointer<passwd>?.none)
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 16_384) { buffer in
        guard getpwuid_r(uid, &entry, buffer.baseAddress!, buffer.count, &found) == 0, found != nil else { return nil }
        return String(cString: entry.pw_name)
    }
}
