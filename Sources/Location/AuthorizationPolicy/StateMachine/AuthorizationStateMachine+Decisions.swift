internal import Bytewise
public import LocationModel

/// Users' answers to prompts and other decisions, and how they take effect.
extension AuthorizationStateMachine {
    // MARK: Answers

    /// Answers a prompt. The caller has checked that this user may answer it.
    ///
    /// - Parameters:
    ///   - accuracy: The accuracy that the user chose, or `nil` for the prompt's default.
    public mutating func answer(
        _ id: OpenPrompt.ID, with answer: PromptAnswer, accuracy: AccuracyAuthorization? = nil, at now: Int64
    ) throws(AnswerRefusal) -> [Action] {
        guard let prompt = prompts.first(where: { $0.id == id }) else { throw .noSuchPrompt }
        guard prompt.offeredAnswers.contains(answer) else { throw .notOffered(prompt.offeredAnswers) }
        if case .temporaryFullAccuracy = prompt.subject, answer == .once, accuracy == .reduced {
            throw .contradictory
        }
        if answer != .dismiss, !isWithinLimit(decisionAbout: prompt.app) { throw .tooManyDecisions }
        // The user saw the prompt, so the answer counts even if a late timer should already have closed the prompt.
        setClock(now)
        let app = prompt.app
        closePrompt(about: app)
        if answer == .dismiss {
            countDismissal(of: app)
            replyToAll(of: app)
        } else if case .temporaryFullAccuracy(let purposeKey) = prompt.subject {
            answerAboutAccuracy(purposeKey, isYes: answer == .once, app)
        } else {
            let current = table.decision(about: app)
            change(
                answer.decision(
                    on: prompt, accuracy: accuracy, untilTomorrow: untilTomorrow(at: now), current: current),
                about: app, endingTemporaryAccuracy: answer == .deny || accuracy != nil)
        }
        expireDue()
        return finish()
    }

    private mutating func answerAboutAccuracy(_ purposeKey: String, isYes: Bool, _ app: AppKey) {
        if isYes {
            modify(app) { $0.dismissals = 0 }
            setTemporaryFullAccuracy(true, app)
        } else {
            modify(app) { $0.declinedPurposes.insert(BytewiseString(purposeKey)) }
            // Attack: an app whose manifest has many purposes prompts for each in turn. So a refusal counts as a
            // dismissal.
            countDismissal(of: app)
        }
        settle(app)
    }

    // MARK: Decisions without a prompt

    /// Decides about an app, with or without a prompt: grants, denies or, with `nil`, resets it so that it prompts
    /// again.
    ///
    /// Closes the prompt about the app, and answers its requests with the resulting authorization. A restricted app
    /// cannot be granted anything, but can be denied and reset. At ``maximumDecisionsPerUser``, no further app can be
    /// granted or denied; existing decisions can still be changed and reset.
    ///
    /// - Parameter revision: The revision of the decision that the user has seen, or `nil` for any revision.
    public mutating func decide(
        _ decision: Decision?, about app: AppKey, revision: UInt64? = nil, at now: Int64
    ) throws(DecisionRefusal) -> [Action] {
        try check(revision, of: app)
        if decision?.grants == true, table.isRestricted(app) { throw .restricted }
        if decision != nil, !isWithinLimit(decisionAbout: app) { throw .tooManyDecisions }
        begin(at: now)
        closePrompt(about: app)
        modify(app) { $0.declinedPurposes = [] }
        change(decision, about: app, endingTemporaryAccuracy: true)
        return finish()
    }

    /// Revokes an app's grant: the app is denied from now on. Throws an error if nothing is granted.
    public mutating func revoke(
        _ app: AppKey, revision: UInt64? = nil, at now: Int64
    ) throws(DecisionRefusal) -> [Action] {
        try check(revision, of: app)
        guard hasGrant(app) else { throw .nothingGranted }
        return try decide(.denied, about: app, at: now)
    }

    /// Changes the accuracy of an app's grant, and nothing else of it. Temporary full accuracy ends.
    ///
    /// Attack: a decision that is based on an outdated screen restores a grant that was revoked, denied, reset or
    /// narrowed in the meantime. So the caller names the revision that it has seen.
    ///
    /// A new prompt replaces an open prompt about the app: an answer that does not specify an accuracy must not restore
    /// the old accuracy.
    public mutating func setAccuracy(
        _ accuracy: AccuracyAuthorization, of app: AppKey, revision: UInt64, at now: Int64
    ) throws(DecisionRefusal) -> [Action] {
        if accuracy == .full, table.isRestricted(app) { throw .restricted }
        return try modifyGrant(of: app, revision: revision, endingTemporaryAccuracy: true, at: now) {
            $0.accuracy = accuracy
        }
    }

