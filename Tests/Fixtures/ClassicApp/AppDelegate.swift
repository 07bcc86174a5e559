import CoreLocation

// An app as the tutorials for iOS write it. Where they have UIKit, its lines are left out or print: UIResponder and
// UIViewController are NSObject here, a label is a line of output.

class AppDelegate: NSObject {
    let locationManager = CLLocationManager()
    var tracker: SignificantChangeTracker?
    let viewController = LocationViewController()

    /// `launchOptions?[.location] != nil` of a UIApplicationDelegate: the system has started the app for a new location.
    func didFinishLaunching(inBackground: Bool) -> Bool {
        if inBackground {
            tracker = SignificantChangeTracker()
            return true
        }
        // Ask for authorization when the app starts.
        if locationManager.authorizationStatus == .notDetermined {
            locationManager.requestWhenInUseAuthorization()
        }
        viewController.viewDidLoad()
        viewController.viewWillAppear()
        return true
    }
}
