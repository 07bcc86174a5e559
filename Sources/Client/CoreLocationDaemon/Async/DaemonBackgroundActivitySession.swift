internal import CoreLocation
internal import LocationClient
internal import NIOConcurrencyHelpers
internal import NIOCore

/// A background activity session. While there is one, every stream of the app continues in the background, and the
/// indicator shows the app.
final class DaemonBackgroundActivitySession: BackgroundActivitySessionCore {
    private let app: AppSession
    private let isOver = NIOLockedValueBox(false)

    init(_ app: AppSession) {
        self.app = app
        app.onLoop { [app] in app.backgroundActivity.begin() }
    }

    func invalidate() {
        if !isOver.withLockedValue({ exchange(&$0, with: true) }) {
            app.onLoop { [app] in app.backgroundActivity.end() }
        }
    }

    func diagnostics() -> any EventSource<CLBackgroundActivitySession.Diagnostic> {
        SessionDiagnostics(app) { authorization, isRequesting in
            let reasons = UnavailabilityReasons(authorization, isRequesting: isRequesting)
            var diagnostic = CLBackgroundActivitySession.Diagnostic()
            diagnostic.authorizationDenied = reasons.authorizationDenied
            diagnostic.authorizationDeniedGlobally = reasons.authorizationDeniedGlobally
            diagnostic.authorizationRestricted = reasons.authorizationRestricted
            diagnostic.serviceSessionRequired = reasons.serviceSessionRequired
            diagnostic.authorizationRequestInProgress = reasons.authorizationRequestInProgress
            return diagnostic
        }
    }
}
