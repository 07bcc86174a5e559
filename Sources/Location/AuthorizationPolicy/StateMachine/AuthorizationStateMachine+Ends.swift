internal import LocationModel

/// Everything that ends by itself: decisions, prompts, and the quiet period after dismissals.
extension AuthorizationStateMachine {
    /// Returns the next time when something about the app ends, or `nil` if nothing does.
    func deadline(of app: AppKey) -> Int64? {
        var moments: [Int64] = []
        let lifetime = table.decision(about: app)?.lifetime
        if let moment = lifetime?.end { moments.append(moment) }
        if let state = states[app] {
            if let returning = state.returning {
                moments.append(returning.since + AuthorizationTable.onceGraceSeconds)
            }
            if !state.isConnected, lifetime == .once || hasTransientState(app) {
                moments.append(state.absentSince + AuthorizationTable.onceGraceSeconds)
            }
            if let since = state.abandonedSince { moments.append(since + Self.abandonedPromptSeconds) }
            // Dismissals in a row accumulate only for an app that stays connected. They are dropped soon after it has
            // left.
            if state.dismissals >= Self.maximumDismissals || (state.dismissals > 0 && !state.isConnected) {
                moments.append(state.lastDismissal + Self.quietPeriodSeconds)
            }
        }
        return moments.min()
    }

    /// Ends everything about the app whose time has come.
    mutating func end(_ app: AppKey) {
        modify(app) { _ in }
        guard let state = states[app] else { return }
        let isGone = !state.isConnected && state.absentSince + AuthorizationTable.onceGraceSeconds <= now
        let isQuietPeriodOver = state.lastDismissal + Self.quietPeriodSeconds <= now
        if isQuietPeriodOver, state.dismissals >= Self.maximumDismissals || !state.isConnected {
            modify(app) { $0.dismissals = 0 }
        }
        if let since = state.abandonedSince, since + Self.abandonedPromptSeconds <= now {
            // An abandoned prompt counts as dismissed: an app must not evade the count by disconnecting.
            closePrompt(about: app)
            countDismissal(of: app)
        }
        if let returning = state.returning, returning.since + AuthorizationTable.onceGraceSeconds <= now {
            set(nil, about: app, endingTemporaryAccuracy: true)
            if state.opening == nil { actions.append(.write(makeWrite(.decision(nil, about: app)))) }
        }
        if let lifetime = table.decision(about: app)?.lifetime,
            lifetime.isOver(at: now) || (lifetime == .once && isGone)
        {
            set(nil, about: app, endingTemporaryAccuracy: true)
            // A decision that is being written replaces the old row.
            if state.opening == nil { actions.append(.write(makeWrite(.decision(nil, about: app)))) }
        }
        if isGone, hasTransientState(app) {
            modify(app) { $0.declinedPurposes = [] }
            setTemporaryFullAccuracy(false, app)
        }
    }

    /// Returns whether the app has any state besides a decision that ends when the app has quit.
    private func hasTransientState(_ app: AppKey) -> Bool {
        table.hasTemporaryFullAccuracy(app) || states[app]?.declinedPurposes.isEmpty == false
    }

    // MARK: Dismissals

    /// Counts a dismissal, or an event that counts as one, such as the timeout of an abandoned prompt.
    mutating func countDismissal(of app: AppKey) {
        let now = now
        modify(app) { state in
            state.dismissals += 1
            state.lastDismissal = now
        }
    }

    /// Returns whether the app's requests do not prompt for now, because of its dismissals in a row.
    func isInQuietPeriod(_ app: AppKey) -> Bool {
        states[app].map { $0.dismissals >= Self.maximumDismissals } ?? false
    }
}
