internal import Glibc
internal import NIOCore

/// The login names of users, for display.
///
/// Confined to the event loop. Attack: names are kept by a server that does not answer, nsswitch.conf(5), and a user
/// whose name is not known connects. So a look-up is ``BlockingWork``: nothing waits for it, and until it is done there
/// is no name.
package final class UserNames {
    /// The maximum number of names that are kept.
    static let maximumCount = 1000
    /// The timeout of a look-up. Until a look-up has ended, the same user is not looked up again.
    private static let timeout = TimeAmount.seconds(10)

    private let lookUp: @Sendable (UInt32) -> String?
    private let work: BlockingWork
    private var names: [UInt32: String?] = [:]

    /// - Parameter lookUp: Finds a name, on this object's own thread.
    init(on loop: any EventLoop, lookUp: @escaping @Sendable (UInt32) -> String? = loginName) {
        self.lookUp = lookUp
        work = BlockingWork(on: loop, threadCount: 1, maximumWaiting: 0, deadline: .fromStart(Self.timeout))
    }

    /// The name of user `uid`, or `nil` if there is none, or if it has not been found yet.
    package subscript(uid: UInt32) -> String? { names[uid] ?? nil }

    /// Looks up the name of user `uid`, unless that was done before.
    func find(_ uid: UInt32) {
        guard names[uid] == nil else { return }
        work.run(for: uid) { [lookUp] in lookUp(uid) }.result.assumeIsolated().whenSuccess { name in
            // Attack: an endless series of users, as from a user namespace.
            if self.names.count >= Self.maximumCount { self.names.removeAll() }
            self.names.updateValue(name, forKey: uid)
        }
    }

    /// Ends all look-ups.
    func stop() { work.stop() }
}

/// Returns the login name of user `uid`, from wherever the machine keeps names, or `nil` if none was found.
@Sendable func loginName(of uid: UInt32) -> String? {
    var (entry, found) = (passwd(), UnsafeMutablePointer<passwd>?.none)
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 16_384) { buffer in
        guard getpwuid_r(uid, &entry, buffer.baseAddress!, buffer.count, &found) == 0, found != nil else { return nil }
        return String(cString: entry.pw_name)
    }
}
