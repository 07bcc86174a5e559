internal import AuthorizationPolicy
internal import LocationCore
internal import LocationModel
internal import LocationProtocol
internal import Positioning
internal import Varlink

/// Summaries of the apps' requests, for their user.
extension SessionSummary {
    init(_ subscription: Subscription, of key: AppKey, _ peers: Peers) {
        let client = subscription.subscriber.client
        self.init(
            key: key, pid: peers.processID(of: client).map(Int.init), method: Subscribe.name,
            state: subscription.isSuspended ? .suspended : subscription.isPaused ? .paused : .active,
            since: subscription.since)
        front = client.front.name
        background = subscription.isInBackground
        desiredAccuracy = subscription.desiredAccuracy
        distanceFilter = subscription.distanceFilter
        minimumInterval = subscription.minimumInterval
        let replaced = subscription.subscriber.replacedCount
        self.replaced = replaced
        delivered = subscription.delivered - replaced
    }

    init(_ stream: AnyEventStream, of key: AppKey, state: SessionState, _ peers: Peers) {
        let client = stream.subscriber.client
        self.init(
            key: key, pid: peers.processID(of: client).map(Int.init), method: stream.kind.method.name, state: state,
            since: stream.since)
        front = client.front.name
        let replaced = stream.subscriber.replacedCount
        self.replaced = replaced
        delivered = stream.delivered - replaced
    }

    /// Removes values that change with the sky or with movement. A subscription pauses when the device is stationary.
    mutating func hideMovement() {
        (delivered, replaced) = (nil, nil)
        if state == .paused { state = .active }
    }
}

extension MonitoredApp {
    /// Returns the summaries of the app's streams, and of its monitoring without a stream.
    func summaries(_ peers: Peers) -> [SessionSummary] {
        streams.map { SessionSummary($0, of: key, state: .waiting, peers) }
            + [summary(significantChanges), summary(visits)].compactMap(\.self) + regions.values.map(summary)
    }

    private func summary<Event>(_ registration: Registration<Event>) -> SessionSummary? {
        guard let record = registration.record, registration.streams.isEmpty else { return nil }
        var summary = SessionSummary(
            key: key, pid: nil, method: Event.kind.method.name, state: .waiting, since: record.since)
        summary.wake = record.wake
        return summary
    }

    private func summary(_ region: MonitoredRegion) -> SessionSummary {
        var summary = SessionSummary(
            key: key, pid: nil, method: StartMonitoringRegion.name, state: .waiting, since: region.record.since)
        summary.region = region.record.region.identifier
        summary.wake = region.record.wake
        return summary
    }
}

extension Place {
    init(_ place: SignificantPlace) {
        self.init(
            latitude: place.latitude, longitude: place.longitude, visits: place.visits, lastVisit: place.lastVisit)
    }
}
