internal import CoreLocation
internal import LocationClient
internal import NIOConcurrencyHelpers

/// The core of a manager that uses the daemon.
///
/// The app's calls are carried out on the event loop, in order. The daemon's events reach the manager from there,
/// through ``ManagerDelivery``.
final class DaemonManagerCore: LocationManagerCore {
    /// The validities of all started services. A stop ends the service's validity at once, so that nothing is reported
    /// after it.
    private struct Started {
        var updates: ManagerDelivery.Validity?
        var request: ManagerDelivery.Validity?
        var heading: ManagerDelivery.Validity?
        var changes: ManagerDelivery.Validity?
        var visits: ManagerDelivery.Validity?
    }

    private let app: AppSession
    private let delivery: ManagerDelivery
    private let authorizationReporter: AuthorizationReporter
    private let updates: LocationUpdates
    private let request: SingleLocationRequest
    private let headings: HeadingUpdates
    private let changes: ManagerMonitoring<LocationUpdate>
    private let visits: ManagerMonitoring<MonitoringUpdate<Visit>>
    private let regions: RegionReporter
    private let beacons: BeaconUpdates
    private let started = NIOLockedValueBox(Started())
    private let options = NIOLockedValueBox(LocationManagerOptions())
    private weak var manager: CLLocationManager?
    private weak var delegate: (any CLLocationManagerDelegate)?

    init(_ app: AppSession) {
        self.app = app
        let delivery = ManagerDelivery(.current)
        self.delivery = delivery
        authorizationReporter = AuthorizationReporter(app, delivery)
        let reports = ManagerReports(on: app.loop)
        updates = LocationUpdates(app, delivery, reports)
        request = SingleLocationRequest(app, delivery)
        headings = HeadingUpdates(app, delivery, reports)
        changes = .significantChanges(app, delivery, reports)
        visits = .visits(app, delivery, reports)
        regions = RegionReporter(app, delivery)
        beacons = BeaconUpdates(app, delivery, reports)
    }

    deinit {
        delivery.end()
        app.onLoop { [authorizationReporter, updates, request, headings, changes, visits, regions, beacons] in
            authorizationReporter.end()
            updates.stop()
            request.cancel()
            headings.stop()
            changes.stop(forgets: false)
            visits.stop(forgets: false)
            regions.end()
            beacons.end()
        }
    }

    func attach(to manager: CLLocationManager) {
        self.manager = manager
        delivery.attach(to: manager)
        // Before all other observers, so that the app is notified of a denial before its consequences.
        app.onLoop { [authorizationReporter] in authorizationReporter.begin() }
    }

    func delegateChanged() {
        let delegate = manager?.delegate
        guard delegate !== self.delegate else { return }
        self.delegate = delegate
        let hasDelegate = delegate != nil
        if hasDelegate { delivery.awaitTurn() }
        app.onLoop { [authorizationReporter, regions] in
            authorizationReporter.delegateChanged(hasDelegate: hasDelegate)
            regions.delegateChanged(hasDelegate: hasDelegate)
        }
    }

    func optionsChanged(_ options: LocationManagerOptions) {
        self.options.withLockedValue { $0 = options }
        app.onLoop { [updates, headings] in
            updates.change(options)
            headings.change(options)
        }
    }

    func perform(_ body: @escaping () -> Void) {
        // Safe, because it is called on the manager's thread, where it was created or handed over to.
        nonisolated(unsafe) let body = body
        delivery.perform { _ in body() }
    }

    // MARK: Current values

    var authorizationStatus: CLAuthorizationStatus { CLAuthorizationStatus(app.authorization.current.status) }

    var accuracyAuthorization: CLAccuracyAuthorization {
        CLAccuracyAuthorization(app.authorization.current.accuracy)
    }

    var location: CLLocation? {
        app.lastLocation(for: DesiredAccuracy(options.withLockedValue(\.desiredAccuracy)))
    }

