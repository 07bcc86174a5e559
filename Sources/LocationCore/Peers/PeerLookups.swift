internal import AuthorizationPolicy
internal import Linux
internal import LocationModel
internal import NIOCore
internal import PeerIdentity

/// Looks up who peers are, without blocking the event loop.
///
/// Attack: the root of a peer's process is a file system that the peer serves itself (FUSE below overlayfs, in a user
/// namespace of its own), and an access to it waits for as long as the peer likes. So a look-up is ``BlockingWork``:
/// a user whose file system hangs is refused, and nobody else waits.
final class PeerLookups {
    /// The timeout of a look-up.
    static let timeout = TimeAmount.seconds(10)
    /// The number of users whose look-ups have to hang at the same time before others wait.
    static let threadCount = 4

    private let identifier: any PeerIdentifying
    private let work: BlockingWork
    private let sockets: SocketLookups

    /// - Parameter identifier: Makes the look-ups, on this object's own threads.
    init(_ identifier: any PeerIdentifying, on loop: any EventLoop) {
        self.identifier = identifier
        // A user has at most as many waiting look-ups as connections: that of a closed connection is withdrawn.
        work = BlockingWork(
            on: loop, threadCount: Self.threadCount, maximumWaiting: .max, deadline: .fromStart(Self.timeout))
        sockets = SocketLookups(identifier, on: loop, work)
    }

    /// Looks up a process of user `uid`. Succeeds with the facts, or with the reason why the process is refused.
    ///
    /// - Parameter wantsLogin: `true` if the login is needed too.
    func facts(
        of process: ProcessDescriptor, uid: UInt32, wantsLogin: Bool
    ) -> BlockingWork.Request<Result<PeerFacts, IdentityRefusal>> {
        let request = work.run(for: uid) { [identifier] in
            identifier.facts(of: process, uid: uid, wantsLogin: wantsLogin)
        }
        return BlockingWork.Request(
            result: request.result.flatMapErrorThrowing { _ in .failure(.unanswered) }, withdraw: request.withdraw)
    }

    /// Looks up the processes that hold a socket. Succeeds with the facts, or with the reason for a refusal.
    ///
    /// - Parameter wantsLogin: `true` if the logins are needed too.
    func facts(
        of socket: TCPSocketOwner, wantsLogin: Bool
    ) -> BlockingWork.Request<Result<PeerFacts, IdentityRefusal>> {
        sockets.facts(of: socket, wantsLogin: wantsLogin)
    }

    /// Looks up the login of a process of user `uid`. Succeeds with the login, or with the reason why it is unknown.
    func loginOwner(
        of process: ProcessDescriptor, uid: UInt32
    ) -> EventLoopFuture<Result<Login.Owner?, Login.Failure>> {
        work.run(for: uid) { [identifier] in identifier.login(of: process) }.result
            .flatMapErrorThrowing { _ in .failure(Login.Failure(errno: 0)) }
    }

    /// Ends the look-ups that are under way, and starts no others.
    func stop() {
        work.stop()
        sockets.stop()
    }
}
