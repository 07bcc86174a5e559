internal import AuthorizationPolicy
internal import Bytewise
internal import LocationModel
internal import LocationProtocol
internal import Positioning

/// What one app monitors, connected or not.
final class MonitoredApp {
    let key: AppKey
    var significantChanges = Registration<MonitorSignificantChanges>(kind: .significantChanges)
    var significantChange = SignificantChange()
    /// How exact what it gets was when that was looked at last.
    var accuracy = AccuracyAuthorization.full
    var visits = Registration<MonitorVisits>(kind: .visits)
    /// By the identifier's bytes, as the database has them.
    var regions: [BytewiseString: MonitoredRegion] = [:]
    var regionStreams: [EventStream<MonitorRegions>] = []

    /// Significant changes or visits: with streams, beyond them, or not at all.
    struct Registration<Method: LocationMethod> {
        let kind: MonitoringKind
        /// What outlasts the streams.
        var record: MonitoringRecord?
        var streams: [EventStream<Method>] = []

        init(kind: MonitoringKind) {
            self.kind = kind
        }

        var isActive: Bool { record != nil || !streams.isEmpty }

        /// Whether the app is in use, as far as these are concerned.
        var presence: Presence { streams.contains { $0.presence == .inUse } ? .inUse : .background }
    }

    init(key: AppKey) {
        self.key = key
    }

    /// Whether nothing of it is left.
    var isIdle: Bool {
        !significantChanges.isActive && !visits.isActive && regions.isEmpty && regionStreams.isEmpty
    }

    /// Whether it is in use, as far as its regions are concerned.
    var presenceOfRegions: Presence { regionStreams.contains { $0.presence == .inUse } ? .inUse : .background }

    /// What the app needs for its regions to be monitored.
    var needOfRegions: Need { presenceOfRegions == .inUse ? .regions : .regionsInBackground }

    /// Every stream.
    var streams: [AnyEventStream] {
        significantChanges.streams as [AnyEventStream] + visits.streams as [AnyEventStream]
            + regionStreams as [AnyEventStream]
    }

    func remove(_ stream: AnyEventStream) {
        significantChanges.streams.removeAll { $0 === stream }
        visits.streams.removeAll { $0 === stream }
        regionStreams.removeAll { $0 === stream }
    }
}

/// A region of an app.
struct MonitoredRegion {
    var record: RegionRecord
    var monitor: RegionMonitor

    /// One as it is stored, or a new one.
    init(_ record: RegionRecord) {
        self.record = record
        monitor = RegionMonitor(record.region, state: record.state)
    }
}
