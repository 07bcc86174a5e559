internal import CoreLocation
internal import Dispatch
internal import EventLoopSupport
internal import LocationClient
internal import NIOConcurrencyHelpers
internal import NIOCore

/// The last known authorization of this app, and its authorization requests to the daemon.
final class AppAuthorization: Sendable {
    /// The timeout of a caller waiting for an unknown authorization. The daemon answers within a millisecond, unless
    /// the machine is busy; without a daemon, callers do not wait.
    private static let timeout = DispatchTimeInterval.seconds(5)

    private struct Cache {
        var value: AuthorizationState?
        var isSubscribed = false
    }

    private struct State {
        /// The timer for subscribing again after the daemon has refused or ended a subscription.
        let subscribing: Retry
        var requests = AuthorizationRequests()
        var isRequestExpected = false
        var changeCount = 0
    }

    let diagnostics: Diagnostics
    private let client: LocationClient
    /// The time after which an app that uses locations is expected to have requested authorization.
    private let requestDelay: TimeAmount
    private let loop: any EventLoop
    private let cache = NIOLockedValueBox(Cache())
    private let state: NIOLoopBoundBox<State>
    private let observers: Observers<AuthorizationState>
    /// Signalled when the authorization is first known, then by every waiting caller, for the next one.
    private let isKnown = DispatchSemaphore(value: 0)

    init(_ client: LocationClient, _ diagnostics: Diagnostics, requestDelay: TimeAmount, on loop: any EventLoop) {
        self.client = client
        self.diagnostics = diagnostics
        self.requestDelay = requestDelay
        self.loop = loop
        state = NIOLoopBoundBox.makeBoxSendingValue(
            State(subscribing: Retry(Backoff(first: 5, greatest: 5), on: loop)), eventLoop: loop)
        observers = Observers(on: loop)
    }

    /// The last known authorization, or `nil` if there is none yet. Does not wait.
    var known: AuthorizationState? { cache.withLockedValue(\.value) }

    /// The current authorization, or `daemonUnreachable` if the daemon does not answer in time.
    var current: AuthorizationState {
        if let known { return known }
        begin()
        if isKnown.wait(timeout: .now() + Self.timeout) == .success { isKnown.signal() }
        return known ?? .daemonUnreachable
    }

    /// Subscribes to the authorization, unless already subscribed.
    func begin() {
        guard !cache.withLockedValue({ exchange(&$0.isSubscribed, with: true) }) else { return }
        // The stream is silent while the daemon is unreachable; this request fails instead.
        client.authorizationRequest().send { [self] result in
            diagnostics.reportFailure(result.failure)
            if known == nil || known == .daemonUnreachable { handle((try? result.get()) ?? .daemonUnreachable) }
        }
        _ = client.authorizationChanges.subscribe(waitsForDaemon: true) { [self] step in
            switch step {
            case .element(let value): handle(value)
            // Refused, because of a connection limit. Without this subscription, no change would ever arrive.
            case .ended(let error):
                diagnostics.reportFailure(error)
                state.value.subscribing.schedule { [self] in beginAgain() }
            }
        }
    }

    // MARK: On the event loop

    private func beginAgain() {
        cache.withLockedValue { $0.isSubscribed = false }
        begin()
    }

    /// Passes the authorization to `body` on the event loop: at once if it is known, at every change, and when a
    /// request has been answered.
    func observe(_ body: @escaping @Sendable (AuthorizationState) -> Void) -> CancellationHandle {
        let observation = observers.add(body)
        if let known { body(known) }
        return observation
    }

    /// The number of changes of the authorization so far.
    var changeCount: Int { state.value.changeCount }

    private func handle(_ value: AuthorizationState) {
        let before = cache.withLockedValue { exchange(&$0.value, with: value) }
        if before == nil { isKnown.signal() }
        guard before != value else { return }
        state.value.changeCount += 1
        observers.notify(value)
    }

