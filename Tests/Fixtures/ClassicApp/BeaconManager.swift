import CoreLocation

/// Monitors a region of beacons, also in the background, and ranges them while inside, as apps did before iOS 13.
class BeaconManager: NSObject, CLLocationManagerDelegate {
    private let locationManager = CLLocationManager()
    private let region = CLBeaconRegion(
        proximityUUID: UUID(uuidString: "E2C56DB5-DFFB-48D2-B060-D0F5A71096E0")!, identifier: "shop")

    override init() {
        super.init()
        locationManager.delegate = self
        guard CLLocationManager.isMonitoringAvailable(for: CLBeaconRegion.self) else {
            print("no monitoring")
            return
        }
        locationManager.requestAlwaysAuthorization()
        region.notifyOnExit = true
        locationManager.startMonitoring(for: region)
        locationManager.requestState(for: region)
    }

    func locationManager(_ manager: CLLocationManager, didStartMonitoringFor region: CLRegion) {
        print("monitoring \(region.identifier) \((region as? CLBeaconRegion)?.uuid.uuidString ?? "-")")
    }

    func locationManager(_ manager: CLLocationManager, didDetermineState state: CLRegionState, for region: CLRegion) {
        print("state \(region.identifier) \(state.rawValue)")
        guard state == .inside, CLLocationManager.isRangingAvailable(), let beacons = region as? CLBeaconRegion
        else { return }
        manager.startRangingBeacons(in: beacons)
    }

    func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion) {
        print("entered \(region.identifier)")
    }

    func locationManager(_ manager: CLLocationManager, didExitRegion region: CLRegion) {
        print("left \(region.identifier)")
        if let beacons = region as? CLBeaconRegion { manager.stopRangingBeacons(in: beacons) }
    }

    func locationManager(
        _ manager: CLLocationManager, didRangeBeacons beacons: [CLBeacon], in region: CLBeaconRegion
    ) {
        for beacon in beacons.filter({ $0.proximity != .unknown }) {
            print("ranged \(region.identifier) \(beacon.major) \(beacon.minor) \(beacon.proximity.rawValue)")
        }
    }

    func locationManager(
        _ manager: CLLocationManager, rangingBeaconsDidFailFor region: CLBeaconRegion, withError error: Error
    ) {
        print("ranging failure \(region.identifier) \((error as NSError).code)")
    }

    func locationManager(
        _ manager: CLLocationManager, monitoringDidFailFor region: CLRegion?, withError error: Error
    ) {
        print("region failure \(region?.identifier ?? "-") \((error as NSError).code)")
    }
}
