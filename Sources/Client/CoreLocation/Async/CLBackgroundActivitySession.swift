/// A session during which updates that began while the app was in use continue in the background, and the indicator
/// shows the app.
///
/// It lasts until ``invalidate()`` is called or the object is released.
public final class CLBackgroundActivitySession: Sendable {
    private let core: any BackgroundActivitySessionCore

    /// Begins a session.
    public init() {
        core = Backend.current.openBackgroundActivitySession()
    }

    deinit {
        core.invalidate()
    }

    /// Ends the session permanently.
    public func invalidate() {
        core.invalidate()
    }

    /// The diagnostics of the session: the current one, then one for every change.
    public var diagnostics: Diagnostics { Diagnostics(source: core.diagnostics()) }

    /// The reasons why a session has no effect.
    public struct Diagnostic: Sendable {
        /// A Boolean value indicating whether the app is denied access.
        public package(set) var authorizationDenied = false
        /// A Boolean value indicating whether location services are off.
        public package(set) var authorizationDeniedGlobally = false
        /// A Boolean value indicating whether the administrator forbids access.
        public package(set) var authorizationRestricted = false
        /// A Boolean value indicating whether the app was in the background when the session began. Always `false` on
        /// Linux.
        public package(set) var insufficientlyInUse = false
        /// A Boolean value indicating whether a ``CLServiceSession`` is required.
        public package(set) var serviceSessionRequired = false
        /// A Boolean value indicating whether the user is being prompted.
        public package(set) var authorizationRequestInProgress = false

        package init() {}
    }
}
