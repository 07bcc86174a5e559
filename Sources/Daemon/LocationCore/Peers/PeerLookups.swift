internal import AuthorizationPolicy
internal import Linux
internal import LocationModel
internal import NIOCore
internal import PeerIdentity

/// Identifies peers without blocking the event loop.
///
/// Attack: a peer's program is on a file system that the peer serves itself, and that blocks for as long as the peer
/// likes. So a look-up is ``BlockingWork``: a user whose file system hangs is refused, and no other user waits.
///
/// Attack: the peer connects with all of its subordinate user IDs. So all of them count as their owner.
final class PeerLookups {
    /// The timeout of a look-up.
    static let timeout = TimeAmount.seconds(10)
    /// The number of look-ups at the same time.
    static let threadCount = 8
    /// The number of these reserved for root, for users with a session, and for users who were looked up in time
    /// before. The others wait if the look-ups of as many users hang as there are other threads.
    static let reservedThreadCount = 4

    private let identifier: any PeerIdentifying
    private let work: BlockingWork
    private let sockets: SocketLookups
    private var owners: UserOwners

    /// - Parameters:
    ///   - identifier: Makes the look-ups, on this object's own threads.
    ///   - owners: The owners of subordinate user IDs.
    ///   - standing: The standing of the owners. The look-ups change it.
    init(
        _ identifier: any PeerIdentifying, on loop: any EventLoop, owners: UserOwners = UserOwners(),
        standing: LookupStanding = LookupStanding()
    ) {
        self.identifier = identifier
        self.owners = owners
        // A user has at most as many waiting look-ups as connections: a closed connection's look-up is withdrawn.
        work = BlockingWork(
            on: loop, threadCount: Self.threadCount, reservedThreadCount: Self.reservedThreadCount,
            standing: standing, maximumWaiting: .max, deadline: .fromStart(Self.timeout))
        sockets = SocketLookups(identifier, on: loop, work)
    }

    /// Looks up a process of user `uid`. Succeeds with the facts, or with the reason why the process is refused.
    ///
    /// - Parameters:
    ///   - wantsLogin: `true` if the login is needed too.
    ///   - wantsConfinement: `true` if ``PeerFacts/isConfined`` is needed too.
    func facts(
        of process: ProcessDescriptor, uid: UInt32, wantsLogin: Bool, wantsConfinement: Bool = false
    ) -> BlockingWork.Request<Result<PeerFacts, IdentityRefusal>> {
        let request = work.run(for: owners.owner(of: uid)) { [identifier] in
            identifier.facts(
                of: process, uid: uid, wantsLogin: wantsLogin, wantsConfinement: wantsConfinement)
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
        sockets.facts(of: socket, countedFor: owners.owner(of: socket.uid), wantsLogin: wantsLogin)
    }

    /// Looks up the login of a process of user `uid`. Succeeds with the login, or with the reason why it is unknown.
    func loginOwner(
        of process: ProcessDescriptor, uid: UInt32
    ) -> EventLoopFuture<Result<Login.Owner?, Login.Failure>> {
        work.run(for: owners.owner(of: uid)) { [identifier] in identifier.login(of: process) }.result
            .flatMapErrorThrowing { _ in .failure(Login.Failure(errno: 0)) }
    }

    /// Looks up the time when a process of user `uid` started. Succeeds with `nil` if that is not known.
    func startTime(of process: ProcessDescriptor, uid: UInt32) -> BlockingWork.Request<UInt64?> {
        let request = work.run(for: owners.owner(of: uid)) { [identifier] in identifier.startTime(of: process) }
        return BlockingWork.Request(
            result: request.result.flatMapErrorThrowing { _ in nil }, withdraw: request.withdraw)
    }

    /// Ends the look-ups that are under way, and starts no others.
    func stop() {
        work.stop()
        sockets.stop()
    }
}
