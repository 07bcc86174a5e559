// How fast, and where to: a line for each location, until Ctrl-C.
//
// Core Location as it has always been: a manager, a delegate, a run loop. The same source runs on a Mac.
import CoreLocation

final class Speedometer: NSObject, CLLocationManagerDelegate {
    private let manager = CLLocationManager()

    func start() {
        manager.desiredAccuracy = kCLLocationAccuracyBestForNavigation
        manager.activityType = .automotiveNavigation
        // From now on the delegate is told: first of all, what the user has decided.
        manager.delegate = self
    }

    /// Told once at the start, and at every change.
    func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
        switch manager.authorizationStatus {
        case .notDetermined:
            say("asking")
            manager.requestWhenInUseAuthorization()
        case .authorizedWhenInUse, .authorizedAlways:
            manager.startUpdatingLocation()
        case .denied, .restricted:
            // Somebody may change their mind; an app with a window would stay, and show why it shows nothing.
            say("not allowed")
            exit(4)
        @unknown default:
            break
        }
    }

    func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
        for location in locations {
            // Core Location's values that are not known are negative.
            let speed = location.speed < 0 ? "   ?" : String(format: "%4.0f", location.speed * 3.6)
            let course = location.course < 0 ? "" : String(format: " to %03.0f°", location.course)
            say("\(speed) km/h\(course)")
        }
    }

    func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
        switch CLError.Code(rawValue: (error as NSError).code) {
        case .locationUnknown: say("no location at the moment")  // it goes on by itself
        case .denied: break  // the change of authorization is told, too
        default: say("\(error)")
        }
    }

    func locationManagerDidPauseLocationUpdates(_ manager: CLLocationManager) {
        say("at rest")
    }

    func locationManagerDidResumeLocationUpdates(_ manager: CLLocationManager) {
        say("under way")
    }
}

func say(_ text: String) {
    print(text)
    fflush(nil)  // also where the output is a file or a pipe
}

let speedometer = Speedometer()
speedometer.start()
// The delegate is called on the thread that made the manager, while its run loop runs.
RunLoop.main.run()
