internal import Bytewise
public import LocationModel

/// What a user says.
extension AuthorizationMachine {
    // MARK: Answers

    /// The user answers a question. Whether that user may is for the caller to know.
    ///
    /// - Parameters:
    ///   - accuracy: as the user chose it; `nil` for the question's own.
    ///   - nextMidnight: when "tomorrow" begins where the user is, in seconds since 1970.
    public mutating func answer(
        _ id: Question.ID, with answer: PromptAnswer, accuracy: AccuracyAuthorization? = nil, nextMidnight: Int64,
        at now: Int64
    ) throws(AnswerRefusal) -> [Action] {
        guard let question = questions.first(where: { $0.id == id }) else { throw .noSuchQuestion }
        guard question.offeredAnswers.contains(answer) else { throw .notOffered(question.offeredAnswers) }
        if case .temporaryFullAccuracy = question.subject, answer == .once, accuracy == .reduced {
            throw .contradictory
        }
        if answer != .dismiss, !hasRoom(forDecisionAbout: question.app) { throw .tooManyDecisions }
        // The user saw the question: the answer counts, even where a timer that comes late would have ended it.
        setClock(now)
        let app = question.app
        closeQuestion(about: app)
        if answer == .dismiss {
            noteDismissal(of: app)
            replyToAll(of: app)
        } else if case .temporaryFullAccuracy(let purposeKey) = question.subject {
            answerAboutAccuracy(purposeKey, isYes: answer == .once, app)
        } else {
            let current = table.decision(about: app)
            change(
                answer.decision(on: question, accuracy: accuracy, nextMidnight: nextMidnight, current: current),
                about: app, endingTemporaryAccuracy: answer == .deny || accuracy != nil)
        }
        endWhatIsOver()
        return finish()
    }

    private mutating func answerAboutAccuracy(_ purposeKey: String, isYes: Bool, _ app: AppKey) {
        if isYes {
            modify(app) { $0.dismissals = 0 }
            setTemporarilyExact(true, app)
        } else {
            modify(app) { $0.declinedPurposes.insert(BytewiseString(purposeKey)) }
            // Attack: a manifest with many purposes would ask for one after the other.
            noteDismissal(of: app)
        }
        settle(app)
    }

    // MARK: Decisions without a question

    /// The user decides about an app, asked or not: grants, denies, or with `nil` has it ask next time.
    ///
    /// A question about the app is closed by it, and its requests are answered with what holds then. Nobody can grant
    /// what is restricted; it can be denied and reset. Beyond ``maximumDecisionsPerUser`` no further app is decided
    /// about, neither granted nor denied; what was decided can be changed and reset.
    public mutating func decide(
        _ decision: Decision?, about app: AppKey, at now: Int64
    ) throws(DecisionRefusal) -> [Action] {
        if decision?.grants == true, table.isRestricted(app) { throw .restricted }
        if decision != nil, !hasRoom(forDecisionAbout: app) { throw .tooManyDecisions }
        begin(at: now)
        closeQuestion(about: app)
        modify(app) { $0.declinedPurposes = [] }
        change(decision, about: app, endingTemporaryAccuracy: true)
        return finish()
    }

    /// The user turns location services on or off: for a user or, where `uid` is `nil`, for the machine.
    public mutating func setServicesEnabled(_ enabled: Bool, for uid: UInt32?, at now: Int64) -> [Action] {
        begin(at: now)
        let write = makeWrite(.services(enabled: enabled, uid: uid))
        enabling[uid] = enabled ? write.id : nil
        if !enabled { changeForAll { $0.setServicesEnabled(false, for: uid) } }
        actions.append(.write(write))
        return finish()
    }

    // MARK: The disk

