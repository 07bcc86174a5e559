internal import CoreLocation
internal import LocationClient
internal import NIOCore

/// The rules for notifying a delegate of the authorization: once after the delegate was set, and at every change of
/// status or accuracy.
struct AuthorizationAnnouncements {
    private var known: AuthorizationState?
    private var hasDelegate = false

    /// Handles a change of the delegate. Returns whether the new delegate must be notified at once.
    mutating func delegateChanged(hasDelegate: Bool) -> Bool {
        self.hasDelegate = hasDelegate
        return hasDelegate && known != nil
    }

    /// Handles the current authorization. Returns whether the delegate must be notified.
    mutating func authorizationChanged(to authorization: AuthorizationState) -> Bool {
        let before = known
        known = authorization
        guard hasDelegate, let before else { return hasDelegate }
        // Without authorization, there are no locations whose accuracy could matter.
        return before.status != authorization.status
            || before.accuracy != authorization.accuracy && authorization.status.isAuthorized
    }
}

/// The shell of ``AuthorizationAnnouncements``, which notifies a manager's delegate. Confined to the event loop.
final class AuthorizationReporter: Sendable {
    private struct State {
        var announcements = AuthorizationAnnouncements()
        var observation: CancellationHandle?
    }

    private let app: AppSession
    private let delivery: ManagerDelivery
    private let state: NIOLoopBoundBox<State>

    init(_ app: AppSession, _ delivery: ManagerDelivery) {
        self.app = app
        self.delivery = delivery
        state = NIOLoopBoundBox.makeBoxSendingValue(State(), eventLoop: app.loop)
    }

    func begin() {
        state.value.observation = app.authorization.observe { [self] in
            if state.value.announcements.authorizationChanged(to: $0) { announce() }
        }
    }

    func delegateChanged(hasDelegate: Bool) {
        if hasDelegate { app.authorization.begin() }
        if state.value.announcements.delegateChanged(hasDelegate: hasDelegate) { announce() }
    }

    func end() {
        state.value.observation?.cancel()
        state.value.observation = nil
    }

    private func announce() {
        delivery.callDelegate { $1.locationManagerDidChangeAuthorization($0) }
    }
}
