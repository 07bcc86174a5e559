internal import EventLoopSupport
internal import LocationClient

/// The open authorization requests of this app. There is at most one for each level, and it survives restarts of the
/// daemon.
struct AuthorizationRequests {
    enum Outcome: Equatable {
        case nothing
        case reportMissingDescription
        case retry(afterSeconds: Double)
    }

    private var open: Set<AuthorizationLevel> = []
    private var backoff = Backoff()
    /// A Boolean value indicating whether the app has ever requested authorization.
    private(set) var hasRequested = false

    /// A Boolean value indicating whether a request is open.
    var isRequesting: Bool { !open.isEmpty }

    /// Opens a request. Returns whether it must be sent to the daemon, because none was open for `level`.
    mutating func add(_ level: AuthorizationLevel) -> Bool {
        hasRequested = true
        return open.insert(level).inserted
    }

    /// Handles an answer of the daemon, or a failure with `error`. Returns the next step.
    mutating func answered(_ level: AuthorizationLevel, _ error: LocationError?) -> Outcome {
        if case .daemonUnreachable = error { return .retry(afterSeconds: backoff.next()) }
        open.remove(level)
        backoff.reset()
        return error == .usageDescriptionMissing ? .reportMissingDescription : .nothing
    }
}
