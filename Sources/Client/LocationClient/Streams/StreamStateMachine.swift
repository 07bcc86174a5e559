internal import EventLoopSupport

/// The state machine of a stream: when to connect, wait, greet, call, read and deliver.
///
/// It advances only when its reader demands an element, and then performs one action at a time until it has an
/// element to deliver. The outcome of an action is the next event.
struct StreamStateMachine<Source: StreamSource> {
    enum Event {
        /// The reader demands the next element.
        case demanded
        /// A wait is over.
        case waited
        case connected
        /// The daemon has replied to the greeting.
        case greeted(AuthorizationState)
        /// The stream has replied.
        case replied(Source.Called.Reply)
        /// The replies have ended.
        case completed
        /// The daemon refused, ended the stream, or is gone.
        case failed(LocationError)
    }

    enum Action {
        case connect
        case wait(seconds: Double)
        /// A call of GetAuthorization, which is answered at once if the daemon is running.
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
    /// A Boolean value indicating whether the daemon has ever answered.
    private var wasThere = false
    /// A Boolean value indicating whether `disconnected` was delivered, but `reconnected` not yet.
    private var isMissed = false
    private var authorization: AuthorizationState?

    /// Creates the state machine of a stream that begins at `now`.
    ///
    /// - Parameters:
    ///   - backoff: The delays before attempts to reconnect.
    ///   - waitsForDaemon: A Boolean value indicating whether to wait for a daemon that has not answered yet, instead
    ///     of failing.
    init(_ source: Source, backoff: Backoff, waitsForDaemon: Bool, now: Double) {
        self.source = source
        self.backoff = backoff
        self.waitsForDaemon = waitsForDaemon
        beginning = now
    }

    /// Handles an event. Returns the next action.
    ///
    /// - Parameter now: The time in seconds, on a monotonic clock.
    mutating func handle(_ event: Event, now: Double) -> Action {
        switch event {
        case .demanded: break
        case .waited: return .connect
        case .connected: return Source.greets ? .greet : call(now: now)
        case .greeted(let authorization):
            phase = .greeted
            answered()
            if let before = self.authorization, before != authorization { report(.authorizationChanged(authorization)) }
            self.authorization = authorization
        case .replied(let reply):
            answered()
            if let element = source.element(of: reply) { unreported.append(element) }
            authorization = source.authorization(in: reply) ?? authorization
        case .completed: phase = .ended(nil)
        case .failed(.daemonUnreachable) where wasThere || waitsForDaemon: lost()
        case .failed(let error): phase = .ended(error)
        }
        return next(now: now)
    }

    private mutating func next(now: Double) -> Action {
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

    private mutating func lost() {
        phase = .lost(wait: backoff.next())
        guard !isMissed else { return }
        isMissed = true
        report(.disconnected)
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
