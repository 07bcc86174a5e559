internal import AuthorizationPolicy
internal import Beacons
package import Bytewise
package import LocationModel
internal import Positioning

/// Everything that one app monitors, connected or not.
package final class MonitoredApp {
    package let key: AppKey
    package internal(set) var significantChanges = Registration<Location>(kind: .significantChanges)
    var significantChange = SignificantChange()
    /// The accuracy authorization at the last check.
    var accuracy = AccuracyAuthorization.full
    package internal(set) var visits = Registration<Visit>(kind: .visits)
    /// The detector of the app's visits while it may have the location only in use, or `nil` if it is not in use.
    var visitDetectorInUse: VisitDetector?
    /// The detector of the first visit in the background of an app with a provisional `always`, or `nil` if the app is
    /// in use. That visit is not delivered: it has the user prompted.
    var visitDetectorOfProvisional: VisitDetector?
    /// The regions by the bytes of their identifiers, as in the database.
    package internal(set) var regions: [BytewiseString: MonitoredRegion] = [:]
    var regionStreams: [EventStream<RegionEvent>] = []

    /// A Boolean value indicating whether any of the regions is a circle.
    var hasCircles: Bool { regions.values.contains { $0.circle != nil } }

    /// A Boolean value indicating whether any of the regions is the range of beacons.
    var hasBeacons: Bool { regions.values.contains { $0.watch != nil } }

    /// The monitoring of significant changes or of visits, by streams, by a record that outlasts them, or by neither.
    package struct Registration<Event: MonitoredEvent> {
        let kind: MonitoringKind
        /// The record that outlasts the streams, or `nil` if nothing does.
        package internal(set) var record: MonitoringRecord?
        package internal(set) var streams: [EventStream<Event>] = []

        init(kind: MonitoringKind) {
            self.kind = kind
        }

        var isActive: Bool { record != nil || !streams.isEmpty }

        /// The presence of the app, as far as these streams are concerned.
        var presence: Presence { streams.contains { $0.presence == .inUse } ? .inUse : .background }
    }

    init(key: AppKey) {
        self.key = key
    }

    /// A Boolean value indicating whether the app no longer monitors anything.
    var isIdle: Bool {
        !significantChanges.isActive && !visits.isActive && regions.isEmpty && regionStreams.isEmpty
    }

    /// The requirements for monitoring significant changes.
    var needOfSignificantChanges: Need { significantChanges.presence == .inUse ? .whenInUse : .always }

    /// The requirements for monitoring visits.
    var needOfVisits: Need { visits.presence == .inUse ? .visits : .visitsInBackground }

    /// The presence of the app, as far as its regions are concerned.
    var presenceOfRegions: Presence { regionStreams.contains { $0.presence == .inUse } ? .inUse : .background }

    /// The requirements for monitoring the app's regions.
    var needOfRegions: Need { presenceOfRegions == .inUse ? .regions : .regionsInBackground }

    /// All streams of the app.
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
    /// The monitor of a circle, or `nil` for beacons.
    var circle: RegionMonitor?
    /// The watch for the beacons, or `nil` for a circle.
    let watch: BeaconWatch?
    private var stateOfBeacons: RegionState

    /// Creates a region from a stored or new record.
    init(_ record: RegionRecord) {
        self.record = record
        circle = record.region.circle.map { RegionMonitor($0, state: record.state) }
        watch = record.region.beacons.flatMap { BeaconPattern($0.constraint) }.map {
            BeaconWatch($0, formerState: record.state)
        }
        stateOfBeacons = record.state
    }

    /// The position of the device relative to the region, as it was known last.
    var state: RegionState { circle?.state ?? stateOfBeacons }

    /// Consumes a result about the region's beacons. Returns the change that it is: the state is known again, or the
    /// border was crossed.
    mutating func observe(_ state: RegionState) -> RegionMonitor.Change {
        defer { stateOfBeacons = state }
        return [.unknown, state].contains(stateOfBeacons) ? .determined(state) : .crossed(state)
    }
}
