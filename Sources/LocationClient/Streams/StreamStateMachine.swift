internal import EventLoopSupport

/// The state machine of a stream: when to connect, wait, greet, call, read and deliver.
///
/// It advances only when its reader demands an element, and then performs one action at a time until it has an
/// element to deliver. Each function returns the next action, whose outcome is the next call. `now` is in seconds, on
/// a clock that never goes back.
struct StreamStateMachine<Source: StreamSource> {
    enum Action {
        case connect
        case wait(seconds: Double)
        /// A call of GetAuthorization, which is answered at once if the daemon is there.
        case greet
        case call(Source.Called.Parameters)
        case read
        case report(Source.Element)
        /// The end of the stream, with the error unless it is the natural end.
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
    private var unreported: [Source.Element] = []
    /// A Boolean value indicating whether the daemon ever answered.
    private var wasThere = false
    /// A Boolean value indicating whether `disconnected` was delivered, and `reconnected` not yet.
    private var isMissed = false
    private var authorization: AuthorizationState?

    /// Creates the state machine of a stream that begins at `now`.
    ///
    /// - Parameters:
    ///   - backoff: The delays before attempts to reconnect.
    ///   - waitsForDaemon: A Boolean value indicating whether to wait for a daemon that was never there, instead of
    ///     failing.
    init(_ source: Source, backoff: Backoff, waitsForDaemon: Bool, now: Double) {
        self.source = source
        self.backoff = backoff
        self.waitsForDaemon = waitsForDaemon
        beginning = now
    }

    /// Handles the reader's demand for the next element.
    mutating func demanded(now: Double) -> Action {
        guard unreported.isEmpty else { return .report(unreported.removeFirst()) }
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

    /// Handles the end of a wait.
    mutating func waited() -> Action { .connect }

    /// Handles an established connection.
    mutating func connected(now: Double) -> Action { Source.greets ? .greet : call(now: now) }

    /// Handles the daemon's reply to the greeting.
    mutating func greeted(_ authorization: AuthorizationState, now: Double) -> Action {
        phase = .greeted
        answered()
        if let before = self.authorization, before != authorization { report(.authorizationChanged(authorization)) }
        self.authorization = authorization
        return demanded(now: now)
    }

    /// Handles a reply of the stream.
    mutating func replied(_ reply: Source.Called.Reply, now: Double) -> Action {
        answered()
        if let element = source.element(of: reply) { unreported.append(element) }
        authorization = source.authorization(in: reply) ?? authorization
        return demanded(now: now)
    }

    /// Handles the end of the replies.
    mutating func completed(now: Double) -> Action {
        phase = .ended(nil)
        return demanded(now: now)
    }

    /// Handles an error: the daemon refused, ended the stream, or is gone.
    mutating func failed(_ error: LocationError, now: Double) -> Action {
        if case .daemonUnreachable = error, wasThere || waitsForDaemon { return lost(now: now) }
        phase = .ended(error)
        return demanded(now: now)
    }

    private mutating func lost(now: Double) -> Action {
        phase = .lost(wait: backoff.next())
        if !isMissed {
            isMissed = true
            report(.disconnected)
        }
        return demanded(now: now)
    }

    private mutating func answered() {
        wasThere = true
        backoff.reset()
        guard isMissed else { return }
        isMissed = false
        report(.reconnected)
    }

    private mutating func call(now: Double) -> Action {
        guard let parameters = source.parameters(after: now - beginning) else {
            phase = .ended(nil)
            return .finish(nil)
        }
        phase = .streaming
        return .call(parameters)
    }

    private mutating func report(_ notice: StreamNotice) {
        if let element = source.element(of: notice) { unreported.append(element) }
    }
}
