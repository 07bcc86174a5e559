/// A session that declares which authorization the app needs now. The user is prompted for authorization that is
/// still undecided.
///
/// It lasts until ``invalidate()`` is called or the object is released.
public final class CLServiceSession: Sendable {
    private let core: any ServiceSessionCore

    /// The authorization that a session requires.
    @nonexhaustive
    public enum AuthorizationRequirement: Hashable, Sendable {
        /// No authorization. The user is not prompted.
        case none
        /// Authorization to use locations while the app is in use.
        case whenInUse
        /// Authorization to use locations at any time.
        case always
    }

    /// Begins a session, and prompts the user if the authorization is still undecided.
    public init(authorization: AuthorizationRequirement) {
        core = Backend.current.openServiceSession(authorization: authorization, fullAccuracyPurposeKey: nil)
    }

    /// Begins a session that also requires temporary full accuracy.
    ///
    /// - Parameters:
    ///   - authorization: The authorization that the session requires.
    ///   - fullAccuracyPurposeKey: A key of NSLocationTemporaryUsageDescriptionDictionary.
    public init(authorization: AuthorizationRequirement, fullAccuracyPurposeKey: String) {
        core = Backend.current.openServiceSession(
            authorization: authorization, fullAccuracyPurposeKey: fullAccuracyPurposeKey)
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

    /// The unmet requirements of a session, and the reasons.
    public struct Diagnostic: Sendable {
        /// A Boolean value indicating whether the app is denied access.
        public package(set) var authorizationDenied = false
        /// A Boolean value indicating whether location services are off.
        public package(set) var authorizationDeniedGlobally = false
        /// A Boolean value indicating whether the administrator forbids access.
        public package(set) var authorizationRestricted = false
        /// A Boolean value indicating whether the app is in the background and not authorized there. Always `false`
        /// on Linux.
        public package(set) var insufficientlyInUse = false
        /// A Boolean value indicating whether full accuracy was requested but is not granted.
        public package(set) var fullAccuracyDenied = false
        /// A Boolean value indicating whether authorization at any time was requested but is not granted.
        public package(set) var alwaysAuthorizationDenied = false
        /// A Boolean value indicating whether a session with an authorization requirement is needed.
        public package(set) var serviceSessionRequired = false
        /// A Boolean value indicating whether the user is being prompted.
        public package(set) var authorizationRequestInProgress = false

        package init() {}
    }
}
