internal import LocationClient

/// Whether a stream is open: while it is wanted, and the app may have it. A denial ends nothing: when the user grants it
/// later, the stream opens.
struct StreamPolicy {
    enum Action: Equatable {
        case open
        case close
        /// Call ``retry()`` then.
        case retry(afterSeconds: Double)
        case fail(CLError.Code)
    }

    /// Seconds after which a stream is opened again that was refused although the app may have it, being in background.
    private static let presence = 5.0
    /// Seconds to wait for the change of authorization that belongs to a refusal.
    private static let hearing = 1.0
    /// Seconds until a compass is looked for again.
    private static let compass = 30.0

    /// A Boolean value indicating whether it is open only to an app that may have the location always.
    let needsAlways: Bool
    /// How a failure is told that has no code of its own.
    let failure: CLError.Code

    private(set) var isWanted = false
    private var isOpen = false
    private var isDenialTold = false
    private var isFailureTold = false
    private var authorization: AuthorizationState?

    init(needsAlways: Bool = false, failure: CLError.Code = .locationUnknown) {
        self.needsAlways = needsAlways
        self.failure = failure
    }

    /// It is wanted from now on.
    mutating func start() -> [Action] {
        guard !isWanted else { return [] }
        isWanted = true
        isDenialTold = false
        isFailureTold = false
        return consider()
    }

    /// It is not wanted any more.
    mutating func stop() -> [Action] {
        isWanted = false
        isOpen = false
        authorization = nil
        return [.close]
    }

    /// It is wanted with other wishes.
    mutating func reopen() -> [Action] { isOpen ? [.close, .open] : [] }

    /// The app may have this.
    mutating func heard(_ authorization: AuthorizationState) -> [Action] {
        self.authorization = authorization
        return consider()
    }

    /// It has waited.
    mutating func retry() -> [Action] { consider() }

    /// The stream tells something.
    mutating func received() {
        isFailureTold = false
    }

    /// The stream has ended, though not by being closed.
    mutating func ended(_ error: LocationError?) -> [Action] {
        isOpen = false
        switch error {
        case .notAuthorized(let status) where status.isAuthorized: return [.retry(afterSeconds: Self.presence)]
        case .notAuthorized, .servicesDisabled:
            // The app is told of the change first, which comes on another connection.
            return isDenied ? consider() : [.retry(afterSeconds: Self.hearing)]
        case .regionMonitoringDenied: return fail(.regionMonitoringDenied)
        case .headingUnavailable: return fail(.headingFailure) + [.retry(afterSeconds: Self.compass)]
        default: return fail(failure) + [.retry(afterSeconds: Self.presence)]
        }
    }

    private var isDenied: Bool {
        switch authorization?.status {
        case .denied, .restricted: true
        default: false
        }
    }

    private var isAllowed: Bool {
        guard let status = authorization?.status else { return false }
        return needsAlways ? status == .authorizedAlways : status.isAuthorized
    }

    private mutating func consider() -> [Action] {
        guard isWanted else { return [] }
        var actions: [Action] = []
        if isOpen, !isAllowed {
            isOpen = false
            actions.append(.close)
        } else if !isOpen, isAllowed {
            isOpen = true
            actions.append(.open)
        }
        if isDenied, !isDenialTold { actions.append(.fail(.denied)) }
        isDenialTold = isDenied
        return authorization == .unheard ? actions + fail(failure) : actions
    }

    private mutating func fail(_ code: CLError.Code) -> [Action] {
        guard !isFailureTold else { return [] }
        isFailureTold = true
        return [.fail(code)]
    }
}
