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
    let observers: ListObservers
    let places: RememberedPlaces

    func listApps(_ call: Call<ListApps>, _: UserScope, _ manager: ManagementAccess.Manager) {
        PageSender(call).send(apps(of: manager), continues: false)
    }

    func monitorApps(_ call: Call<MonitorApps>, _: UserScope, _ manager: ManagementAccess.Manager) {
        observers.show(call, about: .apps) { apps(of: manager) }
    }

    private func apps(of manager: ManagementAccess.Manager) -> ListApps.Reply {
        let decided = broker.table.decidedApps(of: manager.managed)
        let connected = peers.apps.keys.filter { manager.manages($0.uid) }
        return ListApps.Reply(apps: Set(decided + connected).sorted(by: precedes).map(descriptions.summary))
    }

    func grant(_ call: Call<Grant>, _ request: Grant.Parameters, _ app: AppKey) throws(VarlinkError) {
        try checkForm(of: app)
        let lifetime: Decision.Lifetime =
            switch request.lifetime ?? .permanent {
            case .permanent: .permanent
            case .once: .once
            case .untilTomorrow: broker.untilTomorrow
            }
        let decision = Decision(
            level: request.level == .always ? .always : .whenInUse,
            accuracy: request.accuracy ?? broker.machine.defaultAccuracy(of: app.app), lifetime: lifetime)
        try answer(call, about: app, seeing: request.revision) { revision throws(DecisionRefusal) in
            try broker.decide(decision, about: app, revision: revision)
        }
    }

    func setAccuracy(
        _ call: Call<SetAccuracy>, _ request: SetAccuracy.Parameters, _ app: AppKey
    ) throws(VarlinkError) {
        try answer(call, about: app, seeing: request.revision) { revision throws(DecisionRefusal) in
            try broker.setAccuracy(request.accuracy, of: app, revision: revision ?? 0)
        }
    }

    func keepWhileInUse(
        _ call: Call<KeepWhileInUse>, _ request: KeepWhileInUse.Parameters, _ app: AppKey
    ) throws(VarlinkError) {
        try answer(call, about: app, seeing: request.revision) { revision throws(DecisionRefusal) in
            try broker.keepWhileInUse(app, revision: revision ?? 0)
        }
    }

    func deny(_ call: Call<Deny>, _ request: AppScope, _ app: AppKey) throws(VarlinkError) {
        try checkForm(of: app)
        try answer(call, about: app, seeing: request.revision) { revision throws(DecisionRefusal) in
            try broker.decide(.denied, about: app, revision: revision)
        }
    }

    func revoke(_ call: Call<Revoke>, _ request: AppScope, _ app: AppKey) throws(VarlinkError) {
        try answer(call, about: app, seeing: request.revision) { revision throws(DecisionRefusal) in
            try broker.revoke(app, revision: revision)
        }
    }

    func reset(_ call: Call<Reset>, _ request: AppScope, _ app: AppKey) throws(VarlinkError) {
        try answer(call, about: app, seeing: request.revision) { revision throws(DecisionRefusal) in
            let hadGrant = broker.table.hasGrant
            let written = try broker.decide(nil, about: app, revision: revision)
            // No app is left that the machine remembers its places for.
            //
            // Attack: a program resets a denial, as it can through the desktop's settings, and the places are lost.
            return hadGrant && !broker.table.hasGrant ? written.and(places.clear()).map { _ in } : written
        }
    }

    /// Throws the error for an app that no process can be, unless it is listed: then the user may decide about it.
    private func checkForm(of app: AppKey) throws(VarlinkError) {
        guard app.app.reasonForNeverMatching != nil, broker.table.decision(about: app) == nil, peers.apps[app] == nil
        else { return }
        throw .manage(.invalidApp(app: app.app.description))
    }

    /// Makes a decision, and answers `call` once the decision has been written to the disk or could not be written.
    ///
    /// - Parameters:
    ///   - seen: The revision of the decision that the user has seen, or `nil` for the current one.
    ///   - decide: Makes the decision.
    private func answer<Method: ManageMethod>(
        _ call: Call<Method>, about app: AppKey, seeing seen: Int?,
        _ decide: (_ revision: UInt64?) throws(DecisionRefusal) -> EventLoopFuture<Void>
    ) throws(VarlinkError) where Method.Reply == Grant.Reply {
        let written: EventLoopFuture<Void>
        do throws(DecisionRefusal) {
            // The user cannot have seen a number that is not a revision.
            written = try decide(seen.map { UInt64(exactly: $0) ?? .max })
        } catch {
            switch error {
            case .changed: throw .manage(.decisionChanged(app: descriptions.summary(app)))
            case .nothingGranted: throw .manage(.nothingGranted(app: app.app.description))
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
        let written = broker.setServicesEnabled(
            request.enabled, for: request.machine == true ? nil : user, unless: { peers.apps[$0] != nil })
        call.reply(when: written) { services(for: user) }
    }

    private func services(for user: UInt32) -> GetServices.Reply {
        let table = broker.table
        return GetServices.Reply(
            machine: table.servicesEnabledOnMachine, user: table.servicesEnabled(for: user),
            desktop: table.isSwitchedOffByDesktop(for: user) ? false : nil)
    }
}
