internal import AuthorizationPolicy
internal import CLinux
internal import Glibc
internal import JSON
internal import Linux
internal import LocationModel
internal import PeerIdentity
internal import Synchronization

/// The server for one user's connections. Each has its own thread, so that a hanging file system holds up only one of
/// them.
final class Server: Sendable {
    /// The maximum number of connections. The daemon has one for each concurrent request and one for each wake. A
    /// connection that it has abandoned stays until the pending call has returned.
    static let maximumConnections = 96
    /// The maximum number of concurrent lookups in users' file systems. Root's lookups are exempt.
    static let maximumLookups = 64
    /// The maximum number of concurrent lookups for any user. Beyond it, only users in good standing may begin one.
    static let maximumUnreservedLookups = 32
    /// The daemon's timeout for a lookup, in nanoseconds.
    private static let timeout: UInt64 = 10_000_000_000
    private static let stackSize = 256 * 1024

    private let listener: CInt
    private let user: uid_t
    private let state = Mutex(State())

    private struct State {
        var connections = 0
        /// The number of lookups in users' file systems that have not ended.
        var lookups: [Lookup: Int] = [:]
        var owners = UserOwners()
        var standing = LookupStanding()
        /// The time of the last line about a wake.
        var loggedAt: UInt64 = 0

        /// Counts a new lookup. Returns `nil` if there is no room for it.
        mutating func begin(for uid: uid_t, isWake: Bool, at now: UInt64) -> Lookup? {
            let lookup = Lookup(user: owners.owner(of: uid), isWake: isWake)
            let all = lookups.values.reduce(0, +)
            guard lookups[lookup, default: 0] < lookup.limit, lookup.user == 0 || all < Server.maximumLookups,
                all < Server.maximumUnreservedLookups || standing.isReserved(for: lookup.user, at: now)
            else { return nil }
            lookups[lookup, default: 0] += 1
            return lookup
        }

        /// Counts the end of a lookup.
        mutating func end(_ lookup: Lookup, begun start: UInt64, at now: UInt64) {
            let rest = lookups[lookup, default: 1] - 1
            lookups[lookup] = rest > 0 ? rest : nil
            if now - start < Server.timeout {
                standing.noteAnswer(of: lookup.user)
            } else {
                standing.noteDelay(of: lookup.user, at: now)
            }
        }
    }

    /// A lookup in file systems that a user controls.
    private struct Lookup: Hashable {
        /// The user whose process or path is looked up or, for a subordinate user ID, its owner.
        let user: uid_t
        let isWake: Bool

        /// The maximum number of concurrent lookups. The daemon makes one lookup of each kind at a time for a user, and
        /// one more for the management socket. It abandons identity lookups that take too long, and requests them
        /// again.
        var limit: Int { isWake ? 1 : 3 }
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
    /// Attack: another user gains access to the socket, and through it to everything that this process may read.
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
        switch request {
        case .wake(let path, _, let line?) where !Self.isEvent(line):
            return PeersAnswer(.notWoken(WakeRefusal(description: "\(path): the line to write is not an event")))
        case .wake(let path, let uid, _):
            let refusal = WakeRefusal(
                description: "\(path): another wake of user \(uid) has not ended: check its file system")
            let answer = lookUp(for: uid, isWake: true, orElse: .notWoken(refusal)) {
                request.answer(pidfd: descriptor)
            }
            if case .notWoken(let refusal) = answer.reply, let finding = refusal.finding { log(path, uid, finding) }
            return answer
        case .identity(let uid), .holders(_, let uid):
            return lookUp(for: uid, isWake: false, orElse: .refused(.unanswered)) {
                request.answer(pidfd: descriptor)
            }
        case .loginOwner, .executable, .startTime, .confinement: return request.answer(pidfd: descriptor)
        }
    }

    /// Looks something up in a user's file systems, or returns the refusal if too many lookups have not ended.
    ///
    /// Attack: a user names path after path, or runs program after program, in a file system that never answers, until
    /// every thread waits there and no other user is answered.
    private func lookUp(
        for uid: uid_t, isWake: Bool, orElse refusal: PeersReply, _ body: () -> PeersAnswer
    ) -> PeersAnswer {
        let start = Self.now()
        guard let lookup = state.withLock({ $0.begin(for: uid, isWake: isWake, at: start) }) else {
            return PeersAnswer(refusal)
        }
        defer { state.withLock { $0.end(lookup, begun: start, at: Self.now()) } }
        return body()
    }

    /// Logs the kind of file that is at a path instead of an app's socket. The daemon does not learn it.
    ///
    /// Attack: an attacker who has taken over the daemon fills the journal. So there is at most one line a second.
    private func log(_ path: String, _ uid: uid_t, _ finding: String) {
        let now = Self.now()
        let isDue = state.withLock { state in
            guard now - state.loggedAt >= 1_000_000_000 else { return false }
            state.loggedAt = now
            return true
        }
        guard isDue else { return }
        // Attack: a path has a bidirectional override, and the line reads like another one.
        let readable = path.unicodeScalars.map { $0.escaped(asASCII: true) }.joined()
        let line = Array("locationd-peers: wake of user \(uid) refused: \(readable): \(finding)\n".utf8)
        _ = write(STDERR_FILENO, line, line.count)
    }

    /// Returns the time in nanoseconds, on a clock that does not jump.
    private static func now() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    /// Returns whether the line is one of the daemon's events.
    ///
    /// Attack: an attacker who has taken over the daemon sends HTTP, or another protocol, to root's sockets in root's
    /// name. So only a single line is written, and the whole line is one of the daemon's events.
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
