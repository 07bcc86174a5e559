internal import AuthorizationPolicy
internal import CLinux
internal import Glibc
internal import Linux
internal import LocationModel
internal import NIOConcurrencyHelpers
internal import PeerIdentity

/// Examines processes through locationd-peers, which has rights that the daemon lacks.
///
/// A request blocks its thread until the answer arrives, as reading proc(5) does: for a few hundred microseconds, and
/// never longer than ``timeout``. Without an answer, the peer is refused. To be called on any thread but the loop's.
struct PeersService: PeerIdentifying {
    /// The timeout of a request, in milliseconds. The service manager starts the service in that time, and an app's
    /// socket accepts a line.
    static let timeout: CInt = 10_000

    /// The path of the service's socket.
    let path: String
    /// The connections without an outstanding answer.
    private let connections = NIOLockedValueBox<[PeersConnection]>([])

    init(path: String) { self.path = path }

    /// Starts the service, and checks that it answers, by having it identify the daemon itself.
    func start() throws(IdentityRefusal) {
        let own = process_open(getpid())
        guard own >= 0 else { throw .processGone }
        let process = ProcessDescriptor(owning: own)
        _ = try identity(of: process, uid: geteuid())
    }

    func identity(of process: ProcessDescriptor, uid: uid_t) throws(IdentityRefusal) -> AppIdentity {
        switch ask(.identity(uid: uid), about: process)?.reply {
        case .identity(let app): return app
        case .refused(let refusal): throw refusal
        default: throw .unanswered
        }
    }

    func holders(of sockets: [SocketOrigin], uid: uid_t) throws(IdentityRefusal) -> [SocketHolders.Outcome] {
        guard let answer = ask(.holders(of: sockets, uid: uid), about: nil) else { throw .unanswered }
        switch answer.reply {
        case .holders(let reply):
            // Without room for their descriptors, not all processes arrive.
            guard let outcomes = reply.outcomes(answer.processes), outcomes.count == sockets.count else {
                throw .unanswered
            }
            return outcomes
        case .refused(let refusal): throw refusal
        default: throw .unanswered
        }
    }

    func loginOwner(of process: ProcessDescriptor) throws(Login.Failure) -> Login.Owner? {
        switch ask(.loginOwner, about: process)?.reply {
        case .owner(let owner): return owner
        case .failed(let errno): throw Login.Failure(errno: errno)
        default: throw Login.Failure(errno: ETIMEDOUT)
        }
    }

    func executable(of process: ProcessDescriptor) -> String? {
        guard case .executable(let path) = ask(.executable, about: process)?.reply else { return nil }
        return path
    }

    func startTime(of process: ProcessDescriptor) -> UInt64? {
        guard case .startTime(let time) = ask(.startTime, about: process)?.reply else { return nil }
        return time
    }

    func isConfined(_ process: ProcessDescriptor) -> Bool {
        guard case .confinement(let isConfined) = ask(.confinement, about: process)?.reply else { return true }
        return isConfined
    }

    func wake(_ path: String, of uid: uid_t, line: [UInt8]?) throws(WakeRefusal) {
        // Attack: a path with a line break would be another request.
        try WakeSocket.validatePath(path)
        // On a connection of its own, so that a hanging file system delays no other request.
        let outcome = PeersConnection(path: self.path)?
            .ask(.wake(path: path, uid: uid, line: line), about: nil, within: Self.timeout)
        if case .answer(let answer) = outcome {
            if case .woken = answer.reply { return }
            if case .notWoken(let refusal) = answer.reply { throw refusal }
        }
        throw WakeRefusal(
            description: "\(path): locationd-peers does not answer: see its unit's journal",
            mayHaveArrived: line != nil && outcome != nil)
    }

    /// Sends a request on a free connection, or on a new one if there is none. If the service was restarted, its free
    /// connections have been closed, and the next one is tried.
    private func ask(_ request: PeersRequest, about process: ProcessDescriptor?) -> PeersAnswer? {
        while true {
            let known = connections.withLockedValue { $0.popLast() }
            guard let socket = known ?? PeersConnection(path: path) else { return nil }
            switch socket.ask(request, about: process, within: Self.timeout) {
            case .answer(let answer):
                connections.withLockedValue { $0.append(socket) }
                return answer
            case .closed:
                if known == nil { return nil }
            // A connection with an outstanding answer would return that answer to the next request.
            case .overdue: return nil
            }
        }
    }
}
