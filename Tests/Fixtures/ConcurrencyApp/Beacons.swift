import CoreLocation

/// Ranges beacons by a constraint, and monitors a condition for all beacons of an owner.
enum Beacons {
    private static let uuid = UUID(uuidString: "E2C56DB5-DFFB-48D2-B060-D0F5A71096E0")!

    @MainActor static func run() async throws {
        let delegate = RangingDelegate()
        let manager = CLLocationManager()
        manager.delegate = delegate
        let constraint = CLBeaconIdentityConstraint(uuid: uuid, major: 1)
        manager.startRangingBeacons(satisfying: constraint)
        say("ranging \(manager.rangedBeaconConstraints == [constraint])")
        let monitor = await CLMonitor("beacons")
        await monitor.add(CLMonitor.BeaconIdentityCondition(uuid: uuid), identifier: "shop")
        for try await event in await monitor.events {
            let beacon = event.refinement as? CLMonitor.BeaconIdentityCondition
            say("\(event.identifier) \(event.state) \(beacon?.major ?? 0) \(beacon?.minor ?? 0)")
        }
        withExtendedLifetime(delegate) {}
    }
}

@MainActor private final class RangingDelegate: NSObject, @preconcurrency CLLocationManagerDelegate {
    func locationManager(
        _ manager: CLLocationManager, didRange beacons: [CLBeacon],
        satisfying beaconConstraint: CLBeaconIdentityConstraint
    ) {
        let list = beacons.map { "\($0.minor) \($0.proximity.rawValue) \($0.rssi) \($0.accuracy < 5)" }
        say("ranged \(beaconConstraint.major ?? 0): \(list.joined(separator: ", "))")
    }

    func locationManager(
        _ manager: CLLocationManager, didFailRangingFor beaconConstraint: CLBeaconIdentityConstraint,
        error: any Error
    ) {
        say("ranging failure \((error as? CLError)?.code.rawValue ?? -1)")
    }
}
