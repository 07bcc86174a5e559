internal import EventLoopSupport
internal import LocationModel
package import NIOCore

/// The authorization of a program that waits for it: watched as long as the program runs, across restarts of the
/// daemon, and requested when nobody has decided. Confined to the event loop.
package final class AuthorizationWatch {
    /// An event of the watch.
    package enum Event {
        /// The authorization, at first and after each change.
        case state(AuthorizationState)
        /// The authorization is not known, for this reason, and is asked for again in ``retryDelay``.
        ///
        /// Attack: a program that cuts this one off from the daemon keeps a revocation from it.
        case unknown(reason: String)
        /// Nobody has decided, and the user is asked from now on.
        case requested
        /// The user cannot be asked.
        case notRequested(LocationError)
    }

    /// The time after which the authorization, or a stream that ended, is asked for again.
    package static let retryDelay = TimeAmount.seconds(10)

    private let client: LocationClient
    private let level: AuthorizationLevel
    private let reason: String
    private let loop: any EventLoop
    private let retryTimer: LoopTimer
    private var onEvent: (Event) -> Void = { _ in }
    private var changes: CancellationHandle?
    private var request: CancellationHandle?

    /// - Parameters:
    ///   - level: The access to request.
    ///   - reason: The purpose of the location, for the prompt.
    package init(_ level: AuthorizationLevel, reason: String, client: LocationClient, on loop: any EventLoop) {
        self.client = client
        self.level = level
        self.reason = reason
        self.loop = loop
        retryTimer = LoopTimer(on: loop)
    }

    /// Starts. If the daemon does not run yet, waits for it. `onEvent` is called on the loop until ``stop()``.
    package func start(onEvent: @escaping (Event) -> Void) {
        self.onEvent = onEvent
        watch()
    }

    /// Ends, and withdraws the request.
    package func stop() {
        onEvent = { _ in }
        changes?.cancel()
        request?.cancel()
        retryTimer.cancel()
    }

    private func watch() {
        let bound = NIOLoopBound(self, eventLoop: loop)
        changes = client.authorizationChanges.subscribe(waitsForDaemon: true) { step in bound.value.receive(step) }
    }

    private func receive(_ step: StreamStep<AuthorizationState>) {
        switch step {
        case .element(let state):
            onEvent(.state(state))
            if state.servicesEnabled, state.status == .notDetermined { requestAuthorization() }
        case .ended(let error):
            onEvent(.unknown(reason: error?.description ?? "the stream ended"))
            retryTimer.set(in: Self.retryDelay) { [weak self] in self?.watch() }
        }
    }

    private func requestAuthorization() {
        onEvent(.requested)
        let bound = NIOLoopBound(self, eventLoop: loop)
        request?.cancel()
        request = client.authorizationRequest(level, reason: reason).send { result in
            // The answer itself arrives as a change.
            guard case .failure(let error) = result, error != .cancelled else { return }
            bound.value.onEvent(.notRequested(error))
        }
    }
}
