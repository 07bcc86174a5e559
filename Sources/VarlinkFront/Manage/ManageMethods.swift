internal import Glibc
internal import LocationCore
internal import LocationProtocol
internal import NIOCore
internal import Varlink

/// The methods of `io.locationd.Manage`.
struct ManageMethods {
    let access: ManagementAccess
    let decisions: DecisionCalls
    let prompts: PromptCalls
    let history: HistoryCalls
    let activity: ActivityCalls
    let receivers: ReceiverCalls
    let places: PlaceCalls

    /// The methods, each with the rule for who may call it and the function that answers it.
    var table: [MethodHandler<ManageInterface>] {
        [
            .init(ListApps.self, access.users, decisions.listApps),
            .init(Grant.self, access.app, decisions.grant),
            .init(Deny.self, access.app, decisions.deny),
            .init(Revoke.self, access.app, decisions.revoke),
            .init(Reset.self, access.app, decisions.reset),
            .init(GetServices.self, access.user, decisions.getServices),
            .init(SetServices.self, access.switchable, decisions.setServices),

            .init(MonitorPrompts.self, access.users, prompts.monitor),
            .init(AnswerPrompt.self, access.prompt, prompts.answer),

            .init(GetIndicator.self, access.users, history.getIndicator),
            .init(GetAccessLog.self, access.users, history.getAccessLog),

            .init(ListSessions.self, access.users, activity.listSessions),
            .init(GetStatistics.self, access.anyone, activity.getStatistics),

            .init(ListReceivers.self, access.anyone, receivers.list),
            .init(ListSatellites.self, access.anyone, receivers.listSatellites),
            .init(Simulate.self, access.administrator, receivers.simulate),
            .init(StopSimulation.self, access.administrator, receivers.stopSimulation),

            .init(ListPlaces.self, access.user, places.list),
            .init(ClearPlaces.self, access.clearable, places.clear),
        ]
    }
}

extension ManageMethods {
    /// Creates the methods with the parts of the core that they use.
    init(_ core: Core, encoder: LocationEncoder, version: String, on loop: any EventLoop) {
        let observers = ListObservers(on: loop)
        core.changes.observe([.subscriptions]) { observers.changed(.sessions) }
        core.changes.observe([.indicator]) { observers.changed(.indicator) }
        core.changes.observe([.prompts]) { observers.changed(.prompts) }
        let descriptions = AppDescriptions(broker: core.broker, peers: core.peers)
        self.init(
            // The daemon's own user owns the database.
            access: ManagementAccess(administrators: [0, geteuid()], broker: core.broker),
            decisions: DecisionCalls(
                broker: core.broker, peers: core.peers, descriptions: descriptions,
                nextMidnight: WallClock.nextMidnight),
            prompts: PromptCalls(
                broker: core.broker, agents: core.agents, peers: core.peers, descriptions: descriptions,
                observers: observers,
                nextMidnight: WallClock.nextMidnight),
            history: HistoryCalls(
                history: core.history, descriptions: descriptions, observers: observers, clock: WallClock.now),
            activity: ActivityCalls(
                peers: core.peers, monitoring: core.monitoring, headings: core.headings, publisher: core.publisher,
                encoder: encoder, streams: core.streams, time: core.time, observers: observers, version: version,
                started: loop.now, loop: loop),
            receivers: ReceiverCalls(receivers: core.receivers, observers: observers, loop: loop, clock: WallClock.now),
            places: PlaceCalls(monitoring: core.monitoring, events: core.events))
    }
}
