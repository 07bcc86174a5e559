// Reports entering and leaving any number of places, until Ctrl-C, although an app may have only 20 regions.
//
//     fences places.csv       each line: name, degrees north, degrees east, metres
//
// It monitors the nearest places, and one more region around the device: after leaving that, other places may be
// nearer. The same source runs on a Mac.
import CoreLocation

final class Fences: NSObject, CLLocationManagerDelegate {
    /// The number of regions that an app may have, without the one around the device.
    private static let limit = 19
    private static let surroundings = "surroundings"

    private let manager = CLLocationManager()
    private let places: [CLCircularRegion]
    /// The identifiers of the places that the device is in.
    private var entered: Set<String> = []

    init(_ places: [CLCircularRegion]) {
        self.places = places
    }

    func start() {
        manager.delegate = self
    }

    func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
        switch manager.authorizationStatus {
        case .notDetermined:
            say("waiting for your answer")
            manager.requestWhenInUseAuthorization()
        case .authorizedWhenInUse, .authorizedAlways:
            if manager.accuracyAuthorization == .reducedAccuracy { say("places need the exact location") }
            manager.startUpdatingLocation()
        case .denied, .restricted:
            say("not allowed")
            exit(4)
        @unknown default:
            break
        }
    }

    func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
        // One location is enough, until the device leaves its surroundings.
        manager.stopUpdatingLocation()
        if let here = locations.last { monitorNearest(to: here) }
    }

    func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
        say("\(error.localizedDescription)")  // updates resume by themselves
    }

    private func monitorNearest(to here: CLLocation) {
        let sorted = places.map { (place: $0, gap: gap(from: here, to: $0)) }.sorted { $0.gap < $1.gap }
        let nearest = Set<CLRegion>(sorted.prefix(Self.limit).map(\.place))
        for region in manager.monitoredRegions where region.identifier != Self.surroundings && !nearest.contains(region)
        {
            manager.stopMonitoring(for: region)
            leave(region)
        }
        for place in nearest where !manager.monitoredRegions.contains(place) { manager.startMonitoring(for: place) }
        guard let next = sorted.dropFirst(Self.limit).first else { return }
        // All others are at least twice this far away.
        let radius = min(max(next.gap / 2, 200), manager.maximumRegionMonitoringDistance)
        manager.startMonitoring(
            for: CLCircularRegion(center: here.coordinate, radius: radius, identifier: Self.surroundings))
    }

    /// Returns the metres from a location to the border of a place, 0 inside.
    private func gap(from here: CLLocation, to place: CLCircularRegion) -> Double {
        let center = CLLocation(latitude: place.center.latitude, longitude: place.center.longitude)
        return max(0, here.distance(from: center) - place.radius)
    }

    /// The device may be inside already.
    func locationManager(_ manager: CLLocationManager, didStartMonitoringFor region: CLRegion) {
        if region.identifier != Self.surroundings { manager.requestState(for: region) }
    }

    func locationManager(_ manager: CLLocationManager, didDetermineState state: CLRegionState, for region: CLRegion) {
        if region.identifier != Self.surroundings, state == .inside { enter(region) }
    }

    func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion) {
        if region.identifier != Self.surroundings { enter(region) }
    }

    func locationManager(_ manager: CLLocationManager, didExitRegion region: CLRegion) {
        if region.identifier == Self.surroundings { manager.startUpdatingLocation() } else { leave(region) }
    }

    func locationManager(
        _ manager: CLLocationManager, monitoringDidFailFor region: CLRegion?, withError error: any Error
    ) {
        say("\(region?.identifier ?? "regions"): \(error.localizedDescription)")
    }

    private func enter(_ region: CLRegion) {
        if entered.insert(region.identifier).inserted { say("entered \(region.identifier)") }
    }

    private func leave(_ region: CLRegion) {
        if entered.remove(region.identifier) != nil { say("left \(region.identifier)") }
    }
}

func say(_ text: String) {
    print(text)
    fflush(nil)  // even if the output is a file or a pipe
}

guard CommandLine.arguments.count == 2,
    let text = try? String(contentsOfFile: CommandLine.arguments[1], encoding: .utf8),
    let places = places(in: text)
else {
    say("usage: fences FILE, with a line for each place: name, degrees north, degrees east, metres")
    exit(2)
}
let fences = Fences(places)
fences.start()
RunLoop.main.run()
