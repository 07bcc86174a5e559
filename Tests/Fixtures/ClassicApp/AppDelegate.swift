import CoreLocation

// An app as tutorials for iOS write it. Lines that need UIKit are left out or print: UIResponder and UIViewController
// are NSObject, and a label is a line of output.

class AppDelegate: NSObject {
    let locationManager = CLLocationManager()
    var tracker: SignificantChangeTracker?
    let viewController = LocationViewController()

    /// Stands for `launchOptions?[.location] != nil` in a UIApplicationDelegate, which means that the system has
    /// started the app for a new location.
    func didFinishLaunching(inBackground: Bool) -> Bool {
        if inBackground {
            tracker = SignificantChangeTracker()
            return true
        }
        // Request authorization when the app starts.
        if locationManager.authorizationStatus == .notDetermined {
            locationManager.requestWhenInUseAuthorization()
        }
        viewController.viewDidLoad()
        viewController.viewWillAppear()
        return true
    }
}
