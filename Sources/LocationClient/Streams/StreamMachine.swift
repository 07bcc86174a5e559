/// What a stream does next: connects, waits, greets, calls, reads, tells.
///
/// It moves only when its reader demands something, and then does one thing at a time until it has something to tell. Each
/// function says what that next thing is; its outcome is the next call. `now` is seconds on a clock that never goes back.
struct StreamMachine<Source: StreamSource> {
    enum Action {
        case connect
        case wait(seconds: Double)
        /// Call GetAuthorization, which is answered at once where the daemon is there.
        case greet
        case call(Source.Called.Parameters)
        case read
        case tell(Source.Element)
        /// The end, with the reason where it is not the natural one.
        case finish(LocationError?)
    }

    private enum Phase {
        case disconnected
        case lost(wait: Double)
        case working
        case greeted
        case streaming
        case ended(LocationError?)
    }

    private var source: Source
    private var backoff: Backoff
    private let waitsForDaemon: Bool
    private let beginning: Double
    private var phase = Phase.disconnected
    private var untold: [Source.Element] = []
    /// A Boolean value indicating whether the daemon ever answered.
    private var wasThere = false
    /// A Boolean value indicating whether `disconnected` was told, and `reconnected` not yet.
    private var isMissed = false
    private var authorization: AuthorizationState?

    /// - Parameters:
    ///   - backoff: How long to wait before connecting anew.
    ///   - waitsForDaemon: Whether a daemon that was never there is waited for, rather than an error.
    init(_ source: Source, backoff: Backoff, waitsForDaemon: Bool, now: Double) {
        self.source = source
        self.backoff = backoff
        self.waitsForDaemon = waitsForDaemon
        beginning = now
    }

    /// The reader wants the next element.
    mutating func demanded(now: Double) -> Action {
        guard untold.isEmpty else { return .tell(untold.removeFirst()) }
        switch phase {
        case .disconnected:
            phase = .working
            return .connect
        case .lost(let seconds):
            phase = .working
            return .wait(seconds: seconds)
        case .greeted: return call(now: now)
        case .working, .streaming: return .read
        case .ended(let error):
            phase = .ended(nil)
            return .finish(error)
        }
    }

    /// It has waited.
    mutating func waited() -> Action { .connect }

    /// The connection is there.
    mutating func connected(now: Double) -> Action { Source.greets ? .greet : call(now: now) }

    /// The daemon has answered the greeting.
    mutating func greeted(_ authorization: AuthorizationState, now: Double) -> Action {
        phase = .greeted
        answered()
        if let before = self.authorization, before != authorization { tell(.authorizationChanged(authorization)) }
        self.authorization = authorization
        return demanded(now: now)
    }

    /// A reply of the stream has come.
    mutating func replied(_ reply: Source.Called.Reply, now: Double) -> Action {
        answered()
        if let element = source.element(of: reply) { untold.append(element) }
        authorization = source.authorization(in: reply) ?? authorization
        return demanded(now: now)
    }

    /// The last reply has come.
    mutating func completed(now: Double) -> Action {
        phase = .ended(nil)
        return demanded(now: now)
    }

    /// The daemon refused, or ended the stream.
    mutating func failed(_ error: LocationError, now: Double) -> Action {
        if case .daemonUnreachable = error, wasThere || waitsForDaemon { return lost(now: now) }
        phase = .ended(error)
        return demanded(now: now)
    }

    private mutating func lost(now: Double) -> Action {
        phase = .lost(wait: backoff.next())
        if !isMissed {
            isMissed = true
            tell(.disconnected)
        }
        return demanded(now: now)
    }

    private mutating func answered() {
        wasThere = true
        backoff.reset()
        guard isMissed else { return }
        isMissed = false
        tell(.reconnected)
    }

    private mutating func call(now: Double) -> Action {
        guard let parameters = source.parameters(after: now - beginning) else {
            phase = .ended(nil)
            return .finish(nil)
        }
        phase = .streaming
        return .call(parameters)
    }

    private mutating func tell(_ notice: StreamNotice) {
        if let element = source.element(of: notice) { untold.append(element) }
    }
}
