internal import LocationProtocol

extension Survey {
    /// What the daemon answers to questions that change nothing.
    func service() async -> ServiceFacts {
        var facts = ServiceFacts()
        facts.app = DaemonConnection.ownIdentity
        do {
            facts.authorization = try await daemon.call(GetAuthorization.self, Nothing()).authorization
            facts.answers = true
        } catch {
            facts.failure = (error as? Failure)?.message ?? "\(error)"
            return facts
        }
        do {
            facts.services = try await daemon.call(GetServices.self, UserScope())
            facts.receivers = try await daemon.call(ListReceivers.self, Nothing()).receivers
            facts.openPrompts = try await daemon.call(MonitorPrompts.self, MonitorPrompts.Parameters()).prompts.count
        } catch {
            facts.managementFailure = (error as? Failure)?.message ?? "\(error)"
        }
        return facts
    }
}
