/// While it lasts, updates that began in use go on in the background, and the indicator shows the app.
///
/// It lasts until ``invalidate()`` or until nobody holds it any more.
public final class CLBackgroundActivitySession: Sendable {
    private let core: any BackgroundActivitySessionCore

    /// Begins a session.
    public init() {
        core = Backend.current.openBackgroundActivitySession()
    }

    deinit {
        core.invalidate()
    }

    /// Ends the session for good.
    public func invalidate() {
        core.invalidate()
    }

    /// What the session lacks: now, and at every change.
    public var diagnostics: Diagnostics { Diagnostics(source: core.diagnostics()) }

    /// What a session lacks.
    public struct Diagnostic: Sendable {
        /// A Boolean value indicating whether the user said no.
        public internal(set) var authorizationDenied = false
        /// A Boolean value indicating whether location services are off.
        public internal(set) var authorizationDeniedGlobally = false
        /// A Boolean value indicating whether the administrator forbids it.
        public internal(set) var authorizationRestricted = false
        /// A Boolean value indicating whether the app was in the background when the session began.
        public internal(set) var insufficientlyInUse = false
        /// A Boolean value indicating whether a ``CLServiceSession`` is needed.
        public internal(set) var serviceSessionRequired = false
        /// A Boolean value indicating whether the user is being asked.
        public internal(set) var authorizationRequestInProgress = false

        init() {}
    }
}