    var heading: CLHeading? { headings.newest.map { CLHeading($0) } }
    var monitoredRegions: Set<CLRegion> { regions.current }

    // MARK: Authorization

    func requestAuthorization(always: Bool) {
        app.onLoop { [app] in
            app.authorization.begin()
            app.authorization.request(always ? .always : .whenInUse)
        }
    }

    func requestTemporaryFullAccuracy(purposeKey: String, completion: @escaping ((any Error)?) -> Void) {
        // Safe, as in `perform`.
        nonisolated(unsafe) let completion = completion
        app.onLoop { [app, delivery] in
            app.authorization.requestTemporaryFullAccuracy(purposeKey: purposeKey) { error in
                delivery.perform { _ in completion(error) }
            }
        }
    }

    // MARK: Starting and stopping

    func startUpdatingLocation() {
        end(\.request)
        let validity = begin(\.updates)
        app.onLoop { [updates, request] in
            request.cancel()
            updates.start(validity)
        }
    }

    func stopUpdatingLocation() {
        end(\.updates)
        end(\.request)
        app.onLoop { [updates, request] in
            updates.stop()
            request.cancel()
        }
    }

    func requestLocation() {
        let validity = begin(\.request)
        let accuracy = DesiredAccuracy(options.withLockedValue(\.desiredAccuracy))
        app.onLoop { [updates, request] in
            // Running updates report the location.
            if !updates.isStarted { request.start(accuracy, validity) }
        }
    }

    func startUpdatingHeading() {
        let validity = begin(\.heading)
        app.onLoop { [headings] in headings.start(validity) }
    }

    func stopUpdatingHeading() {
        end(\.heading)
        app.onLoop { [headings] in headings.stop() }
    }

    func startMonitoringSignificantLocationChanges() {
        let validity = begin(\.changes)
        app.onLoop { [changes] in changes.start(validity) }
    }

    func stopMonitoringSignificantLocationChanges() {
        end(\.changes)
        app.onLoop { [changes] in changes.stop(forgets: true) }
    }

    func startMonitoringVisits() {
        let validity = begin(\.visits)
        app.onLoop { [visits] in visits.start(validity) }
    }

    func stopMonitoringVisits() {
        end(\.visits)
        app.onLoop { [visits] in visits.stop(forgets: true) }
    }

    private func begin(_ path: WritableKeyPath<Started, ManagerDelivery.Validity?>) -> ManagerDelivery.Validity {
        started.withLockedValue {
            if let validity = $0[keyPath: path] { return validity }
            let validity = ManagerDelivery.Validity()
            $0[keyPath: path] = validity
            return validity
        }
    }

    private func end(_ path: WritableKeyPath<Started, ManagerDelivery.Validity?>) {
        started.withLockedValue { exchange(&$0[keyPath: path], with: nil) }?.end()
    }

    // MARK: Regions

    func startMonitoring(for region: CLRegion) { regions.start(region) }
    func stopMonitoring(for region: CLRegion) { regions.stop(region) }
    func requestState(for region: CLRegion) { regions.requestState(of: region) }

    // MARK: Beacons

    var rangedConstraints: Set<CLBeaconIdentityConstraint> {
        Set(beacons.subjects.compactMap { if case .constraint(let constraint) = $0 { constraint } else { nil } })
    }
    var rangedRegions: Set<CLRegion> {
        Set(beacons.subjects.compactMap { if case .region(let region) = $0 { region } else { nil } })
    }
    func startRangingBeacons(satisfying constraint: CLBeaconIdentityConstraint) {
        beacons.start(.constraint(constraint))
    }
    func stopRangingBeacons(satisfying constraint: CLBeaconIdentityConstraint) {
        beacons.stop(.constraint(constraint))
    }
    func startRangingBeacons(in region: CLBeaconRegion) {
        if let copy = region.copy() as? CLBeaconRegion { beacons.start(.region(copy)) }
    }
    func stopRangingBeacons(in region: CLBeaconRegion) { beacons.stop(.region(region)) }
}
