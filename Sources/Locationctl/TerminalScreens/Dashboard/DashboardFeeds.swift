internal import LocationModel
internal import LocationProtocol
internal import LocationctlSupport
internal import Varlink

/// The calls and streams of a dashboard. Each function returns at once; the results arrive as events.
struct DashboardFeeds: Sendable {
    let daemon: DaemonConnection
    /// The user whose apps are shown. If no user is named, the caller; for root, all users.
    let apps: UserScope
    /// The user whose switch is shown; under sudo, the user who called it.
    let services: UserScope
    let send: @Sendable (DashboardEvent) -> Void

    /// Observes this program's authorization until the task is cancelled, which every app is permitted to do. This
    /// connection also shows whether the daemon is running. Calls `fail` if it is not running at first.
    func followAuthorization(fail: @escaping @Sendable (any Error) -> Void) -> Task<Void, Never> {
        let feed = Feed<Authorization>(isTemporary: { _, wasReached in wasReached }) { onValue in
            try await daemon.stream(GetAuthorization.self, Nothing()) { reply in
                onValue(reply.authorization)
                return true
            }
        }
        return Task {
            do {
                try await feed.run { event in
                    switch event {
                    case .value(let authorization, let isFirst):
                        if isFirst { send(.connected) }
                        send(.authorization(authorization))
                    case .lost: send(.lost)
                    }
                }
            } catch {
                if !Task.isCancelled { fail(error) }
            }
        }
    }

    /// Opens the streams of the management socket.
    func openManagement() -> [Task<Void, Never>] {
        [
            managing {
                try await daemon.prompts(of: apps.uid) { if !Task.isCancelled { send(.prompts($0)) } }
            },
            follow(MonitorApps.self, apps) { .apps($0.apps) },
            follow(ListSessions.self, apps) { .sessions($0.sessions) },
            follow(GetIndicator.self, apps) { .uses($0.apps) },
        ]
    }

    /// Observes the receivers and, for a user who needs no authentication, their satellites.
    func followReceivers() -> [Task<Void, Never>] {
        let receivers = follow(ListReceivers.self, .init()) { .receivers($0.receivers) }
        guard daemon.isManager else { return [receivers] }
        return [receivers, follow(ListSatellites.self, Nothing()) { .satellites($0.receivers) }]
    }

    private func follow<M: DaemonMethod>(
        _ method: M.Type, _ parameters: M.Parameters, _ event: @escaping @Sendable (M.Reply) -> DashboardEvent
    ) -> Task<Void, Never> where M.Reply: Page {
        managing {
            try await daemon.lists(method, parameters) {
                if !Task.isCancelled { send(event($0)) }
                return true
            }
        }
    }

    /// Reads the values that the daemon does not announce changes to.
    func readLists() -> Task<Void, Never> {
        managing {
            async let services = daemon.call(GetServices.self, self.services)
            async let statistics = daemon.call(GetStatistics.self, Nothing()).statistics
            async let receivers = daemon.list(ListReceivers.self, .init()).receivers
            let lists = try await DashboardEvent.Lists(
                services: services, statistics: statistics, receivers: receivers)
            if !Task.isCancelled { send(.lists(lists)) }
        }
    }

    func readLog() -> Task<Void, Never> {
        Task {
            let entries = try? await daemon.list(GetAccessLog.self, apps).entries
            if !Task.isCancelled { send(.log(entries)) }
        }
    }

    /// Runs calls on the management socket. If they fail, sends the reason as an event.
    private func managing(_ body: @escaping @Sendable () async throws -> Void) -> Task<Void, Never> {
        Task {
            do {
                try await body()
            } catch {
                if !Task.isCancelled { send(.managementFailed(Self.message(error))) }
            }
        }
    }

    /// Opens a subscription to the location. It has no automatic pauses, since the user is watching.
    func subscribe() -> Task<Void, Never> {
        Task {
            var options = Options()
            options.pausesAutomatically = false
            var failure: String?
            do {
                try await daemon.stream(Subscribe.self, Subscribe.Parameters(options: options)) { reply in
                    if let update = reply.update, !Task.isCancelled { send(.update(update)) }
                    return true
                }
            } catch {
                failure = Self.message(error)
            }
            if !Task.isCancelled { send(.subscriptionEnded(failure: failure)) }
        }
    }

    /// Requests the location for this program, which prompts the user.
    func requestAuthorization() -> Task<Void, Never> {
        Task {
            do {
                _ = try await daemon.call(
                    RequestAuthorization.self, .init(level: .whenInUse, reason: "to show the location in a dashboard"))
            } catch {
                if !Task.isCancelled { send(.requestFailed(Self.message(error))) }
            }
        }
    }

    func answer(_ id: Int, _ answer: PromptAnswer, _ accuracy: AccuracyAuthorization?) {
        Task {
            send(.answered(answer, accuracy, failure: await daemon.refusal(of: .answer(id: id, answer, accuracy))))
        }
    }

    func decide(_ decision: UserDecision, _ app: WatchedApp) {
        Task { send(.decided(app, await daemon.attempt(decision))) }
    }

    private static func message(_ error: any Error) -> String {
        (error as? Failure)?.message ?? translated("the connection to locationd failed")
    }
}

/// The running tasks of a dashboard, by purpose.
struct DashboardTasks {
    enum Purpose {
        case management, receivers, subscription, authorization, lists, log, drawing, clock
    }

    private var tasks: [Purpose: [Task<Void, Never>]] = [:]

    /// Keeps new tasks, and cancels the previous ones for the same purpose.
    mutating func start(_ new: [Task<Void, Never>], for purpose: Purpose) {
        tasks[purpose]?.forEach { $0.cancel() }
        tasks[purpose] = new
    }

    /// Cancels all tasks that depend on the connection.
    mutating func closeConnection() {
        for purpose in tasks.keys where purpose != .drawing && purpose != .clock { start([], for: purpose) }
    }
}
