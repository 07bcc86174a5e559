internal import LocationCore
internal import LocationModel
internal import LocationProtocol
internal import NIOCore
internal import Surroundings
internal import Varlink

/// The calls about the apps' streams and monitoring, and about the daemon's statistics.
struct ActivityCalls {
    let peers: Peers
    let monitoring: Monitoring
    let headings: HeadingMonitoring
    let beacons: BeaconRanging
    let publisher: Publisher
    let encoder: LocationEncoder
    let streams: OpenStreams
    let time: TimeService?
    let store: StoreFailures
    let surroundings: Surroundings
    let observers: ListObservers
    let version: String
    /// The time when the daemon started.
    let started: NIODeadline
    let loop: any EventLoop

    func listSessions(_ call: Call<ListSessions>, _: UserScope, _ manager: ManagementAccess.Manager) {
        observers.show(call, about: .sessions) {
            var sessions: [SessionSummary] = []
            for (key, app) in peers.apps where manager.manages(key.uid) {
                sessions += app.subscriptions.map { SessionSummary($0, of: key, peers) }
            }
            for stream in headings.streams where manager.manages(stream.app.uid) {
                sessions.append(SessionSummary(stream.stream, of: stream.app, state: .active, peers))
            }
            for stream in beacons.streams where manager.manages(stream.app.uid) {
                sessions.append(SessionSummary(stream.stream, of: stream.app, state: .active, peers))
            }
            for (key, app) in monitoring.apps where manager.manages(key.uid) {
                sessions += app.summaries(peers)
            }
            if !manager.seesMovement { for index in sessions.indices { sessions[index].hideMovement() } }
            return ListSessions.Reply(
                sessions: sessions.sorted { ($0.since, $0.pid ?? 0) < ($1.since, $1.pid ?? 0) })
        }
    }

    func getStatistics(_ call: Call<GetStatistics>, _: Nothing, _ manager: ManagementAccess.Manager) {
        call.reply(GetStatistics.Reply(statistics: statistics(for: manager)))
    }

    private func statistics(for manager: ManagementAccess.Manager) -> Statistics {
        var statistics = Statistics(version: version)
        let apps = peers.apps.values.filter { manager.manages($0.key.uid) }
        let subscriptions = apps.flatMap(\.subscriptions)
        statistics.uptime = Double((loop.now - started).nanoseconds) / 1e9
        statistics.connections =
            manager.isAdministrator ? peers.connectionCount : apps.reduce(0) { $0 + $1.connections }
        statistics.sessions = subscriptions.count
        // Attack: a user learns from the counts of all users when another user's apps get the location.
        guard manager.isAdministrator else { return statistics }
        statistics.fixes = publisher.counts.fixes
        statistics.encoded = encoder.count
        statistics.delivered = publisher.counts.delivered
        statistics.replaced = streams.replaced + subscriptions.reduce(0) { $0 + $1.subscriber.replacedCount }
        statistics.refused = peers.refused
        statistics.failedWrites = store.count
        statistics.surroundings = surroundings.absence
        statistics.time = time.map { time in
            var statistics = TimeStatistics(socket: time.path, samples: time.count)
            statistics.failure = time.failure
            statistics.delay = time.delay
            statistics.spread = time.spread
            return statistics
        }
        return statistics
    }
}
