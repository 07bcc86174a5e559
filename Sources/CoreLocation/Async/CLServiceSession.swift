/// Says that the app needs location now, and how much of it: the user is asked for what has not been decided.
///
/// It lasts until ``invalidate()`` or until nobody holds it any more.
public final class CLServiceSession: Sendable {
    private let core: any ServiceSessionCore

    /// What a session needs.
    @nonexhaustive
    public enum AuthorizationRequirement: Hashable, Sendable {
        /// Nothing; nobody is asked.
        case none
        /// Location while the app is in use.
        case whenInUse
        /// Location at any time.
        case always
    }

    /// Begins a session; the user is asked, if nobody has decided.
    public init(authorization: AuthorizationRequirement) {
        core = Backend.current.openServiceSession(authorization: authorization, fullAccuracyPurposeKey: nil)
    }

    /// Begins a session that needs exact locations for a while, too.
    ///
    /// - Parameters:
    ///   - authorization: what is needed.
    ///   - fullAccuracyPurposeKey: of NSLocationTemporaryUsageDescriptionDictionary.
    public init(authorization: AuthorizationRequirement, fullAccuracyPurposeKey: String) {
        core = Backend.current.openServiceSession(
            authorization: authorization, fullAccuracyPurposeKey: fullAccuracyPurposeKey)
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
        /// A Boolean value indicating whether the app is in the background, and may not be served there.
        public internal(set) var insufficientlyInUse = false
        /// A Boolean value indicating whether exact locations were asked for, and are not granted.
        public internal(set) var fullAccuracyDenied = false
        /// A Boolean value indicating whether location at any time was asked for, and is not granted.
        public internal(set) var alwaysAuthorizationDenied = false
        /// A Boolean value indicating whether a session with a requirement is needed.
        public internal(set) var serviceSessionRequired = false
        /// A Boolean value indicating whether the user is being asked.
        public internal(set) var authorizationRequestInProgress = false

        init() {}
    }
}