    /// Limits an app's grant to the location while in use, without the background. The app's requests for `always` do
    /// not prompt any more. Accuracy and lifetime stay the same.
    public mutating func keepWhileInUse(
        _ app: AppKey, revision: UInt64, at now: Int64
    ) throws(DecisionRefusal) -> [Action] {
        try modifyGrant(of: app, revision: revision, endingTemporaryAccuracy: false, at: now) { decision in
            decision.level = .whenInUse
            decision.alwaysPromptSpent = true
        }
    }

    private mutating func modifyGrant(
        of app: AppKey, revision: UInt64, endingTemporaryAccuracy ends: Bool, at now: Int64,
        _ modify: (inout Decision) -> Void
    ) throws(DecisionRefusal) -> [Action] {
        try check(revision, of: app)
        guard let seen = table.decision(about: app), seen.grants, !seen.lifetime.isOver(at: now) else {
            throw .nothingGranted
        }
        begin(at: now)
        // A grant that a late timer has just ended is not restored.
        guard let old = table.decision(about: app) else { return finish() }
        var decision = old
        modify(&decision)
        guard decision != old || ends && table.hasTemporaryFullAccuracy(app) else { return finish() }
        change(decision, about: app, endingTemporaryAccuracy: ends)
        renewPrompt(about: app, accuracy: decision.accuracy)
        return finish()
    }

    /// Throws an error unless the present decision about the app has this revision. 0 stands for the absence of a
    /// decision about an app that was not listed.
    private func check(_ revision: UInt64?, of app: AppKey) throws(DecisionRefusal) {
        guard let revision else { return }
        let isDecided = table.decision(about: app) != nil || states[app]?.returning != nil
        if revision == 0 ? isDecided : revision != table.revision(of: app) { throw .changed }
    }

    private func hasGrant(_ app: AppKey) -> Bool {
        table.decision(about: app)?.grants == true || states[app]?.returning != nil
    }

    /// Turns location services on or off, for a user or, if `uid` is `nil`, for the whole machine.
    public mutating func setServicesEnabled(_ enabled: Bool, for uid: UInt32?, at now: Int64) -> [Action] {
        begin(at: now)
        let write = makeWrite(.services(enabled: enabled, uid: uid))
        enabling[uid] = enabled ? write.id : nil
        if !enabled { changeForAll { $0.setServicesEnabled(false, for: uid) } }
        actions.append(.write(write))
        return finish()
    }

    /// Applies the limit that an agent of a user's desktop sets; `nil` removes it. The user's own switch does not
    /// change.
    ///
    /// Returns no write: the caller stores the limits (``AuthorizationTable/desktopLimits(of:)``) at a limited rate, in
    /// case a program changes its level all the time.
    public mutating func setDesktopLimit(_ limit: DesktopLimit?, by agent: AppKey, at now: Int64) -> [Action] {
        begin(at: now)
        let limits = table.desktopLimits(of: agent.uid)
        guard limits[agent.app] != limit else { return finish() }
        let others = limits[DesktopLimit.others]
        let ownCount = limits.count - (others == nil ? 0 : 1)
        if limits[agent.app] == nil, ownCount >= DesktopLimit.maximumCountPerUser {
            let strictest = [others, limit].compactMap(\.self).min()
            let key = AppKey(uid: agent.uid, app: DesktopLimit.others)
            if strictest != others { changeForAll { $0.setDesktopLimit(strictest, by: key) } }
        } else {
            changeForAll { $0.setDesktopLimit(limit, by: agent) }
        }
        return finish()
    }

    // MARK: Writes

    /// Handles a write that is on the disk. If it grants something, the grant takes effect now, unless another decision
    /// was made in the meantime.
    public mutating func written(_ write: Write, at now: Int64) -> [Action] {
        begin(at: now)
        switch write.change {
        case .decision(_, let app):
            guard let opening = states[app]?.opening, opening.write == write.id else { break }
            modify(app) { state in
                state.opening = nil
                state.dismissals = 0
            }
            // A decision until midnight may have been written after midnight, or the clock was set back.
            var decision: Decision? = opening.decision
            if opening.decision.lifetime.isOver(at: now) { decision = nil }
            if isTooLong(opening.decision) { decision?.lifetime = untilTomorrow(at: now) }
            set(decision, about: app, endingTemporaryAccuracy: decision == nil || opening.endsTemporaryAccuracy)
            if decision != opening.decision { actions.append(.write(makeWrite(.decision(decision, about: app)))) }
        case .services(_, let uid):
            guard enabling[uid] == write.id else { break }
            enabling[uid] = nil
            changeForAll { $0.setServicesEnabled(true, for: uid) }
        }
        return finish()
    }

