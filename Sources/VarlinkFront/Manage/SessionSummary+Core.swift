internal import AuthorizationPolicy
internal import LocationCore
internal import LocationModel
internal import LocationProtocol
internal import Positioning
internal import Varlink

/// Summaries of what apps have requested, for the user of the apps.
extension SessionSummary {
    init(_ subscription: Subscription, of key: AppKey) {
        self.init(
            key: key, pid: Int(subscription.subscriber.client.pid), method: Subscribe.name,
            state: subscription.isSuspended ? .suspended : subscription.isPaused ? .paused : .active,
            since: subscription.since)
        background = subscription.isInBackground
        desiredAccuracy = subscription.desiredAccuracy
        distanceFilter = subscription.distanceFilter
        minimumInterval = subscription.minimumInterval
        replaced = subscription.subscriber.replacedCount
        delivered = subscription.delivered - replaced
    }

    init(_ stream: AnyEventStream, of key: AppKey, state: SessionState) {
        self.init(
            key: key, pid: Int(stream.subscriber.client.pid), method: stream.kind.method.name, state: state,
            since: stream.since)
        replaced = stream.subscriber.replacedCount
        delivered = stream.delivered - replaced
    }
}

extension MonitoredApp {
    /// The summaries of the app's streams, and of its monitoring without a stream.
    var summaries: [SessionSummary] {
        streams.map { SessionSummary($0, of: key, state: .waiting) }
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
