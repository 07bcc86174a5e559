internal import LocationClient

/// The questions that this app has open: one of each level, through restarts of the daemon.
struct AuthorizationQuestions {
    enum Outcome: Equatable {
        case nothing
        case sayWhatIsMissing
        case askAgain(afterSeconds: Double)
    }

    private var open: Set<AuthorizationLevel> = []
    private var backoff = Backoff()
    private var complained: Set<AuthorizationLevel> = []

    /// A Boolean value indicating whether a question is open.
    var isAsking: Bool { !open.isEmpty }

    /// Returns whether the daemon is to be asked.
    mutating func ask(_ level: AuthorizationLevel) -> Bool {
        open.insert(level).inserted
    }

    /// The daemon has answered, or refused with `error`.
    mutating func answered(_ level: AuthorizationLevel, _ error: LocationError?) -> Outcome {
        if case .daemonUnreachable = error { return .askAgain(afterSeconds: backoff.next()) }
        open.remove(level)
        backoff.reset()
        guard error == .usageDescriptionMissing, complained.insert(level).inserted else { return .nothing }
        return .sayWhatIsMissing
    }
}
