internal import AuthorizationPolicy
package import Bytewise
package import LocationModel
internal import Positioning

/// What one app monitors, connected or not.
package final class MonitoredApp {
    package let key: AppKey
    package internal(set) var significantChanges = Registration<Location>(kind: .significantChanges)
    var significantChange = SignificantChange()
    /// How exact what it gets was when that was looked at last.
    var accuracy = AccuracyAuthorization.full
    package internal(set) var visits = Registration<Visit>(kind: .visits)
    /// By the identifier's bytes, as the database has them.
    package internal(set) var regions: [BytewiseString: MonitoredRegion] = [:]
    var regionStreams: [EventStream<RegionEvent>] = []

    /// Significant changes or visits: with streams, beyond them, or not at all.
    package struct Registration<Event: MonitoredEvent> {
        let kind: MonitoringKind
        /// What outlasts the streams.
        package internal(set) var record: MonitoringRecord?
        package internal(set) var streams: [EventStream<Event>] = []

        init(kind: MonitoringKind) {
            self.kind = kind
        }

        var isActive: Bool { record != nil || !streams.isEmpty }

        /// A Boolean value indicating whether the app is in use, as far as these are concerned.
        var presence: Presence { streams.contains { $0.presence == .inUse } ? .inUse : .background }
    }

    init(key: AppKey) {
        self.key = key
    }

    /// A Boolean value indicating whether nothing of it is left.
    var isIdle: Bool {
        !significantChanges.isActive && !visits.isActive && regions.isEmpty && regionStreams.isEmpty
    }

    /// A Boolean value indicating whether it is in use, as far as its regions are concerned.
    var presenceOfRegions: Presence { regionStreams.contains { $0.presence == .inUse } ? .inUse : .background }

    /// What the app needs for its regions to be monitored.
    var needOfRegions: Need { presenceOfRegions == .inUse ? .regions : .regionsInBackground }

    /// Every stream.
    package var streams: [AnyEventStream] {
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
package struct MonitoredRegion {
    package internal(set) var record: RegionRecord
    var monitor: RegionMonitor

    /// One as it is stored, or a new one.
    init(_ record: RegionRecord) {
        self.record = record
        monitor = RegionMonitor(record.region, state: record.state)
    }
}
