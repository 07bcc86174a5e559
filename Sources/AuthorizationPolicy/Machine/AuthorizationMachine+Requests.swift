internal import Bytewise
public import LocationModel

/// What apps ask for.
extension AuthorizationMachine {
    /// The app asks for the location.
    ///
    /// A request that does not prompt has its answer among the actions. One that does is answered after the user, by
    /// `Action.reply` of a later call. While a question about the app is open, requests for the same join it. Others
    /// wait: `always` while `whenInUse` is asked may ask when that one is answered. A dismissal is for all of them.
    ///
    /// While ``maximumOpenPromptsPerUser`` prompts of the user are open, a further app's request waits, as Core Location
    /// shows one alert after the other. The app that has waited longest prompts when one of them is closed.
    ///
    /// - Parameter reason: the app's own words; used only for an app without a manifest.
    public mutating func request(
        _ level: RequestedLevel, reason: String? = nil, id: RequestID, by app: AppKey, at now: Int64
    ) -> [Action] {
        begin(at: now)
        let description = UsageDescription(for: level, manifest: manifests[app.app], reason: reason)
        take(Request(id: id, wish: .level(level, description)), of: app)
        return finish()
    }

    /// The app asks for full accuracy until it is gone, although it was granted reduced.
    ///
    /// `promptDeclined` when its manifest has no text for that purpose, when it has full accuracy already, when it is
    /// not authorized or not in use, and when the user has said no to that purpose since the app came. What is
    /// granted is not stored: a restart ends it.
    public mutating func requestTemporaryFullAccuracy(
        purposeKey: String, presence: Presence, id: RequestID, by app: AppKey, at now: Int64
    ) -> [Action] {
        begin(at: now)
        let wish = Request.Wish.temporaryFullAccuracy(purposeKey: purposeKey, presence: presence)
        take(Request(id: id, wish: wish), of: app)
        return finish()
    }

    /// Nobody waits for the answer to that request any more. When that was the last one, the question stays for 10 s,
    /// so that the next request comes back to it.
    public mutating func cancel(_ request: RequestID, by app: AppKey, at now: Int64) -> [Action] {
        begin(at: now)
        if states[app] != nil {
            modify(app) { state in
                state.askers.removeAll { $0 == request }
                state.waiting.removeAll { $0.id == request }
            }
            noteAbandonment(of: app)
        }
        return finish()
    }

    /// The app would get something in the background, and has a provisional `always` (`Delivery.askAgain`): the user
    /// is asked for the second time, unless that question is open, the user is left in peace, or the user has enough
    /// prompts open. To be called each time; it costs little.
    public mutating func askAgain(about app: AppKey, at now: Int64) -> [Action] {
        begin(at: now)
        if table.isProvisional(app), states[app]?.question == nil, states[app]?.opening == nil, !isLeftInPeace(app),
            hasRoomForPrompt(of: app.uid)
        {
            ask(.keepAlways, about: app, manifests[app.app]?.always.map { UsageDescription($0) })
        }
        return finish()
    }

    // MARK: One request

    /// Answers a request, or finds it a question.
    mutating func take(_ request: Request, of app: AppKey) {
        let authorization = table.authorization(of: app)
        switch request.wish {
        case .level(let level, let description):
            switch table.outcome(ofRequestFor: level, usageDescription: description?.text.plain, by: app) {
            case .answered: actions.append(.reply(request: request.id, authorization))
            case .usageDescriptionMissing:
                actions.append(.refuse(request: request.id, .usageDescriptionMissing))
            case .prompt:
                let first: Question.Subject = level == .always ? .always : .whenInUse
                prompt(
                    authorization.status == .notDetermined ? first : .alwaysInsteadOfWhenInUse, description, request,
                    of: app)
            }
        case .temporaryFullAccuracy(let purposeKey, let presence):
            guard authorization.status.isAuthorized, authorization.accuracy == .reduced, presence == .inUse,
                let text = manifests[app.app]?.text(ofPurpose: purposeKey),
                states[app]?.declinedPurposes.contains(BytewiseString(purposeKey)) != true
            else {
                actions.append(.refuse(request: request.id, .promptDeclined))
                return
            }
            prompt(.temporaryFullAccuracy(purposeKey: purposeKey), UsageDescription(text), request, of: app)
        }
    }