    // MARK: Requests

    /// A Boolean value indicating whether an authorization request is open.
    var isRequesting: Bool { state.value.requests.isRequesting }

    /// Handles the app's use of locations. If there is no decision about the app and it does not request authorization
    /// soon, writes a message to standard error.
    func expectRequest() {
        guard known?.isUndecided ?? false, !exchange(&state.value.isRequestExpected, with: true) else { return }
        loop.scheduleTask(in: requestDelay) { [self] in
            state.value.isRequestExpected = false
            reportMissingRequest()
        }
    }

    /// Writes to standard error that the app has not requested authorization, if there is no decision about it.
    func reportMissingRequest() {
        guard known?.isUndecided ?? false, !state.value.requests.hasRequested else { return }
        diagnostics.report(.authorizationNotRequested)
    }

    /// Requests authorization at `level`. The daemon prompts the user only if the decision is still open. Without a
    /// usage description, only a message on standard error follows.
    func request(_ level: AuthorizationLevel) {
        guard state.value.requests.add(level) else { return }
        send(level)
    }

    private func send(_ level: AuthorizationLevel) {
        client.authorizationRequest(level, reason: UsageDescriptions.reason(for: level)).send { [self] result in
            diagnostics.reportFailure(result.failure)
            switch state.value.requests.answered(level, result.failure) {
            case .nothing: break
            case .reportMissingDescription: diagnostics.report(.usageDescriptionMissing(level))
            case .retry(let seconds):
                loop.scheduleTask(in: .clamping(seconds: seconds)) { [self] in send(level) }
                return
            }
            // Also reports the end of the request, unless the answer is a change that will report it.
            if let known, (try? result.get()) ?? known == known { observers.notify(known) }
        }
    }

    /// Requests temporary full accuracy.
    ///
    /// - Parameter completion: A closure called on the event loop: with an error if the user was not prompted, else
    ///   with `nil` after the change of authorization has arrived.
    func requestTemporaryFullAccuracy(purposeKey: String, completion: @escaping @Sendable (CLError?) -> Void) {
        client.temporaryFullAccuracyRequest(purposeKey: purposeKey).send { [self] result in
            switch result {
            case .success(let answer): afterReceiving(answer) { completion(nil) }
            case .failure(let error):
                diagnostics.reportFailure(error)
                // The daemon does not say what is missing. An app with full accuracy lacks nothing.
                if case .promptDeclined = error, let known, known.status.isAuthorized, known.accuracy == .reduced {
                    diagnostics.report(.purposeMissing(key: purposeKey))
                }
                completion(CLError(.promptDeclined))
            }
        }
    }

    /// Calls `body` once `answer` has arrived as a change of the authorization. The answer and the change come on two
    /// connections, in either order. The wait is short, since another change may already have followed.
    private func afterReceiving(_ answer: AuthorizationState, _ body: @escaping @Sendable () -> Void) {
        guard answer != known else { return body() }
        let wait = NIOLoopBound(PendingAnswer(), eventLoop: loop)
        let finish: @Sendable () -> Void = {
            guard let observation = wait.value.observation else { return }
            wait.value.observation = nil
            observation.cancel()
            body()
        }
        wait.value.observation = observers.add { if $0 == answer { finish() } }
        loop.scheduleTask(in: .milliseconds(500), finish)
    }
}

private final class PendingAnswer {
    var observation: CancellationHandle?
}

extension AuthorizationState {
    /// The authorization to assume while the daemon is unreachable.
    static var daemonUnreachable: AuthorizationState {
        AuthorizationState(status: .notDetermined, accuracy: .full, servicesEnabled: false)
    }

    /// A Boolean value indicating whether the daemon knows of no decision about the app.
    var isUndecided: Bool { status == .notDetermined && self != .daemonUnreachable }
}

extension Result {
    /// The error, or `nil` if the result is a success.
    var failure: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}
