internal import Bytewise
public import LocationModel

/// Requests of apps, and the prompts for them.
extension AuthorizationStateMachine {
    /// Handles an app's request for the location.
    ///
    /// A request that does not prompt is answered in the returned actions. A request that prompts is answered later,
    /// after the user has answered, by an `Action.reply` from another call. While a prompt about the app is open,
    /// requests for the same thing join it. Other requests wait: a request for `always` during a prompt for `whenInUse`
    /// may prompt once that prompt is answered. A dismissal answers all of them.
    ///
    /// While the user has ``maximumOpenPromptsPerUser`` open prompts, a request of another app waits, just as Core
    /// Location shows one alert after another. When a prompt is closed, the app that has waited longest prompts.
    ///
    /// - Parameters:
    ///   - reason: The app's own words, used only if the app has no manifest.
    ///   - prefersReduced: `true` if reduced accuracy suffices for the app, so that a prompt for a first decision
    ///     preselects it. The user can still choose full accuracy.
    public mutating func request(
        _ level: RequestedLevel, reason: String? = nil, prefersReduced: Bool = false, id: RequestID, by app: AppKey,
        at now: Int64
    ) -> [Action] {
        begin(at: now)
        let description = UsageDescription(for: level, manifest: manifests[app.app], reason: reason)
        let subject = Request.Subject.level(level, description, prefersReduced: prefersReduced)
        handle(Request(id: id, subject: subject), of: app)
        return finish()
    }

    /// Handles an app's request for full accuracy until the app has quit, despite a reduced grant.
    ///
    /// The request is refused with `promptDeclined` if the app's manifest has no text for the purpose, if the app
    /// already has full accuracy, is not authorized or is not in use, if the user has refused this purpose since the
    /// app connected, and after three dismissals in a row. A grant of this kind is not stored, so a restart ends it.
    public mutating func requestTemporaryFullAccuracy(
        purposeKey: String, presence: Presence, id: RequestID, by app: AppKey, at now: Int64
    ) -> [Action] {
        begin(at: now)
        let subject = Request.Subject.temporaryFullAccuracy(purposeKey: purposeKey, presence: presence)
        handle(Request(id: id, subject: subject), of: app)
        return finish()
    }

    /// Cancels a request. A prompt without any other request stays open for 10 s, so that the app's next request
    /// returns to it.
    public mutating func cancel(_ request: RequestID, by app: AppKey, at now: Int64) -> [Action] {
        begin(at: now)
        if states[app] != nil {
            modify(app) { state in
                state.joined.removeAll { $0 == request }
                state.waiting.removeAll { $0.id == request }
            }
            startAbandonment(of: app)
        }
        return finish()
    }

    /// Prompts the user about a provisional `always` for the second time, because the app would now receive something
    /// in the background (`Delivery.promptAgain`).
    ///
    /// Does nothing if a prompt about the app is open, a decision about it is being written, its prompts were dismissed
    /// three times in a row, or the user has too many open prompts. Call this function for every such delivery: it
    /// costs little.
    public mutating func promptAgain(about app: AppKey, at now: Int64) -> [Action] {
        begin(at: now)
        if table.isProvisional(app), states[app]?.prompt == nil, states[app]?.opening == nil, !isInQuietPeriod(app),
            hasRoomForPrompt(of: app.uid)
        {
            openPrompt(.keepAlways, about: app, manifests[app.app]?.always.map { UsageDescription($0) })
        }
        return finish()
    }

    // MARK: Handling a request

    /// Answers a request, or ensures that the user is prompted.
    mutating func handle(_ request: Request, of app: AppKey) {
        let authorization = table.authorization(of: app)
        switch request.subject {
        case .level(let level, let description, let prefersReduced):
            switch table.outcome(ofRequestFor: level, usageDescription: description?.text.plain, by: app) {
            case .answered: actions.append(.reply(request: request.id, authorization))
            case .usageDescriptionMissing:
                actions.append(.refuse(request: request.id, .usageDescriptionMissing))
            case .prompt:
                let first: OpenPrompt.Subject = level == .always ? .always : .whenInUse
                prompt(
                    authorization.status == .notDetermined ? first : .alwaysInsteadOfWhenInUse, description, request,
                    prefersReduced: prefersReduced, of: app)
            }
        case .temporaryFullAccuracy(let purposeKey, let presence):
            guard authorization.status.isAuthorized, authorization.accuracy == .reduced,
                !table.isReducedByDesktop(for: app.uid), presence == .inUse,
                let text = manifests[app.app]?.text(ofPurpose: purposeKey),
                states[app]?.declinedPurposes.contains(BytewiseString(purposeKey)) != true
            else {
                actions.append(.refuse(request: request.id, .promptDeclined))
                return
            }
            prompt(
                .temporaryFullAccuracy(purposeKey: purposeKey), UsageDescription(text), request,
                prefersReduced: false, of: app)
        }
    }

    private mutating func prompt(
        _ subject: OpenPrompt.Subject, _ description: UsageDescription?, _ request: Request, prefersReduced: Bool,
        of app: AppKey
    ) {
        if let open = states[app]?.prompt {
            modify(app) { state in
                if open.subject == subject {
                    state.joined.append(request.id)
                } else {
                    state.waiting.append(request)
                }
                state.abandonedSince = nil
            }
        } else if states[app]?.opening != nil {
            // A decision is being written. It may settle this request, too.
            modify(app) { $0.waiting.append(request) }
        } else if isInQuietPeriod(app) {
            actions.append(.refuse(request: request.id, .promptDeclined))
        } else if !hasRoomForPrompt(of: app.uid), !makeRoomForPrompt(of: app.uid) {
            modify(app) { $0.waiting.append(request) }
            queue.enqueue(app)
        } else {
            modify(app) { $0.joined = [request.id] }
            openPrompt(subject, about: app, description, prefersReduced: prefersReduced)
        }
    }

