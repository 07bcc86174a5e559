internal import AuthorizationPolicy
internal import LocationModel
internal import LocationProtocol
internal import Varlink

extension Survey {
    /// What the daemon answers to questions that change nothing.
    ///
    /// - Parameter uid: the user, where that is another user than this process's, as under sudo.
    func service(for uid: Int?) async -> ServiceFacts {
        var facts = ServiceFacts()
        facts.app = DaemonConnection.ownIdentity
        do {
            facts.authorization = try await answer(GetAuthorization.self, Nothing()).authorization
            facts.answers = true
        } catch {
            facts.failure = (error as? Failure)?.message ?? "\(error)"
            return facts
        }
        do {
            facts.services = try await answer(GetServices.self, UserScope(uid: uid))
            facts.receivers = try await list(ListReceivers.self, Nothing()).receivers
            let prompts = MonitorPrompts.Parameters(uid: uid)
            facts.openPrompts = try await list(MonitorPrompts.self, prompts).prompts.count
            if let uid {
                // The daemon has told what holds for root's locationctl.
                let apps = try await list(ListApps.self, UserScope(uid: uid)).apps
                facts.authorization?.status = apps.first { $0.app == facts.app }?.status ?? .notDetermined
            }
        } catch {
            facts.managementFailure = (error as? Failure)?.message ?? "\(error)"
        }
        return facts
    }

    /// The answer, unless it takes too long.
    private func answer<M: DaemonMethod>(
        _ method: M.Type, _ parameters: M.Parameters
    ) async throws -> M.Reply {
        try await inTime { try await daemon.call(method, parameters) }
    }

    /// The whole list, unless it takes too long.
    private func list<M: DaemonMethod>(
        _ method: M.Type, _ parameters: M.Parameters
    ) async throws -> M.Reply where M.Reply: Page {
        try await inTime { try await daemon.list(method, parameters) }
    }

    /// What `body` returns, unless it takes too long: a daemon that hangs takes connections, and says nothing.
    private func inTime<Answer: Sendable>(_ body: @escaping @Sendable () async throws -> Answer) async throws -> Answer
    {
        try await withThrowingTaskGroup(of: Answer.self) { group in
            group.addTask { try await body() }
            group.addTask {
                try await Task.sleep(for: timeout)
                throw Failure(.unreachable, "it takes the connection, and has said nothing for \(timeout)")
            }
            defer { group.cancelAll() }
            return try await group.next()!
        }
    }
}
