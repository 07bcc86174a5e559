package import EventLoopSupport
internal import LocationModel
package import NIOCore

/// The streams of a service, open only while it is authorized.
///
/// The authorization is watched while the service runs, across restarts of the daemon, and requested if the user has
/// not decided. Its changes and the streams' failures are logged here. Confined to the event loop.
package final class AuthorizedStreams {
    /// An event for the service.
    package enum Event {
        /// The authorization: the current one, then each change.
        case authorization(AuthorizationState)
        /// The authorization is unknown, and is requested again after a delay. All streams are closed.
        ///
        /// Attack: a program cuts this one off from the daemon to keep a revocation from reaching it.
        case unknown
        /// A stream has ended without being closed.
        case ended
        /// The ended streams are to be opened again.
        case retry
    }

    /// The level of a log line. The names are those of swift-log, which a client library does not depend on.
    package enum LogLevel: String {
        case notice, warning, error
    }

    private let purpose: String
    private let activity: String
    private let remedy: String
    private let client: LocationClient
    private let loop: any EventLoop
    private let log: (LogLevel, String) -> Void
    /// The timer for the watch, if it has ended, or else for the streams.
    private let retry: Retry
    private var onEvent: (Event) -> Void = { _ in }
    private var changes: CancellationHandle?
    private var request: CancellationHandle?
    private var subscriptions: [String: CancellationHandle] = [:]
    private var isAuthorized = false

    /// - Parameters:
    ///   - purpose: The purpose of the location, for the prompt.
    ///   - activity: The activity to be authorized, for the log: "the location is published".
    ///   - remedy: The command that grants the location to the installed service, for the log.
    ///   - backoff: The delays before the authorization or an ended stream is requested again.
    ///   - log: Writes a line to the log.
    package init(
        purpose: String, activity: String, remedy: String, client: LocationClient, on loop: any EventLoop,
        backoff: Backoff = Backoff(first: 10, greatest: 10), log: @escaping (LogLevel, String) -> Void
    ) {
        self.purpose = purpose
        self.activity = activity
        self.remedy = remedy
        self.client = client
        self.loop = loop
        self.log = log
        retry = Retry(backoff, on: loop)
    }

    /// Starts. If the daemon does not run yet, waits for it. `onEvent` is called on the loop until ``stop()``.
    package func start(onEvent: @escaping (Event) -> Void) {
        self.onEvent = onEvent
        watch()
    }

    /// Ends, withdraws the request, and closes all streams.
    package func stop() {
        onEvent = { _ in }
        changes?.cancel()
        request?.cancel()
        closeAll()
    }

    /// Opens a stream, unless it is already open or the service is not authorized.
    ///
    /// - Parameters:
    ///   - name: The plural of the stream's elements, which identifies the stream in the log.
    ///   - onElement: Called on the loop with each element.
    package func open<Element: Sendable>(
        _ name: String, _ stream: LocationStream<Element>, onElement: @escaping (Element) -> Void
    ) {
        guard isAuthorized, subscriptions[name] == nil else { return }
        let bound = NIOLoopBound((self, onElement), eventLoop: loop)
        subscriptions[name] = stream.subscribe(waitsForDaemon: true) { step in
            let (streams, onElement) = bound.value
            switch step {
            case .element(let element): onElement(element)
            case .ended(let error): streams.ended(name, error)
            }
        }
    }

    /// Closes a stream, if it is open.
    package func close(_ name: String) {
        subscriptions.removeValue(forKey: name)?.cancel()
    }

    private func closeAll() {
        isAuthorized = false
        retry.cancel()
        for subscription in subscriptions.values { subscription.cancel() }
        subscriptions = [:]
    }

    private func ended(_ name: String, _ error: LocationError?) {
        subscriptions[name] = nil
        switch error {
        case .notAuthorized(.authorizedWhenInUse): log(.warning, "a service needs the location always: \(remedy)")
        case .notAuthorized, .servicesDisabled, nil: break
        case let error?: log(.warning, "the subscription to \(name) ended: \(error)")
        }
        onEvent(.ended)
        retry.schedule { [weak self] in self?.onEvent(.retry) }
    }

    private func watch() {
        let bound = NIOLoopBound(self, eventLoop: loop)
        changes = client.authorizationChanges.subscribe(waitsForDaemon: true) { step in bound.value.receive(step) }
    }

    private func receive(_ step: StreamStep<AuthorizationState>) {
        switch step {
        case .element(let state):
            if state.status.isAuthorized { isAuthorized = true } else { closeAll() }
            onEvent(.authorization(state))
            if state.servicesEnabled, state.status == .notDetermined { requestAuthorization() }
        case .ended(let error):
            closeAll()
            let reason = error?.description ?? "the stream ended"
            log(.error, "cannot read the authorization from locationd: \(reason); trying again in 10 s")
            onEvent(.unknown)
            retry.schedule { [weak self] in self?.watch() }
        }
    }

    private func requestAuthorization() {
        log(.notice, "there is no decision yet whether \(activity); for the installed service: \(remedy)")
        let bound = NIOLoopBound(self, eventLoop: loop)
        request?.cancel()
        request = client.authorizationRequest(.always, reason: purpose).send { result in
            // A decision arrives as a change.
            guard case .failure(let error) = result, error != .cancelled else { return }
            bound.value.log(.warning, "no prompt: \(error)")
        }
    }
}