    /// What was to be written is on the disk: if it opens, it holds now, unless something else was decided meanwhile.
    public mutating func written(_ write: Write, at now: Int64) -> [Action] {
        begin(at: now)
        switch write.change {
        case .decision(_, let app):
            guard let opening = states[app]?.opening, opening.write == write.id else { break }
            modify(app) { state in
                state.opening = nil
                state.dismissals = 0
            }
            // What was to hold until midnight may have been written after it.
            let isOver = opening.decision.lifetime.isOver(at: now)
            set(
                isOver ? nil : opening.decision, about: app,
                endingTemporaryAccuracy: isOver || opening.endsTemporaryAccuracy)
            if isOver { actions.append(.write(makeWrite(.decision(nil, about: app)))) }
        case .services(_, let uid):
            guard enabling[uid] == write.id else { break }
            enabling[uid] = nil
            changeForAll { $0.setServicesEnabled(true, for: uid) }
        }
        return finish()
    }

    /// It could not be written. What opens does not hold: requests are answered with what does, and it counts as a
    /// dismissal, so that a full disk makes no flood of prompts either. What closes holds all the same.
    public mutating func notWritten(_ write: Write, at now: Int64) -> [Action] {
        begin(at: now)
        switch write.change {
        case .decision(_, let app):
            guard let state = states[app], state.opening?.write == write.id else { break }
            modify(app) { $0.opening = nil }
            if !state.askers.isEmpty { noteDismissal(of: app) }
            replyToAll(of: app)
        case .services(_, let uid):
            if enabling[uid] == write.id { enabling[uid] = nil }
        }
        return finish()
    }

    // MARK: The bound

    /// Returns whether the app is decided about, or its user has fewer decisions than the bound. Decisions on their way
    /// to the disk count.
    private func hasRoom(forDecisionAbout app: AppKey) -> Bool {
        if table.decision(about: app) != nil { return true }
        let count = table.decisionCount(of: app.uid)
        guard count < Self.maximumDecisionsPerUser else { return false }
        let opening = states.count { other, state in
            other.uid == app.uid && other != app && state.opening != nil && table.decision(about: other) == nil
        }
        return count + opening < Self.maximumDecisionsPerUser
    }

    // MARK: How a decision comes to hold

    /// Takes a decision as far as it closes, and leaves the rest for when it is on the disk.
    private mutating func change(_ decision: Decision?, about app: AppKey, endingTemporaryAccuracy ends: Bool) {
        let decision = decision?.lifetime.isOver(at: now) == true ? nil : decision
        let write = makeWrite(.decision(decision, about: app))
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

    /// Puts a decision in force.
    mutating func set(_ decision: Decision?, about app: AppKey, endingTemporaryAccuracy ends: Bool) {
        let before = standing(of: app)
        table.record(decision, about: app)
        if ends || decision?.grants != true { table.temporarilyExact.remove(app) }
        let now = now
        modify(app) { state in
            // An app that is not there has ten seconds from now.
            if decision?.lifetime == .once { state.absentSince = now }
        }
        note(app, since: before)
        settle(app)
    }

    mutating func setTemporarilyExact(_ isExact: Bool, _ app: AppKey) {
        let before = standing(of: app)
        if isExact { table.temporarilyExact.insert(app) } else { table.temporarilyExact.remove(app) }
        modify(app) { _ in }
        note(app, since: before)
        settle(app)
    }

    /// Changes what concerns many apps.
    mutating func changeForAll(_ change: (inout AuthorizationTable) -> Void) {
        let apps = Set(states.keys).union(table.decidedApps(of: nil)).sorted(by: precedes)
        let before = apps.map(standing)
        change(&table)
        for (app, before) in zip(apps, before) { note(app, since: before) }
        for app in apps { settle(app) }
    }

    private func standing(of app: AppKey) -> Standing {
        Standing(authorization: table.authorization(of: app), isProvisional: table.isProvisional(app))
    }

    private mutating func note(_ app: AppKey, since before: Standing) {
        let after = standing(of: app)
        if after != before { actions.append(.changed(app, after.authorization)) }
    }
}
