internal import AuthorizationPolicy
internal import Linux
internal import LocationModel
internal import NIOCore
internal import PeerIdentity

/// The facts about a peer that are needed before its calls are handled.
struct PeerFacts: Sendable {
    /// The app that the peer is.
    let identity: AppIdentity
    /// The processes that the peer is: one, or all that hold its socket.
    let processes: [ProcessFacts]
}

/// The facts about one process of a peer.
struct ProcessFacts: Sendable {
    /// The process.
    let process: ProcessDescriptor
    /// The login that the process belongs to, or `nil` for none. A failure if it was not looked up, or is not known.
    let loginOwner: Result<Login.Owner?, Login.Failure>
    /// The file that the process runs, or `nil` if it cannot be read.
    let executable: String?
}

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
    private let loop: any EventLoop
    private let work: BlockingWork

    /// - Parameter identifier: Makes the look-ups, on this object's own threads.
    init(_ identifier: any PeerIdentifying, on loop: any EventLoop) {
        self.identifier = identifier
        self.loop = loop
        // A user has at most as many waiting look-ups as connections: that of a closed connection is withdrawn.
        work = BlockingWork(
            on: loop, threadCount: Self.threadCount, maximumWaiting: .max, deadline: .fromStart(Self.timeout))
    }

    /// Looks up a process of user `uid`. Succeeds with the facts, or with the reason why the process is refused.
    ///
    /// - Parameter wantsLogin: `true` if the login is needed too.
    func facts(
        of process: ProcessDescriptor, uid: UInt32, wantsLogin: Bool
    ) -> BlockingWork.Request<Result<PeerFacts, IdentityRefusal>> {
        facts(of: uid, wantsLogin: wantsLogin) { identifier throws(IdentityRefusal) in
            SocketHolders(app: try identifier.identity(of: process, uid: uid), processes: [process])
        }
    }

    /// Looks up the processes that hold a socket. Succeeds with the facts, or with the reason for a refusal.
    ///
    /// - Parameter wantsLogin: `true` if the logins are needed too.
    func facts(
        of socket: TCPSocketOwner, wantsLogin: Bool
    ) -> BlockingWork.Request<Result<PeerFacts, IdentityRefusal>> {
        facts(of: socket.uid, wantsLogin: wantsLogin) { identifier throws(IdentityRefusal) in
            let holders = try identifier.holders(of: socket)
            guard socket.isConnected else { throw .socketElsewhere }
            return holders
        }
    }

    private func facts(
        of uid: UInt32, wantsLogin: Bool,
        _ find: @escaping @Sendable (any PeerIdentifying) throws(IdentityRefusal) -> SocketHolders
    ) -> BlockingWork.Request<Result<PeerFacts, IdentityRefusal>> {
        let request = work.run(for: uid) { [identifier] () -> Result<PeerFacts, IdentityRefusal> in
            do throws(IdentityRefusal) {
                let found = try find(identifier)
                let processes = found.processes.map { identifier.facts(of: $0, wantsLogin: wantsLogin) }
                return .success(PeerFacts(identity: found.app, processes: processes))
            } catch {
                return .failure(error)
            }
        }
        return BlockingWork.Request(
            result: request.result.flatMapErrorThrowing { _ in .failure(.unanswered) }, withdraw: request.withdraw)
    }

    /// Looks up the login of a process of user `uid`. Succeeds with the login, or with the reason why it is unknown.
    func loginOwner(
        of process: ProcessDescriptor, uid: UInt32
    ) -> EventLoopFuture<Result<Login.Owner?, Login.Failure>> {
        work.run(for: uid) { [identifier] in identifier.login(of: process) }.result
            .flatMapErrorThrowing { _ in .failure(Login.Failure(errno: 0)) }
    }

    /// Ends the look-ups that are under way, and starts no others.
    func stop() { work.stop() }
}

extension PeerIdentifying {
    fileprivate func facts(of process: ProcessDescriptor, wantsLogin: Bool) -> ProcessFacts {
        ProcessFacts(
            process: process, loginOwner: wantsLogin ? login(of: process) : .failure(Login.Failure(errno: 0)),
            executable: executable(of: process))
    }

    fileprivate func login(of process: ProcessDescriptor) -> Result<Login.Owner?, Login.Failure> {
        do throws(Login.Failure) { return .success(try loginOwner(of: process)) } catch { return .failure(error) }
    }
}
