// Prints the speed and course for each location, until Ctrl-C.
//
// Classic Core Location: a manager, a delegate, a run loop. The same source runs on a Mac.
import CoreLocation

final class Speedometer: NSObject, CLLocationManagerDelegate {
    private let manager = CLLocationManager()

    func start() {
        manager.desiredAccuracy = kCLLocationAccuracyBestForNavigation
        manager.activityType = .automotiveNavigation
        // From now on the delegate is called, first with the user's decision.
        manager.delegate = self
    }

    /// Called once at the start, and at every change.
    func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
        switch manager.authorizationStatus {
        case .notDetermined:
            say("waiting for your answer")
            manager.requestWhenInUseAuthorization()
        case .authorizedWhenInUse, .authorizedAlways:
            manager.startUpdatingLocation()
        case .denied, .restricted:
            // The user may still change the decision. An app with a window would stay open and explain this.
            say("not allowed")
            exit(4)
        @unknown default:
            break
        }
    }

    func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
        for location in locations {
            // In Core Location, a negative value means unknown.
            let speed = location.speed < 0 ? "   ?" : String(format: "%4.0f", location.speed * 3.6)
            let course = location.course < 0 ? "" : String(format: " to %03.0f°", location.course)
            say("\(speed) km/h\(course)")
        }
    }

    func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
        switch CLError.Code(rawValue: (error as NSError).code) {
        case .locationUnknown: say("no location at the moment")  // updates resume by themselves
        case .denied: break  // the change of authorization is reported as well
        default: say("\(error)")
        }
    }

    func locationManagerDidPauseLocationUpdates(_ manager: CLLocationManager) {
        say("stationary")
    }

    func locationManagerDidResumeLocationUpdates(_ manager: CLLocationManager) {
        say("under way")
    }
}

func say(_ text: String) {
    print(text)
    fflush(nil)  // even if the output is a file or a pipe
}

let speedometer = Speedometer()
speedometer.start()
// The delegate is called on the thread that created the manager, while its run loop runs.
RunLoop.main.run()