    private mutating func openPrompt(
        _ subject: OpenPrompt.Subject, about app: AppKey, _ description: UsageDescription?, prefersReduced: Bool = false
    ) {
        let first = prefersReduced ? .reduced : defaultAccuracy(of: app.app)
        let prompt = OpenPrompt(
            id: makePromptID(), app: app, subject: subject, usageDescription: description,
            defaultAccuracy: table.decision(about: app)?.accuracy ?? first, openedAt: now)
        modify(app) { $0.prompt = prompt }
        openPrompts[app.uid, default: 0] += 1
        actions.append(.open(prompt))
    }

    // MARK: Limit

    /// Returns whether another prompt may be opened for the user.
    private func hasRoomForPrompt(of uid: UInt32) -> Bool {
        openPrompts[uid] ?? 0 < Self.maximumOpenPromptsPerUser
    }

    /// Closes the user's oldest prompt about a provisional `always` without a waiting request. The app's next delivery
    /// in the background prompts again. Returns `false` if there is no such prompt.
    ///
    /// Attack: apps with a provisional `always` receive something in the background and exit. Their prompts, which have
    /// no timeout, remain unanswered and keep all other apps of the user from prompting.
    private mutating func makeRoomForPrompt(of uid: UInt32) -> Bool {
        let idle = states.values.filter { $0.joined.isEmpty && $0.waiting.isEmpty }.compactMap(\.prompt)
            .filter { $0.app.uid == uid && $0.subject == .keepAlways }
        guard let oldest = idle.min(by: { $0.id < $1.id }) else { return false }
        closePrompt(about: oldest.app)
        return true
    }

    /// Opens prompts for waiting apps, up to each user's limit. The apps that have waited longest come first.
    mutating func promptForWaitingApps() {
        for uid in queue.users {
            while hasRoomForPrompt(of: uid), let app = queue.dequeue(of: uid) { settle(app) }
        }
    }

    // MARK: Closing a prompt

    /// Closes the prompt about the app, if there is one. `settle` handles its requests.
    mutating func closePrompt(about app: AppKey) {
        guard let prompt = states[app]?.prompt else { return }
        modify(app) { state in
            state.prompt = nil
            state.abandonedSince = nil
        }
        openPrompts[app.uid] = openPrompts[app.uid].flatMap { $0 > 1 ? $0 - 1 : nil }
        actions.append(.close(prompt))
    }

    /// Answers the requests whose prompt was closed or is no longer needed, and handles the waiting requests again.
    mutating func settle(_ app: AppKey) {
        guard let state = states[app] else { return }
        if let prompt = state.prompt {
            guard !isDue(prompt) else { return }
            closePrompt(about: app)
        }
        // The decision that is being written may settle the requests.
        guard state.opening == nil else { return }
        modify(app) { state in
            state.joined = []
            state.waiting = []
        }
        for request in state.joined { actions.append(.reply(request: request, table.authorization(of: app))) }
        for request in state.waiting { handle(request, of: app) }
    }

    /// Answers every request of the app with its current authorization.
    mutating func replyToAll(of app: AppKey) {
        guard let state = states[app] else { return }
        modify(app) { state in
            state.joined = []
            state.waiting = []
        }
        for request in state.joined + state.waiting.map(\.id) {
            actions.append(.reply(request: request, table.authorization(of: app)))
        }
    }

    /// Returns whether the prompt is still needed after a change. Decisions about the app close the prompt in any case.
    private func isDue(_ prompt: OpenPrompt) -> Bool {
        let status = table.authorization(of: prompt.app).status
        return switch prompt.subject {
        case .whenInUse, .always: status == .notDetermined
        case .alwaysInsteadOfWhenInUse:
            status == .authorizedWhenInUse && table.decision(about: prompt.app)?.alwaysPromptSpent == false
        case .keepAlways: table.isProvisional(prompt.app)
        case .temporaryFullAccuracy: status.isAuthorized && table.decision(about: prompt.app)?.accuracy == .reduced
        }
    }

    /// Replaces an open prompt about the app with a prompt that has this accuracy and another ID: an answer to the old
    /// prompt was meant for another decision.
    mutating func renewPrompt(about app: AppKey, accuracy: AccuracyAuthorization) {
        guard let prompt = states[app]?.prompt else { return }
        let renewed = OpenPrompt(
            id: makePromptID(), app: app, subject: prompt.subject, usageDescription: prompt.usageDescription,
            defaultAccuracy: accuracy, openedAt: prompt.openedAt)
        modify(app) { $0.prompt = renewed }
        actions += [.close(prompt), .open(renewed)]
    }

    /// Starts the timeout of a prompt that no request waits for any more. The second prompt about a provisional
    /// `always` has no timeout, because no request waits for it in the first place.
    mutating func startAbandonment(of app: AppKey) {
        guard let state = states[app], let prompt = state.prompt, prompt.subject != .keepAlways,
            state.joined.isEmpty, state.waiting.isEmpty, state.abandonedSince == nil
        else { return }
        let now = now
        modify(app) { $0.abandonedSince = now }
    }
}