    /// Handles a write that failed. A grant does not take effect: pending requests are answered with the current
    /// authorization, and the current decision is written once. The failure counts as a dismissal, so that a full disk
    /// does not cause a flood of prompts. A revocation stays in effect.
    public mutating func writeFailed(_ write: Write, at now: Int64) -> [Action] {
        begin(at: now)
        switch write.change {
        case .decision(_, let app):
            guard let state = states[app], state.opening?.write == write.id else { break }
            modify(app) { $0.opening = nil }
            if !state.joined.isEmpty { countDismissal(of: app) }
            // An open prompt was renewed for the decision that failed. Its requests are answered, so it would stay open.
            closePrompt(about: app)
            replyToAll(of: app)
            // The row on the disk may allow more than the decision in effect, which was reduced, or has ended, while
            // the failed one was to replace the row. Attack: a grant for "once" that has ended is back after a restart.
            actions.append(.write(makeWrite(.decision(table.decision(about: app), about: app))))
        case .services(_, let uid):
            if enabling[uid] == write.id { enabling[uid] = nil }
        }
        return finish()
    }

    // MARK: Limit

    /// Returns whether the app already has a decision or its user has fewer decisions than the limit. Decisions that
    /// are being written count.
    private func isWithinLimit(decisionAbout app: AppKey) -> Bool {
        if table.decision(about: app) != nil { return true }
        let count = table.decisionCount(of: app.uid)
        guard count < Self.maximumDecisionsPerUser else { return false }
        let opening = states.count { other, state in
            other.uid == app.uid && other != app && state.opening != nil && table.decision(about: other) == nil
        }
        return count + opening < Self.maximumDecisionsPerUser
    }

    // MARK: Applying decisions

    /// Applies reductions of access at once. Extensions wait until the decision is on the disk.
    private mutating func change(_ decision: Decision?, about app: AppKey, endingTemporaryAccuracy ends: Bool) {
        let decision = decision?.lifetime.isOver(at: now) == true ? nil : decision
        let write = makeWrite(.decision(decision, about: app))
        table.revise(app)
        if states[app]?.returning != nil { modify(app) { $0.returning = nil } }
        let old = table.decision(about: app)
        let common = Decision.common(old, decision)
        if let decision, common != decision {
            let opening = Opening(write: write.id, decision: decision, endsTemporaryAccuracy: ends)
            modify(app) { $0.opening = opening }
            let closes = ends && decision.accuracy == .reduced && table.hasTemporaryFullAccuracy(app)
            if common != old || closes { set(common, about: app, endingTemporaryAccuracy: closes) }
        } else {
            modify(app) { state in
                state.opening = nil
                state.dismissals = 0
            }
            set(decision, about: app, endingTemporaryAccuracy: ends)
        }
        actions.append(.write(write))
    }

    /// Puts a decision into effect.
    mutating func set(_ decision: Decision?, about app: AppKey, endingTemporaryAccuracy ends: Bool) {
        let before = standing(of: app)
        table.record(decision, about: app)
        if ends || decision?.grants != true { table.temporarilyFull.remove(app) }
        let now = now
        modify(app) { state in
            state.returning = nil
            // An app without a connection has ten seconds from now.
            if decision?.lifetime == .once { state.absentSince = now }
        }
        reportChange(of: app, since: before)
        settle(app)
    }

    mutating func setTemporaryFullAccuracy(_ isFull: Bool, _ app: AppKey) {
        let before = standing(of: app)
        if isFull { table.temporarilyFull.insert(app) } else { table.temporarilyFull.remove(app) }
        table.revise(app)
        modify(app) { _ in }
        reportChange(of: app, since: before)
        settle(app)
    }

    /// Makes a change that can affect any app, and reports each app whose authorization has changed.
    mutating func changeForAll(_ change: (inout AuthorizationTable) -> Void) {
        let apps = Set(states.keys).union(table.decidedApps(of: nil)).sorted(by: precedes)
        let before = apps.map(standing)
        change(&table)
        for (app, before) in zip(apps, before) { reportChange(of: app, since: before) }
        for app in apps { settle(app) }
    }

    private func standing(of app: AppKey) -> Standing {
        Standing(authorization: table.authorization(of: app), isProvisional: table.isProvisional(app))
    }

    private mutating func reportChange(of app: AppKey, since before: Standing) {
        if standing(of: app) != before { actions.append(.changed(app)) }
    }
}
