import AuthorizationPolicy
import CLinux
import Glibc
import LocationModel

@testable import PeerIdentity

/// The identity of the process that runs the tests.
enum OwnIdentity {
    /// The identity, or `nil` if it cannot be read.
    static let value: AppIdentity? = {
        let pidfd = process_open(getpid())
        defer { close(pidfd) }
        return try? ProcessReader(pidfd: pidfd).identity(uid: geteuid())
    }()
    /// A Boolean value indicating whether the tests run outside of any unit of systemd. In a unit of its own, a process
    /// and all that it starts are one app, with the name of that unit.
    static let isExecutable = value?.kind == .exe
}
