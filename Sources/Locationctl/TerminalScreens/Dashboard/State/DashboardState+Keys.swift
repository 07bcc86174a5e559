internal import LocationModel
internal import LocationctlSupport

extension DashboardState {
    /// Handles a key. Returns the requests that follow from it.
    mutating func pressed(_ key: Key, at time: Double) -> [DashboardRequest] {
        if key == .interrupt { return [.end] }
        if key == .suspend { return [.suspend] }
        switch view {
        case .prompts: return pressedInPrompts(key, at: time)
        case .question(let question): return pressed(key, in: question)
        case .help: return pressedInHelp(key)
        case .overview where isFilterOpen: return pressedInFilter(key)
        case .overview, .details: return pressedInList(key, at: time)
        }
    }

    // MARK: The list of apps

    private mutating func pressedInList(_ key: Key, at time: Double) -> [DashboardRequest] {
        let previous = notice
        notice = nil
        switch key {
        case .up, .character("k"): move(-1)
        case .down, .character("j"): move(1)
        case .pageUp: move(-Self.page)
        case .pageDown: move(Self.page)
        case .wheelUp: move(-Self.wheelStep)
        case .wheelDown: move(Self.wheelStep)
        case .home: selection = shownApps.first?.key
        case .end: selection = shownApps.last?.key
        case .character("/"): (view, isFilterOpen) = (.overview, true)
        case .character("?"): view = .help
        case .enter:
            view = view == .overview && chosen() != nil ? .details : .overview
        case .escape where view == .overview: filter = ""
        case .escape, .tab: view = .overview
        case .character("x"): ask(DashboardQuestion.revoke)
        case .character("r"): ask(DashboardQuestion.reduce)
        case .character("a"): ask(DashboardQuestion.allow)
        case .character("p"):
            agent.appeared(at: time)
            if agent.current == nil {
                notice = translated("No app is waiting for an answer.")
            } else {
                view = .prompts
            }
        case .character("g"): return requestAuthorization()
        case .character("q"): return [.end]
        // A key without a meaning does not remove a message: the user may not have read it yet.
        default: notice = previous
        }
        return []
    }

    private mutating func move(_ step: Int) {
        let shown = shownApps
        guard !shown.isEmpty else { return }
        let current = shown.firstIndex { $0.key == selection }
        let next = current.map { max(0, min(shown.count - 1, $0 + step)) } ?? (step > 0 ? 0 : shown.count - 1)
        selection = shown[next].key
    }

    /// Returns the app at the cursor. If there is none, sets a notice.
    private mutating func chosen() -> WatchedApp? {
        if selectedApp == nil {
            notice =
                shownApps.isEmpty
                ? translated("There is no app.") : translated("Choose an app first, with Up or Down.")
        }
        return selectedApp
    }

    private mutating func ask(
        _ question: (WatchedApp) -> Result<DashboardQuestion, DashboardQuestion.NothingToDo>
    ) {
        guard let app = chosen() else { return }
        switch question(app) {
        case .success(let question): view = .question(question)
        case .failure(let reason): notice = reason.message
        }
    }

    private mutating func requestAuthorization() -> [DashboardRequest] {
        guard wantsPosition, let authorization, authorization.status == .notDetermined else { return [] }
        notice = translated("locationctl asks for the location.")
        return [.requestAuthorization]
    }

    /// Handles a key while the filter is typed. These keys make no decisions.
    private mutating func pressedInFilter(_ key: Key) -> [DashboardRequest] {
        switch key {
        case .character(let letter): if filter.count < Self.maximumFilter { filter.append(letter) }
        case .backspace: if filter.isEmpty { isFilterOpen = false } else { filter.removeLast() }
        case .enter, .tab: isFilterOpen = false
        case .escape: (filter, isFilterOpen) = ("", false)
        case .up, .wheelUp: move(-1)
        case .down, .wheelDown: move(1)
        default: break
        }
        return []
    }

    private mutating func pressedInHelp(_ key: Key) -> [DashboardRequest] {
        switch key {
        case .character("q"): return [.end]
        case .escape, .tab, .enter, .character("?"): view = .overview
        default: break
        }
        return []
    }

    // MARK: Questions

    private mutating func pressed(_ key: Key, in question: DashboardQuestion) -> [DashboardRequest] {
        switch key {
        case .escape, .tab: view = .overview
        case .character("r"):
            guard case .allow(let accuracy) = question.subject else { return [] }
            var changed = question
            changed.subject = .allow(accuracy == .full ? .reduced : .full)
            view = .question(changed)
        case .character(let letter):
            guard let choice = question.choices.first(where: { $0.letter == letter }) else { return [] }
            view = .overview
            notice = choice.decision == nil ? translated("Nothing was changed.") : nil
            return choice.decision.map { [.decide($0, question.app)] } ?? []
        default: break
        }
        return []
    }

    private mutating func pressedInPrompts(_ key: Key, at time: Double) -> [DashboardRequest] {
        switch key {
        case .escape, .tab:
            view = .overview
            return []
        case .character("q"): return [.end]
        default: break
        }
        switch agent.pressed(key, at: time) {
        case .answer(let id, let answer, let accuracy): return [.answer(id: id, answer, accuracy)]
        case .end: return [.end]
        case .suspend: return [.suspend]
        case nil: return []
        }
    }
}
