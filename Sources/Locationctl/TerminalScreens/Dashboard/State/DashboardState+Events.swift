internal import LocationModel
internal import LocationProtocol
internal import LocationctlSupport

extension DashboardState {
    /// Applies an event. Returns the requests that follow from it.
    mutating func received(_ event: DashboardEvent, at time: Double) -> [DashboardRequest] {
        switch event {
        case .connected: return connected(at: time)
        case .lost: lost()
        case .authorization(let new): return authorized(new, at: time)
        case .update(let update): apply(update, at: time)
        case .subscriptionEnded(let failure): return subscriptionEnded(failure, at: time)
        case .managementFailed(let message): managementFailed(message)
        case .prompts(let open):
            agent.received(open, at: time)
            if open.isEmpty { leavePrompts() }
            return listsChanged(at: time)
        case .apps(let list):
            decisions = list
            return listsChanged(at: time)
        case .sessions(let list):
            sessions = list
            return listsChanged(at: time)
        case .uses(let list):
            uses = list
            return listsChanged(at: time) + logChanged(at: time)
        case .receivers(let list): return apply(list, at: time)
        case .satellites(let list): if followsReceivers { satellites = list }
        case .lists(let new): return apply(new, at: time)
        case .log(let entries): return apply(entries, at: time)
        case .answered(let answer, let accuracy, let failure):
            agent.completed(answer, accuracy, failure: failure, at: time)
            notice = agent.notice
            if agent.current == nil { leavePrompts() }
        case .decided(let app, .success(let decided)):
            notice = decided.map { Self.confirmation($0, of: app) }
            return listsChanged(at: time)
        case .decided(_, .failure(let failure)):
            notice = DisplayText.shown(failure.message)
            return listsChanged(at: time)
        case .requestFailed(let message): notice = DisplayText.shown(message)
        case .minute: return minute(at: time)
        case .listsDue: return Self.requests(listsSchedule.due(at: time), .readLists) { .waitForLists($0) }
        case .logDue: return Self.requests(logSchedule.due(at: time), .readLog) { .waitForLog($0) }
        }
        return []
    }

    // MARK: The connection

    private mutating func connected(at time: Double) -> [DashboardRequest] {
        self = DashboardState(ownApp: ownApp, positionDisplay: positionDisplay)
        isConnected = true
        return listsChanged(at: time) + logChanged(at: time)
    }

    private mutating func lost() {
        self = DashboardState(ownApp: ownApp, positionDisplay: positionDisplay)
        isLost = true
    }

    private mutating func managementFailed(_ message: String) {
        guard isConnected else { return }
        management = .failed(message)
        followsReceivers = false
        // A reading in progress may have failed.
        listsSchedule = ReadingSchedule(interval: Self.listsInterval)
    }

    private mutating func minute(at time: Double) -> [DashboardRequest] {
        guard isConnected else { return [] }
        var requests = listsChanged(at: time) + logChanged(at: time)
        if case .failed = management {
            requests.append(.openManagement)
        }
        return requests + subscribeIfPossible(at: time)
    }

    // MARK: The position

    private mutating func authorized(_ new: Authorization, at time: Double) -> [DashboardRequest] {
        isAuthorizationNew = true
        if new.accuracy != authorization?.accuracy || !new.status.isAuthorized { forgetPosition() }
        authorization = new
        return subscribeIfPossible(at: time) + listsChanged(at: time)
    }

    private mutating func subscribeIfPossible(at time: Double) -> [DashboardRequest] {
        guard wantsPosition, !isSubscribed, let authorization, authorization.status.isAuthorized else { return [] }
        isSubscribed = true
        subscribedSince = time
        isAuthorizationNew = false
        subscriptionFailure = nil
        return [.subscribe]
    }

    private mutating func subscriptionEnded(_ failure: String?, at time: Double) -> [DashboardRequest] {
        guard isSubscribed else { return [] }
        isSubscribed = false
        subscriptionFailure = failure
        forgetPosition()
        return isAuthorizationNew ? subscribeIfPossible(at: time) : []
    }

    private mutating func apply(_ update: Update, at time: Double) {
        guard isSubscribed else { return }
        positionEvent = update.event == .location ? nil : update.event
        if let location = update.location { history.add(location, at: time) }
    }

    private mutating func forgetPosition() {
        history = MotionHistory()
        positionEvent = nil
    }

    // MARK: The lists

    private mutating func listsChanged(at time: Double) -> [DashboardRequest] {
        rejoin()
        return Self.requests(listsSchedule.changed(at: time), .readLists) { .waitForLists($0) }
    }

    private mutating func logChanged(at time: Double) -> [DashboardRequest] {
        Self.requests(logSchedule.changed(at: time), .readLog) { .waitForLog($0) }
    }

    private static func requests(
        _ action: ReadingSchedule.Action?, _ read: DashboardRequest, _ wait: (Double) -> DashboardRequest
    ) -> [DashboardRequest] {
        switch action {
        case .read: [read]
        case .wait(let seconds): [wait(seconds)]
        case nil: []
        }
    }

    private mutating func apply(_ new: DashboardEvent.Lists, at time: Double) -> [DashboardRequest] {
        guard isConnected else { return [] }
        lists = new
        management = .open
        rejoin()
        let receivers = followsReceivers ? [] : apply(new.receivers, at: time)
        return receivers + Self.requests(listsSchedule.finished(at: time), .readLists) { .waitForLists($0) }
    }

    private mutating func apply(_ entries: [AccessLogEntry]?, at time: Double) -> [DashboardRequest] {
        log = entries
        hasReadLog = true
        rejoin()
        return Self.requests(logSchedule.finished(at: time), .readLog) { .waitForLog($0) }
    }

    private mutating func rejoin() {
        apps = [WatchedApp](
            apps: decisions ?? [], sessions: sessions ?? [], uses: uses ?? [], log: log ?? [])
        if selectedApp == nil {
            selection = nil
            if view == .details { view = .overview }
        }
    }

    /// Applies a list of the receivers. They are observed only while one of them is open: the daemon looks at observed
    /// receivers once a second.
    private mutating func apply(_ list: [ReceiverSummary], at time: Double) -> [DashboardRequest] {
        guard isConnected else { return [] }
        receivers = list
        rates.add(list, at: time)
        let areOpen = list.contains { [.connecting, .searching, .running, .lost].contains($0.state) }
        guard areOpen != followsReceivers else { return [] }
        followsReceivers = areOpen
        if !areOpen { satellites = [] }
        return [.followReceivers(areOpen)]
    }

    private mutating func leavePrompts() {
        if view == .prompts { view = .overview }
    }

    private static func confirmation(_ decided: AppSummary, of app: WatchedApp) -> String {
        let name = app.shortName
        guard decided.decision?.grants == true else {
            // Translators: a is a key.
            return translated("{app} is denied the location from now on. a allows it again.", ["app": name])
        }
        return translated(
            // Translators: The access is like "while in use, reduced accuracy".
            "{app} may have the location: {access}.", ["app": name, "access": DecisionText.access(decided)])
    }
}
