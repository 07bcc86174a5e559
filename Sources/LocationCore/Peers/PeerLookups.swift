internal import AuthorizationPolicy
internal import Linux
internal import LocationModel
internal import NIOCore
internal import PeerIdentity

/// What is found out about a process before its calls are taken up.
struct PeerFacts: Sendable {
    /// Which app it is.
    let identity: AppIdentity
    /// The login that keeps it; `nil` where none does. A failure where that was not asked, or could not be found out.
    let loginOwner: Result<Login.Owner?, Login.Failure>
    /// The file that it runs; `nil` where it cannot be read.
    let executable: String?
}

/// Finds out who peers are, without holding the event loop up.
///
/// Attack: the root of a peer's process is a file system that the peer serves itself (FUSE below overlayfs, in a user
/// namespace of its own), and a look inside waits for as long as it likes. So looking is ``BlockingWork``: a user whose
/// file system hangs is refused, and nobody else waits.
final class PeerLookups {
    /// How long a look may take.
    static let timeout = TimeAmount.seconds(1)
    /// As many users have to hang at the same time before others wait.
    static let threadCount = 4

    private let identifier: any PeerIdentifying
    private let loop: any EventLoop
    private let work: BlockingWork

    /// - Parameter identifier: looks, on threads of this object's own.
    init(_ identifier: any PeerIdentifying, on loop: any EventLoop) {
        self.identifier = identifier
        self.loop = loop
        // As many wait as a user has connections: what was asked for one that is closed is withdrawn.
        work = BlockingWork(
            on: loop, threadCount: Self.threadCount, maximumWaiting: .max, deadline: .sinceBegun(Self.timeout))
    }

    /// Succeeds with what there is to know of the process of user `uid`, or with why it is refused.
    ///
    /// - Parameter wantsLogin: Whether the login counts.
    func facts(
        of process: ProcessDescriptor, uid: UInt32, wantsLogin: Bool
    ) -> BlockingWork.Request<Result<PeerFacts, IdentityRefusal>> {
        let request = work.run(for: uid) { [identifier] () -> Result<PeerFacts, IdentityRefusal> in
            do throws(IdentityRefusal) {
                let identity = try identifier.identity(of: process, uid: uid)
                return .success(
                    PeerFacts(
                        identity: identity,
                        loginOwner: wantsLogin ? identifier.login(of: process) : .failure(Login.Failure(errno: 0)),
                        executable: identifier.executable(of: process)))
            } catch {
                return .failure(error)
            }
        }
        return BlockingWork.Request(
            result: request.result.flatMapErrorThrowing { _ in .failure(.unanswered) }, withdraw: request.withdraw)
    }

    /// Succeeds with the login that keeps the process of user `uid`, or with why that could not be found out.
    func loginOwner(
        of process: ProcessDescriptor, uid: UInt32
    ) -> EventLoopFuture<Result<Login.Owner?, Login.Failure>> {
        work.run(for: uid) { [identifier] in identifier.login(of: process) }.result
            .flatMapErrorThrowing { _ in .failure(Login.Failure(errno: 0)) }
    }

    /// Ends what is under way; nothing is found out from now on.
    func stop() { work.stop() }
}

extension PeerIdentifying {
    fileprivate func login(of process: ProcessDescriptor) -> Result<Login.Owner?, Login.Failure> {
        do throws(Login.Failure) { return .success(try loginOwner(of: process)) } catch { return .failure(error) }
    }
}
