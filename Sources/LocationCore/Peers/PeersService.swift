internal import AuthorizationPolicy
internal import CLinux
internal import Glibc
internal import Linux
internal import LocationModel
internal import NIOConcurrencyHelpers
internal import PeerIdentity

/// Has locationd-peers look, which may do what the daemon may not.
///
/// A question blocks its thread for as long as the answer takes, as reading proc(5) does: some hundred microseconds, and
/// never longer than ``timeout``. Without an answer the peer is refused. To be called on any thread but the loop's.
struct PeersService: PeerIdentifying {
    /// How long a question may take, in milliseconds.
    static let timeout: CInt = 1000
    /// How long the service manager may take to start the service, in milliseconds. Nothing waits for the loop then.
    static let timeoutAtStart: CInt = 10_000
    /// How long a wake may take, in milliseconds: as long as its `Waker` waits.
    static let timeoutOfWakes: CInt = 10_000

    /// Of the service's socket.
    let path: String
    /// Those on which no answer is outstanding.
    private let connections = NIOLockedValueBox<[PeersConnection]>([])

    init(path: String) { self.path = path }

    /// Has the service started, and sees whether it answers: asks who the daemon is.
    func start() throws(IdentityRefusal) {
        let own = process_open(getpid())
        guard own >= 0 else { throw .processGone }
        let process = ProcessDescriptor(owning: own)
        _ = try identity(of: process, uid: geteuid(), within: Self.timeoutAtStart)
    }

    func identity(of process: ProcessDescriptor, uid: uid_t) throws(IdentityRefusal) -> AppIdentity {
        try identity(of: process, uid: uid, within: Self.timeout)
    }

    private func identity(
        of process: ProcessDescriptor, uid: uid_t, within milliseconds: CInt
    ) throws(IdentityRefusal) -> AppIdentity {
        switch ask(.identity(uid: uid), about: process, within: milliseconds) {
        case .identity(let app): return app
        case .refused(let refusal): throw refusal
        default: throw .unanswered
        }
    }

    func loginOwner(of process: ProcessDescriptor) throws(Login.Failure) -> Login.Owner? {
        switch ask(.loginOwner, about: process, within: Self.timeout) {
        case .owner(let owner): return owner
        case .failed(let errno): throw Login.Failure(errno: errno)
        default: throw Login.Failure(errno: ETIMEDOUT)
        }
    }

    func executable(of process: ProcessDescriptor) -> String? {
        guard case .executable(let path) = ask(.executable, about: process, within: Self.timeout) else { return nil }
        return path
    }

    func wake(_ path: String, of uid: uid_t, line: [UInt8]?) throws(WakeRefusal) {
        // Attack: a path with a line break would be another request.
        try WakeSocket.checkText(path)
        // On a connection of its own: a file system that hangs holds up nobody else.
        let outcome = PeersConnection(path: self.path)?
            .ask(.wake(path: path, uid: uid, line: line), descriptor: -1, within: Self.timeoutOfWakes)
        switch outcome {
        case .answer(.woken): return
        case .answer(.notWoken(let refusal)): throw refusal
        default:
            throw WakeRefusal(
                description: "\(path): locationd-peers does not answer: see its unit's journal",
                mayHaveArrived: line != nil && outcome != nil)
        }
    }

    /// Asks on a connection that is free, else on a new one. The service may have been started again: then those that
    /// were free are closed.
    private func ask(
        _ request: PeersRequest, about process: ProcessDescriptor, within milliseconds: CInt
    ) -> PeersAnswer? {
        while true {
            let known = connections.withLockedValue { $0.popLast() }
            guard let socket = known ?? PeersConnection(path: path) else { return nil }
            switch socket.ask(request, descriptor: process.descriptor, within: milliseconds) {
            case .answer(let answer):
                connections.withLockedValue { $0.append(socket) }
                return answer
            case .closed:
                if known == nil { return nil }
            // One on which an answer is outstanding would give that to the next question.
            case .overdue: return nil
            }
        }
    }
}
