internal import Glibc
internal import LocationCore
internal import LocationProtocol
internal import NIOCore
internal import Varlink

/// The methods of `io.locationd.Manage`.
struct ManageMethods {
    let access: ManagementAccess
    let managers: Managers
    let decisions: DecisionCalls
    let prompts: PromptCalls
    let history: HistoryCalls
    let activity: ActivityCalls
    let receivers: ReceiverCalls
    let places: PlaceCalls

    /// The methods, each with the permission that a call needs, the rule for who may call it about whom, and the
    /// function that answers it.
    ///
    /// Attack: every program of a user at the machine has the permission `answer` without asking. So the methods that
    /// reveal where the machine is or was, by the satellites in view and the places, need the permission `manage`, as
    /// decisions do.
    var table: [MethodHandler<ManageInterface>] {
        let answer = MethodPermission(permission: .answer, managers: managers)
        let manage = MethodPermission(permission: .manage, managers: managers)
        return [
            .init(ListApps.self, answer, access.users, decisions.listApps),
            .init(MonitorApps.self, answer, access.users, decisions.monitorApps),
            .init(Grant.self, manage, access.app, decisions.grant),
            .init(SetAccuracy.self, manage, access.app, decisions.setAccuracy),
            .init(KeepWhileInUse.self, manage, access.app, decisions.keepWhileInUse),
            .init(Deny.self, manage, access.app, decisions.deny),
            .init(Revoke.self, manage, access.app, decisions.revoke),
            .init(Reset.self, manage, access.app, decisions.reset),
            .init(GetServices.self, answer, access.user, decisions.getServices),
            .init(SetServices.self, manage, access.switchable, decisions.setServices),

            .init(MonitorPrompts.self, answer, access.users, prompts.monitor),
            .init(AnswerPrompt.self, answer, access.prompt, prompts.answer),

            .init(GetIndicator.self, answer, access.users, history.getIndicator),
            .init(GetAccessLog.self, answer, access.users, history.getAccessLog),

            .init(ListSessions.self, answer, access.users, activity.listSessions),
            .init(GetStatistics.self, answer, access.anyone, activity.getStatistics),

            .init(ListReceivers.self, answer, access.anyone, receivers.list),
            .init(ListSatellites.self, manage, access.anyone, receivers.listSatellites),
            .init(Simulate.self, administratorsOf: access, receivers.simulate),
            .init(StopSimulation.self, administratorsOf: access, receivers.stopSimulation),

            .init(ListPlaces.self, manage, access.user, places.list),
            .init(ClearPlaces.self, manage, access.clearable, places.clear),
            .init(GetRememberedPlaces.self, administratorsOf: access, places.getRemembered),
            .init(ForgetRememberedPlaces.self, administratorsOf: access, places.forgetRemembered),
        ]
    }
}

extension ManageMethods {
    /// Creates the methods with the parts of the core that they use.
    init(_ core: Core, encoder: LocationEncoder, version: String, on loop: any EventLoop) {
        let observers = ListObservers(on: loop, clock: core.clock)
        core.changes.observe([.subscriptions]) { observers.changed(.sessions) }
        core.changes.observe([.indicator]) { observers.changed(.indicator) }
        core.changes.observe([.prompts]) { observers.changed(.prompts) }
        core.changes.observe([.decisions, .connections, .subscriptions, .prompts, .services]) {
            observers.changed(.apps)
        }
        let descriptions = AppDescriptions(broker: core.broker, peers: core.peers)
        self.init(
            // The daemon's own user owns the database.
            access: ManagementAccess(administrators: [0, geteuid()], broker: core.broker, managers: core.managers),
            managers: core.managers,
            decisions: DecisionCalls(
                broker: core.broker, peers: core.peers, descriptions: descriptions, observers: observers,
                places: core.places),
            prompts: PromptCalls(
                broker: core.broker, agents: core.agents, peers: core.peers, descriptions: descriptions,
                observers: observers),
            history: HistoryCalls(
                history: core.history, descriptions: descriptions, observers: observers, receivers: core.receivers,
                clock: core.clock),
            activity: ActivityCalls(
                peers: core.peers, monitoring: core.monitoring, headings: core.headings, beacons: core.beacons,
                publisher: core.publisher, encoder: encoder, streams: core.streams, time: core.time,
                store: core.storeFailures, surroundings: core.surroundings, observers: observers, version: version,
                started: loop.now, loop: loop),
            receivers: ReceiverCalls(
                receivers: core.receivers, beacons: core.beacons, surroundings: core.surroundings,
                managers: core.managers, observers: observers, loop: loop, clock: core.clock),
            places: PlaceCalls(
                monitoring: core.monitoring, events: core.events, cellRetention: core.cellRetention,
                databases: core.databases, remembered: core.places))
    }
}
