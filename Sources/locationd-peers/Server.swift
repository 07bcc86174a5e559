internal import AuthorizationPolicy
internal import CLinux
internal import Glibc
internal import JSON
internal import Linux
internal import LocationModel
internal import PeerIdentity
internal import Synchronization

/// The server for one user's connections. Each has its own thread, so that a file system that hangs holds up no other.
final class Server: Sendable {
    /// The maximum number of connections. The daemon has one for each concurrent request and one for each wake.
    /// Connections that it has abandoned stay until what they wait for has ended.
    static let maximumConnections = 32
    private static let stackSize = 256 * 1024

    private let listener: CInt
    private let user: uid_t
    private let state = Mutex(State())

    private struct State {
        var connections = 0
        /// The number of lookups in users' file systems that have not ended.
        var lookups: [Lookup: Int] = [:]
    }

    /// A lookup in file systems that a user controls.
    private struct Lookup: Hashable {
        let user: uid_t
        let isWake: Bool

        /// The maximum number at once. The daemon makes one lookup of each kind at a time for a user, but it abandons
        /// those for an identity that take too long, and requests again.
        var limit: Int { isWake ? 1 : 4 }
    }

    /// A system call that failed.
    struct Failure: Error {
        let call: String
        let errno: CInt
    }

    /// Creates a server that answers one user only.
    ///
    /// - Parameter user: The user whose connections are accepted.
    init(listening listener: CInt, user: uid_t) {
        self.listener = listener
        self.user = user
    }

    /// Accepts connections until that fails.
    func run() throws(Failure) -> Never {
        while true {
            let connection = accept(listener, nil, nil)
            if connection < 0 {
                guard errno == EINTR || errno == ECONNABORTED else { throw Failure(call: "accept", errno: errno) }
                continue
            }
            guard admits(connection) else {
                close(connection)
                continue
            }
            try startThread { self.serve(connection) }
        }
    }

    /// Returns whether the connection is the user's and within the limit.
    ///
    /// Attack: another user gains access to the socket, and through it to what this process may read.
    private func admits(_ connection: CInt) -> Bool {
        var peer = peer_credentials()
        guard peer_credentials(connection, &peer) == 0, peer.uid == user else { return false }
        return state.withLock { state in
            guard state.connections < Self.maximumConnections else { return false }
            state.connections += 1
            return true
        }
    }

    private func serve(_ connection: CInt) {
        defer {
            close(connection)
            state.withLock { $0.connections -= 1 }
        }
        var bytes = [UInt8](repeating: 0, count: PeersRequest.maximumLength)
        while true {
            var descriptor: CInt = -1
            var descriptorCount = 1
            let count = packet_receive(connection, &bytes, bytes.count, &descriptor, &descriptorCount, -1)
            defer { if descriptorCount > 0 { close(descriptor) } }
            guard count > 0, let request = PeersRequest(bytes.prefix(count)) else { return }
            let answer = answer(request, descriptorCount > 0 ? descriptor : -1)
            guard send(answer, on: connection) else { return }
        }
    }

    /// Sends an answer. Returns whether that succeeded.
    private func send(_ answer: PeersAnswer, on connection: CInt) -> Bool {
        let bytes = answer.reply.bytes
        let processes = answer.processes.map(\.descriptor)
        return withExtendedLifetime(answer) {
            packet_send(connection, bytes, bytes.count, processes, processes.count) == 0
        }
    }

    private func answer(_ request: PeersRequest, _ descriptor: CInt) -> PeersAnswer {
        let lookup: Lookup
        let refusal: PeersReply
        switch request {
        case .wake(let path, let uid, let line):
            if let line, !Self.isEvent(line) {
                return PeersAnswer(
                    .notWoken(WakeRefusal(description: "\(path): the line to write is not an event")))
            }
            lookup = Lookup(user: uid, isWake: true)
            refusal = .notWoken(
                WakeRefusal(
                    description: "\(path): another wake of user \(uid) has not ended: check its file system"))
        case .identity(let uid), .holders(_, let uid):
            lookup = Lookup(user: uid, isWake: false)
            refusal = .refused(.unanswered)
        default: return request.answer(pidfd: descriptor)
        }
        // Attack: a user gives one path after another, or runs one program after another, in a file system that never
        // answers, until every thread waits there and nobody else is answered.
        let isFree = state.withLock { state in
            guard state.lookups[lookup, default: 0] < lookup.limit else { return false }
            state.lookups[lookup, default: 0] += 1
            return true
        }
        guard isFree else { return PeersAnswer(refusal) }
        defer {
            state.withLock { state in
                let rest = state.lookups[lookup, default: 1] - 1
                state.lookups[lookup] = rest > 0 ? rest : nil
            }
        }
        return request.answer(pidfd: descriptor)
    }

    /// Returns whether the line is an event of the daemon's.
    ///
    /// Attack: an attacker who has taken over the daemon sends HTTP, or whatever is understood there, to root's
    /// sockets in root's name. So what is written is a single line, and the whole line is an event of the daemon's.
    private static func isEvent(_ line: [UInt8]) -> Bool {
        guard line.starts(with: #"{"method":"io.locationd.Location."#.utf8), !line.contains(where: { $0 < 0x20 }),
            line.count <= WakeSocket.maximumLineLength, let event = try? JSONValue(parsing: line.span),
            case .object(let members) = event, case .object? = event["parameters"],
            let method = event["method"]?.string
        else { return false }
        return members.count == 2 && method.utf8.count <= 64
    }

    private func startThread(_ body: @escaping @Sendable () -> Void) throws(Failure) {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        pthread_attr_setdetachstate(&attributes, CInt(PTHREAD_CREATE_DETACHED))
        pthread_attr_setstacksize(&attributes, Self.stackSize)
        defer { pthread_attr_destroy(&attributes) }
        let box = Unmanaged.passRetained(Body(body))
        var thread = pthread_t()
        let failure = pthread_create(
            &thread, &attributes,
            { argument in
                Unmanaged<Body>.fromOpaque(argument!).takeRetainedValue().run()
                return nil
            }, box.toOpaque())
        guard failure == 0 else {
            box.release()
            throw Failure(call: "pthread_create", errno: failure)
        }
    }
}

/// The body of a thread, as an object that pthread_create(3) can pass by pointer.
private final class Body {
    let run: () -> Void

    init(_ run: @escaping () -> Void) { self.run = run }
}