    private mutating func prompt(
        _ subject: Question.Subject, _ description: UsageDescription?, _ request: Request, of app: AppKey
    ) {
        if let open = states[app]?.question {
            modify(app) { state in
                if open.subject == subject {
                    state.askers.append(request.id)
                } else {
                    state.waiting.append(request)
                }
                state.abandonedSince = nil
            }
        } else if states[app]?.opening != nil {
            // The answer is on its way to the disk. It may be the one to this request too.
            modify(app) { $0.waiting.append(request) }
        } else if isLeftInPeace(app) {
            actions.append(.refuse(request: request.id, .promptDeclined))
        } else if !hasRoomForPrompt(of: app.uid) {
            modify(app) { $0.waiting.append(request) }
            queue.enqueue(app)
        } else {
            modify(app) { $0.askers = [request.id] }
            ask(subject, about: app, description)
        }
    }

    private mutating func ask(_ subject: Question.Subject, about app: AppKey, _ description: UsageDescription?) {
        let question = Question(
            id: makeQuestionID(), app: app, subject: subject, usageDescription: description,
            defaultAccuracy: table.decision(about: app)?.accuracy ?? defaultAccuracy(of: app.app), askedAt: now)
        modify(app) { $0.question = question }
        openPrompts[app.uid, default: 0] += 1
        actions.append(.ask(question))
    }

    // MARK: The bound

    /// Returns whether another prompt may be opened for the user.
    private func hasRoomForPrompt(of uid: UInt32) -> Bool {
        openPrompts[uid] ?? 0 < Self.maximumOpenPromptsPerUser
    }

    /// Prompts for apps that wait, the longest waiting first, where their users have room for it.
    mutating func promptForWaitingApps() {
        for uid in queue.users {
            while hasRoomForPrompt(of: uid), let app = queue.dequeue(of: uid) { settle(app) }
        }
    }

    // MARK: The end of a question

    /// Takes the question about the app away, if there is one. Its requests are left for `settle`.
    mutating func closeQuestion(about app: AppKey) {
        guard let question = states[app]?.question else { return }
        modify(app) { state in
            state.question = nil
            state.abandonedSince = nil
        }
        openPrompts[app.uid] = openPrompts[app.uid].flatMap { $0 > 1 ? $0 - 1 : nil }
        actions.append(.close(question))
    }

    /// Answers what can be answered after a change: requests whose question is over or makes no sense any more, and
    /// those that waited for its end.
    mutating func settle(_ app: AppKey) {
        guard let state = states[app], state.opening == nil else { return }
        if let question = state.question {
            guard !isDue(question) else { return }
            closeQuestion(about: app)
        }
        modify(app) { state in
            state.askers = []
            state.waiting = []
        }
        for request in state.askers { actions.append(.reply(request: request, table.authorization(of: app))) }
        for request in state.waiting { take(request, of: app) }
    }

    /// Answers every request of the app with what holds.
    mutating func replyToAll(of app: AppKey) {
        guard let state = states[app] else { return }
        modify(app) { state in
            state.askers = []
            state.waiting = []
        }
        for request in state.askers + state.waiting.map(\.id) {
            actions.append(.reply(request: request, table.authorization(of: app)))
        }
    }

    /// Returns whether the question still has to be asked, after something that was no decision about the app: those
    /// close it.
    private func isDue(_ question: Question) -> Bool {
        let status = table.authorization(of: question.app).status
        return switch question.subject {
        case .whenInUse, .always: status == .notDetermined
        case .alwaysInsteadOfWhenInUse: status == .authorizedWhenInUse
        case .keepAlways: table.isProvisional(question.app)
        case .temporaryFullAccuracy: status.isAuthorized
        }
    }

    /// The question stays for a while when nobody waits for it. The second question waits for its answer itself.
    mutating func noteAbandonment(of app: AppKey) {
        guard let state = states[app], let question = state.question, question.subject != .keepAlways,
            state.askers.isEmpty, state.waiting.isEmpty, state.abandonedSince == nil
        else { return }
        let now = now
        modify(app) { $0.abandonedSince = now }
    }
}
