internal import AuthorizationPolicy
internal import LocationModel
internal import LocationProtocol
internal import Positioning
internal import Varlink

/// What apps have asked for, as their person sees it.
extension SessionSummary {
    init(_ session: Session, of key: AppKey) {
        self.init(
            key: key, pid: Int(session.call.connection.peer.pid), method: Subscribe.name,
            state: session.isSuspended ? .suspended : session.isPaused ? .paused : .active, since: session.since)
        background = session.presence == .background && !session.isSuspended
        desiredAccuracy = session.options.desiredAccuracy ?? .best
        distanceFilter = session.options.distanceFilter
        minimumInterval = session.options.minimumInterval
        delivered = session.delivered - session.replaced
        replaced = session.replaced
    }

    init(_ stream: AnyEventStream, of key: AppKey, state: SessionState) {
        self.init(
            key: key, pid: Int(stream.call.connection.peer.pid), method: stream.call.method, state: state,
            since: stream.since)
        replaced = stream.call.connection.replacedUpdates
        delivered = stream.delivered - replaced
    }
}

extension MonitoredApp {
    /// Its streams, and what is monitored beyond them.
    var summaries: [SessionSummary] {
        streams.map { SessionSummary($0, of: key, state: .waiting) }
            + [summary(significantChanges), summary(visits)].compactMap(\.self) + regions.values.map(summary)
    }

    private func summary<Method>(_ registration: Registration<Method>) -> SessionSummary? {
        guard let record = registration.record, registration.streams.isEmpty else { return nil }
        var summary = SessionSummary(key: key, pid: nil, method: Method.name, state: .waiting, since: record.since)
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
