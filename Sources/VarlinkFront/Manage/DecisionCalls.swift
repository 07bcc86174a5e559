internal import AuthorizationPolicy
internal import LocationCore
internal import LocationModel
internal import LocationProtocol
internal import NIOCore
internal import Varlink

/// The calls about apps, the decisions about them, and the switches of location services.
struct DecisionCalls {
    let broker: AuthorizationBroker
    let peers: Peers
    let descriptions: AppDescriptions
    /// Returns the next local midnight, in seconds since 1970.
    let nextMidnight: () -> Int64

    func listApps(_ call: Call<ListApps>, _: UserScope, _ manager: ManagementAccess.Manager) {
        let decided = broker.table.decidedApps(of: manager.managed)
        let connected = peers.apps.keys.filter { manager.manages($0.uid) }
        let apps = Set(decided + connected).sorted(by: precedes).map(descriptions.summary)
        PageSender(call).send(ListApps.Reply(apps: apps), continues: false)
    }

    func grant(_ call: Call<Grant>, _ request: Grant.Parameters, _ app: AppKey) throws(VarlinkError) {
        try checkForm(of: app)
        let lifetime: Decision.Lifetime =
            switch request.lifetime ?? .permanent {
            case .permanent: .permanent
            case .once: .once
            case .untilTomorrow: .until(secondsSince1970: nextMidnight())
            }
        let decision = Decision(
            level: request.level == .always ? .always : .whenInUse,
            accuracy: request.accuracy ?? broker.machine.defaultAccuracy(of: app.app), lifetime: lifetime)
        try decide(decision, about: app, answering: call)
    }

    func deny(_ call: Call<Deny>, _: AppScope, _ app: AppKey) throws(VarlinkError) {
        try checkForm(of: app)
        try decide(.denied, about: app, answering: call)
    }

    func revoke(_ call: Call<Revoke>, _: AppScope, _ app: AppKey) throws(VarlinkError) {
        guard let decision = broker.table.decision(about: app), decision.level != .denied else {
            throw .manage(.nothingGranted(app: app.app.description))
        }
        try decide(.denied, about: app, answering: call)
    }

    func reset(_ call: Call<Reset>, _: AppScope, _ app: AppKey) throws(VarlinkError) {
        try decide(nil, about: app, answering: call)
    }

    /// Throws the error for an app that no process can be, unless it is listed: the user may decide about that.
    private func checkForm(of app: AppKey) throws(VarlinkError) {
        guard app.app.reasonForNeverMatching != nil, broker.table.decision(about: app) == nil, peers.apps[app] == nil
        else { return }
        throw .manage(.invalidApp(app: app.app.description))
    }

    /// Answers `call` once the decision has been written to the disk, or could not be written.
    private func decide<Method: ManageMethod>(
        _ decision: Decision?, about app: AppKey, answering call: Call<Method>
    ) throws(VarlinkError) where Method.Reply == Grant.Reply {
        let written: EventLoopFuture<Void>
        do throws(DecisionRefusal) {
            written = try broker.decide(decision, about: app)
        } catch {
            switch error {
            case .restricted: throw .manage(.restricted(app: app.app.description))
            case .tooManyDecisions: throw .manage(.limitExceeded(limit: "decisionsPerUser"))
            }
        }
        call.reply(when: written) { Grant.Reply(app: descriptions.summary(app)) }
    }

    func getServices(_ call: Call<GetServices>, _: UserScope, _ user: UInt32) {
        call.reply(services(for: user))
    }

    func setServices(_ call: Call<SetServices>, _ request: SetServices.Parameters, _ user: UInt32) {
        let written = broker.setServicesEnabled(request.enabled, for: request.machine == true ? nil : user)
        call.reply(when: written) { services(for: user) }
    }

    private func services(for user: UInt32) -> GetServices.Reply {
        let table = broker.table
        return GetServices.Reply(
            machine: table.servicesEnabledOnMachine, user: table.servicesEnabled(for: user),
            desktop: table.isSwitchedOffByDesktop(for: user) ? false : nil)
    }
}
