internal import EventLoopSupport
internal import LocationProtocol
internal import NIOConcurrencyHelpers
internal import NIOCore
internal import Varlink

/// The connection that a client keeps. It carries the calls that are answered at once, and the declaration that the
/// process is in the background, which ends with the connection.
final class ControlConnection: Sendable {
    private struct State {
        var connection: EventLoopFuture<VarlinkClient>?
        var isInBackground = false
        var backoff: Backoff
        var timer: Scheduled<Void>?
        var isClosed = false
    }

    private let daemon: DaemonSocket
    private let state: NIOLockedValueBox<State>

    init(_ daemon: DaemonSocket) {
        self.daemon = daemon
        state = NIOLockedValueBox(State(backoff: daemon.backoff))
    }

    /// Connects, unless there is a connection already.
    func open() {
        daemon.onLoop { [self] in _ = connection() }
    }

    /// Calls `method`, and calls `body` on the event loop. If the connection turns out to be closed, the call is
    /// repeated once on a new one: all methods called here may be called twice.
    func call<M: LocationMethod>(
        _ method: M.Type, _ parameters: M.Parameters,
        _ body: @escaping @Sendable (Result<M.Reply, LocationError>) -> Void
    ) {
        daemon.onLoop { [self] in
            let known = state.withLockedValue(\.connection)
            attempt(method, parameters) { [self] connection, result in
                if connection === known, case .failure(VarlinkClientError.closed) = result {
                    attempt(method, parameters) { [daemon] in body(LocationError.result(of: $1, path: daemon.path)) }
                } else {
                    body(LocationError.result(of: result, path: daemon.path))
                }
            }
        }
    }

    /// Declares whether the process is in the background, now and on each later connection.
    func setInBackground(
        _ isInBackground: Bool, _ body: @escaping @Sendable (Result<Void, LocationError>) -> Void
    ) {
        let wasInBackground = state.withLockedValue {
            let before = $0.isInBackground
            $0.isInBackground = isInBackground
            return before
        }
        call(SetBackground.self, .init(background: isInBackground)) { [self] result in
            // Without a daemon, no declaration is in effect. Only an earlier declaration is to be repeated.
            if case .failure = result {
                state.withLockedValue { $0.isInBackground = wasInBackground && isInBackground }
            }
            body(result.map { _ in })
        }
    }

    func close() {
        let (connection, timer) = state.withLockedValue {
            let held = ($0.connection, $0.timer)
            $0.isClosed = true
            $0.connection = nil
            return held
        }
        timer?.cancel()
        connection?.whenSuccess { $0.close() }
    }

    // MARK: On the event loop

    private typealias Answered = @Sendable (EventLoopFuture<VarlinkClient>, Result<JSONValue?, any Error>) -> Void

    private func attempt<M: LocationMethod>(
        _ method: M.Type, _ parameters: M.Parameters, _ answered: @escaping Answered
    ) {
        let connection = connection()
        connection.flatMap { client in
            do {
                return try client.replies(to: M.qualifiedName, parameters).next()
            } catch {
                return connection.eventLoop.makeFailedFuture(error)
            }
        }.whenComplete { [self] result in
            if case .failure(VarlinkClientError.closed) = result { lost(connection) }
            answered(connection, result)
        }
    }

    private func connection() -> EventLoopFuture<VarlinkClient> {
        if let known = state.withLockedValue(\.connection) { return known }
        let connection = daemon.connect()
        state.withLockedValue { if !$0.isClosed { $0.connection = connection } }
        connection.assumeIsolated().whenComplete { [weak self] result in
            switch result {
            case .success(let client):
                // Otherwise nothing would ever close this connection.
                guard let self, !state.withLockedValue(\.isClosed) else { return client.close() }
                greet(client)
                client.closed.assumeIsolated().whenComplete { [weak self] _ in self?.lost(connection) }
            case .failure: self?.lost(connection)
            }
        }
        return connection
    }

    private func greet(_ client: VarlinkClient) {
        let isInBackground = state.withLockedValue {
            $0.backoff.reset()
            return $0.isInBackground
        }
        guard isInBackground else { return }
        // The reply does not matter: if the call fails, the connection is gone and will be replaced.
        _ = try? client.replies(to: SetBackground.qualifiedName, SetBackground.Parameters(background: true)).next()
    }

    /// Drops a lost connection. If the process is in the background, a timer connects again to declare that;
    /// otherwise the next call connects.
    private func lost(_ connection: EventLoopFuture<VarlinkClient>) {
        let wait: Double? = state.withLockedValue {
            guard $0.connection === connection else { return nil }
            $0.connection = nil
            return $0.isInBackground && !$0.isClosed ? $0.backoff.next() : nil
        }
        guard let wait else { return }
        let timer = daemon.eventLoop.scheduleTask(in: .clamping(seconds: wait)) { [weak self] in
            _ = self?.connection()
        }
        state.withLockedValue { $0.timer = timer }
    }
}
