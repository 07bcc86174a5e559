internal import CoreLocation
internal import LocationClient
internal import NIOCore

/// The shell of ``AuthorizationAnnouncements``, which notifies a manager's delegate. Confined to the event loop.
final class AuthorizationReporter: Sendable {
    private struct State {
        var announcements = AuthorizationAnnouncements()
        var observation: Observers<AuthorizationState>.Identifier?
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
        if let observation = state.value.observation { app.authorization.remove(observation) }
        state.value.observation = nil
    }

    private func announce() {
        delivery.callDelegate { $1.locationManagerDidChangeAuthorization($0) }
    }
}
