internal import CoreLocation
internal import LocationClient
internal import NIOCore

/// A service session. It requests its required authorization as soon as possible.
final class DaemonServiceSession: ServiceSessionCore {
    private struct State {
        var observation: CancellationHandle?
        var requested: Set<AuthorizationStatus> = []
        var isFullAccuracyRequested = false
        var isOver = false
    }

    private let app: AppSession
    private let requirement: CLServiceSession.AuthorizationRequirement
    private let purposeKey: String?
    private let state: NIOLoopBoundBox<State>

    init(
        _ app: AppSession, _ requirement: CLServiceSession.AuthorizationRequirement, fullAccuracyPurposeKey: String?
    ) {
        self.app = app
        self.requirement = requirement
        purposeKey = fullAccuracyPurposeKey
        state = NIOLoopBoundBox.makeBoxSendingValue(State(), eventLoop: app.loop)
        app.onLoop { [self] in
            app.authorization.begin()
            guard !state.value.isOver else { return }
            // Weak, because a released session must not request anything.
            state.value.observation = app.authorization.observe { [weak self] in self?.authorizationChanged(to: $0) }
        }
    }

    private func authorizationChanged(to authorization: AuthorizationState) {
        // Once for each status, so that a user who does not want to answer is not prompted repeatedly.
        if authorization != .daemonUnreachable, state.value.requested.insert(authorization.status).inserted {
            switch (requirement, authorization.status) {
            case (.whenInUse, .notDetermined): app.authorization.request(.whenInUse)
            case (.always, .notDetermined), (.always, .authorizedWhenInUse): app.authorization.request(.always)
            default: break
            }
        }
        guard let purposeKey, authorization.status.isAuthorized, authorization.accuracy == .reduced,
            !state.value.isFullAccuracyRequested
        else { return }
        state.value.isFullAccuracyRequested = true
        app.authorization.requestTemporaryFullAccuracy(purposeKey: purposeKey) { _ in }
    }

    func invalidate() {
        app.onLoop { [state] in
            state.value.isOver = true
            state.value.observation?.cancel()
            state.value.observation = nil
        }
    }

    func diagnostics() -> any EventSource<CLServiceSession.Diagnostic> {
        let requirement = requirement
        let wantsFullAccuracy = purposeKey != nil
        return SessionDiagnostics(app) { authorization, isRequesting in
            let reasons = UnavailabilityReasons(authorization, isRequesting: isRequesting)
            let status = authorization.status
            var diagnostic = CLServiceSession.Diagnostic()
            diagnostic.authorizationDenied = reasons.authorizationDenied
            diagnostic.authorizationDeniedGlobally = reasons.authorizationDeniedGlobally
            diagnostic.authorizationRestricted = reasons.authorizationRestricted
            diagnostic.authorizationRequestInProgress = isRequesting
            diagnostic.serviceSessionRequired = requirement == .none && status == .notDetermined
            diagnostic.alwaysAuthorizationDenied =
                requirement == .always && status == .authorizedWhenInUse && !isRequesting
            diagnostic.fullAccuracyDenied =
                wantsFullAccuracy && status.isAuthorized && authorization.accuracy == .reduced
            return diagnostic
        }
    }
}
