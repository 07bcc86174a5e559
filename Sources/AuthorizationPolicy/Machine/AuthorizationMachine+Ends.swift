internal import LocationModel

/// What ends by itself.
extension AuthorizationMachine {
    /// When something about the app ends.
    func deadline(of app: AppKey) -> Int64? {
        var moments: [Int64] = []
        let lifetime = table.decision(about: app)?.lifetime
        if case .until(let moment) = lifetime { moments.append(moment) }
        if let state = states[app] {
            if !state.isConnected, lifetime == .once || hasUntilGone(app) {
                moments.append(state.absentSince + AuthorizationTable.onceGraceSeconds)
            }
            if let since = state.abandonedSince { moments.append(since + Self.abandonedQuestionSeconds) }
            // In a row means: of one that stays. What an app did that has been gone for long is not kept.
            if state.dismissals >= Self.dismissalsInARow || (state.dismissals > 0 && !state.isConnected) {
                moments.append(state.lastDismissal + Self.peaceSeconds)
            }
        }
        return moments.min()
    }

    /// Ends what is over about the app.
    mutating func end(_ app: AppKey) {
        modify(app) { _ in }
        guard let state = states[app] else { return }
        let isGone = !state.isConnected && state.absentSince + AuthorizationTable.onceGraceSeconds <= now
        let hasBeenInPeace = state.lastDismissal + Self.peaceSeconds <= now
        if hasBeenInPeace, state.dismissals >= Self.dismissalsInARow || !state.isConnected {
            modify(app) { $0.dismissals = 0 }
        }
        if let since = state.abandonedSince, since + Self.abandonedQuestionSeconds <= now {
            // It counts as dismissed: an app must not get around that by going away.
            closeQuestion(about: app)
            noteDismissal(of: app)
        }
        if let lifetime = table.decision(about: app)?.lifetime,
            lifetime.isOver(at: now) || (lifetime == .once && isGone)
        {
            set(nil, about: app, endingTemporaryAccuracy: true)
            // A decision that is being written takes the place of the old row.
            if state.opening == nil { actions.append(.write(makeWrite(.decision(nil, about: app)))) }
        }
        if isGone, hasUntilGone(app) {
            modify(app) { $0.declinedPurposes = [] }
            setTemporarilyExact(false, app)
        }
    }

    /// Returns whether it has something beside a decision that ends when it is gone.
    private func hasUntilGone(_ app: AppKey) -> Bool {
        table.hasTemporaryFullAccuracy(app) || states[app]?.declinedPurposes.isEmpty == false
    }

    // MARK: Dismissals

    /// A question was dismissed, or nobody was there any more to hear the answer.
    mutating func noteDismissal(of app: AppKey) {
        let now = now
        modify(app) { state in
            state.dismissals += 1
            state.lastDismissal = now
        }
    }

    /// Returns whether the user is left in peace with the app's requests.
    func isLeftInPeace(_ app: AppKey) -> Bool {
        states[app].map { $0.dismissals >= Self.dismissalsInARow } ?? false
    }
}
