import CoreLocation

/// Measures the delay until the delegate is called. The altitude of each location is the time at which it was sent.
final class Stopwatch: NSObject, CLLocationManagerDelegate {
    private let count: Int
    private var seconds: [Double] = []
    var isDone: Bool { seconds.count >= count }

    init(count: Int) {
        self.count = count
    }

    func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        let now = Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
        seconds += locations.map { now - $0.altitude }
    }

    func report() {
        let sorted = seconds.sorted().map { Int($0 * 1e6) }
        print(
            "delegate called: median \(sorted[sorted.count / 2]) µs of \(sorted.count), "
                + "99 % within \(sorted[sorted.count * 99 / 100]) µs")
    }
}
