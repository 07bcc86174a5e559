internal import CoreLocation
internal import LocationClient

/// The rules for opening a stream: while it is wanted and the app is authorized. A denial does not end it: if the user
/// grants access later, the stream opens.
struct StreamPolicy {
    enum Action: Equatable {
        case open
        case close
        /// Call ``retry()`` after this time.
        case retry(afterSeconds: Double)
        case fail(CLError.Code)
    }

    /// The retry delay in seconds after the daemon has refused a stream to an authorized app in the background, or
    /// after any failure without a delay of its own.
    private static let retryDelaySeconds = 5.0
    /// The time in seconds to wait for the change of authorization after a refusal.
    private static let authorizationTimeoutSeconds = 1.0
    /// The retry delay in seconds after no receiver had a compass.
    private static let compassRetryDelaySeconds = 30.0

    /// The code for failures without a code of their own.
    let failure: CLError.Code

    private(set) var isWanted = false
    private var isOpen = false
    private var isDenialReported = false
    private var isFailureReported = false
    private var authorization: AuthorizationState?

    init(failure: CLError.Code = .locationUnknown) {
        self.failure = failure
    }

    /// Handles the start: the stream is wanted.
    mutating func start() -> [Action] {
        guard !isWanted else { return [] }
        isWanted = true
        isDenialReported = false
        isFailureReported = false
        return evaluate()
    }

    /// Handles the stop: the stream is no longer wanted.
    mutating func stop() -> [Action] {
        isWanted = false
        isOpen = false
        authorization = nil
        return [.close]
    }

    /// Handles a change of options: an open stream is replaced.
    mutating func reopen() -> [Action] { isOpen ? [.close, .open] : [] }

    /// Handles the current authorization.
    mutating func authorizationChanged(to authorization: AuthorizationState) -> [Action] {
        self.authorization = authorization
        return evaluate()
    }

    /// Handles the end of a retry delay.
    mutating func retry() -> [Action] { evaluate() }

    /// Handles an element of the stream.
    mutating func received() {
        isFailureReported = false
    }

    /// Handles the end of the stream, unless it was closed on request.
    mutating func ended(_ error: LocationError?) -> [Action] {
        isOpen = false
        switch error {
        case .notAuthorized(let status) where status.isAuthorized: return [.retry(afterSeconds: Self.retryDelaySeconds)]
        case .notAuthorized, .servicesDisabled:
            // The app is first notified of the change, which arrives on another connection.
            return isDenied ? evaluate() : [.retry(afterSeconds: Self.authorizationTimeoutSeconds)]
        case .regionMonitoringDenied: return fail(.regionMonitoringDenied)
        case .headingUnavailable: return fail(.headingFailure) + [.retry(afterSeconds: Self.compassRetryDelaySeconds)]
        default: return fail(failure) + [.retry(afterSeconds: Self.retryDelaySeconds)]
        }
    }

    private var isDenied: Bool {
        switch authorization?.status {
        case .denied, .restricted: true
        default: false
        }
    }

    private var isAllowed: Bool { authorization?.status.isAuthorized ?? false }

    private mutating func evaluate() -> [Action] {
        guard isWanted else { return [] }
        var actions: [Action] = []
        if isOpen, !isAllowed {
            isOpen = false
            actions.append(.close)
        } else if !isOpen, isAllowed {
            isOpen = true
            actions.append(.open)
        }
        if isDenied, !isDenialReported { actions.append(.fail(.denied)) }
        isDenialReported = isDenied
        return authorization == .daemonUnreachable ? actions + fail(failure) : actions
    }

    private mutating func fail(_ code: CLError.Code) -> [Action] {
        guard !isFailureReported else { return [] }
        isFailureReported = true
        return [.fail(code)]
    }
}
