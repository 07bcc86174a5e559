internal import CoreLocation
internal import LocationClient
internal import NIOConcurrencyHelpers
internal import NIOCore

/// A manager's ranging of beacons, with a stream for each constraint and each region.
final class BeaconUpdates: Sendable {
    /// The subject of a call: a constraint or, for the deprecated calls, a region.
    enum Subject: Hashable, @unchecked Sendable {
        /// Immutable, as its class documents.
        case constraint(CLBeaconIdentityConstraint)
        /// A copy that only this module has.
        case region(CLBeaconRegion)

        fileprivate var constraint: BeaconConstraint {
            switch self {
            case .constraint(let constraint): BeaconConstraint(constraint)
            case .region(let region): BeaconConstraint(region.beaconIdentityConstraint)
            }
        }
    }

    private let app: AppSession
    private let delivery: ManagerDelivery
    private let reports: ManagerReports
    private let started = NIOLockedValueBox<[Subject: ManagerDelivery.Validity]>([:])
    private let streams: NIOLoopBoundBox<[Subject: ManagedStream<MonitoringUpdate<RangingReport>>]>

    init(_ app: AppSession, _ delivery: ManagerDelivery, _ reports: ManagerReports) {
        self.app = app
        self.delivery = delivery
        self.reports = reports
        streams = NIOLoopBoundBox.makeBoxSendingValue([:], eventLoop: app.loop)
    }

    /// The subjects that are ranged.
    var subjects: [Subject] { started.withLockedValue { Array($0.keys) } }

    /// Starts ranging. A region with the identifier of a ranged one, but with another constraint, replaces it.
    func start(_ subject: Subject) {
        let validity = started.withLockedValue { started -> ManagerDelivery.Validity? in
            if let index = started.index(forKey: subject) {
                guard started[index].key.constraint != subject.constraint else { return nil }
                started.remove(at: index).value.end()
            }
            let validity = ManagerDelivery.Validity()
            started[subject] = validity
            return validity
        }
        guard let validity else { return }
        app.onLoop { [self] in
            streams.value.removeValue(forKey: subject)?.stop()
            let stream = ManagedStream<MonitoringUpdate<RangingReport>>(
                StreamPolicy(failure: .rangingFailure), app.authorization, on: app.loop, reports: reports,
                handler: { [delivery] in Self.report($0, of: subject, validity, delivery) })
            streams.value[subject] = stream
            stream.start { [app] in app.client.beacons(satisfying: subject.constraint) }
        }
    }

    func stop(_ subject: Subject) {
        started.withLockedValue { $0.removeValue(forKey: subject) }?.end()
        app.onLoop { [streams] in streams.value.removeValue(forKey: subject)?.stop() }
    }

    /// Stops everything. Called on the event loop.
    func end() {
        for stream in streams.value.values { stream.stop() }
        streams.value = [:]
    }

    private static func report(
        _ notice: ManagedStream<MonitoringUpdate<RangingReport>>.Notice, of subject: Subject,
        _ validity: ManagerDelivery.Validity, _ delivery: ManagerDelivery
    ) {
        let outcome: Result<[Beacon], CLError>
        switch notice {
        case .element(.event(let report)) where report.unavailable == nil: outcome = .success(report.beacons)
        case .element(.event): outcome = .failure(CLError(.rangingUnavailable))
        case .element: return
        // With reduced accuracy.
        case .failed(.regionMonitoringDenied): outcome = .failure(CLError(.denied))
        case .failed(let code): outcome = .failure(CLError(code))
        }
        delivery.callDelegate(validity) { manager, delegate in
            let result = outcome.map { $0.compactMap { CLBeacon($0) } }
            switch (subject, result) {
            case (.constraint(let constraint), .success(let beacons)):
                delegate.locationManager(manager, didRange: beacons, satisfying: constraint)
            case (.constraint(let constraint), .failure(let error)):
                delegate.locationManager(manager, didFailRangingFor: constraint, error: error)
            case (.region(let region), _): DeprecatedRangingCall.call.report(result, region, manager, delegate)
            }
        }
    }
}

/// Calls of the delegate's deprecated methods. They go through a protocol, and only its implementation is deprecated,
/// because direct calls would cause warnings.
private protocol RangingCall {
    func report(
        _ result: Result<[CLBeacon], CLError>, _ region: CLBeaconRegion, _ manager: CLLocationManager,
        _ delegate: any CLLocationManagerDelegate)
}

private struct DeprecatedRangingCall: RangingCall {
    static var call: any RangingCall { DeprecatedRangingCall() }

    @available(*, deprecated)
    func report(
        _ result: Result<[CLBeacon], CLError>, _ region: CLBeaconRegion, _ manager: CLLocationManager,
        _ delegate: any CLLocationManagerDelegate
    ) {
        switch result {
        case .success(let beacons): delegate.locationManager(manager, didRangeBeacons: beacons, in: region)
        case .failure(let error):
            delegate.locationManager(manager, rangingBeaconsDidFailFor: region, withError: error)
        }
    }
}

extension CLBeacon {
    /// Creates a beacon from the daemon's, or returns `nil` if its identity is invalid.
    convenience init?(_ beacon: Beacon) {
        guard let uuid = UUID(uuidString: beacon.uuid) else { return nil }
        var values = Values()
        values.uuid = uuid
        (values.major, values.minor) = (beacon.major, beacon.minor)
        values.proximity =
            switch beacon.proximity {
            case .immediate: .immediate
            case .near: .near
            case .far: .far
            case .unknown: .unknown
            }
        values.accuracy = beacon.accuracy ?? -1
        values.rssi = beacon.rssi ?? 0
        values.timestamp = Date(beacon.timestamp)
        self.init(values)
    }
}
