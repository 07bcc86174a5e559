internal import AuthorizationPolicy
internal import LocationModel
internal import LocationProtocol
internal import LocationctlSupport
internal import Varlink

extension Survey {
    /// Reads the daemon's state through calls that change nothing.
    ///
    /// - Parameter uid: The user, if it is not this process's user, as under sudo.
    func service(for uid: Int?) async -> ServiceFacts {
        var facts = ServiceFacts()
        facts.app = OwnApp.current?.identity
        do {
            facts.authorization = try await answer(GetAuthorization.self, Nothing()).authorization
            facts.answers = true
        } catch {
            facts.failure = (error as? Failure)?.message ?? "\(error)"
            return facts
        }
        do {
            facts.services = try await answer(GetServices.self, UserScope(uid: uid))
            let receivers = try await list(ListReceivers.self, .init())
            (facts.receivers, facts.missingBeacons) = (receivers.receivers, receivers.beacons)
            let statistics = try await answer(GetStatistics.self, Nothing()).statistics
            (facts.time, facts.surroundings) = (statistics.time, statistics.surroundings)
            let prompts = MonitorPrompts.Parameters(uid: uid)
            facts.openPrompts = try await list(MonitorPrompts.self, prompts).prompts.count
            let apps = try await list(ListApps.self, UserScope(uid: uid)).apps
            facts.exactPortal = apps.first(where: \.isExactPortal)?.app
            if uid != nil {
                // The daemon has reported the status of root's locationctl.
                facts.authorization?.status = apps.first { $0.app == facts.app }?.status ?? .notDetermined
            }
        } catch {
            facts.managementFailure = (error as? Failure)?.message ?? "\(error)"
            facts.isManagementRefused = (error as? Failure)?.status == .notAuthorized
        }
        return facts
    }

    private var silence: Failure {
        Failure(.unreachable, "it accepts the connection, but has not answered for \(timeout)")
    }

    /// Calls a method. Throws an error if the reply takes too long.
    private func answer<M: DaemonMethod>(
        _ method: M.Type, _ parameters: M.Parameters
    ) async throws -> M.Reply {
        try await within(timeout, orThrow: silence) { try await daemon.call(method, parameters) }
    }

    /// Fetches a whole list. Throws an error if that takes too long.
    func list<M: DaemonMethod>(
        _ method: M.Type, _ parameters: M.Parameters
    ) async throws -> M.Reply where M.Reply: Page {
        try await within(timeout, orThrow: silence) { try await daemon.list(method, parameters) }
    }
}

extension AppSummary {
    /// A Boolean value indicating whether this is the desktop portal with full accuracy.
    fileprivate var isExactPortal: Bool {
        app.hasSuffix("xdg-desktop-portal") && accuracy == .full
            && [.authorizedAlways, .authorizedWhenInUse].contains(decided)
    }
}
