import CoreLocation

/// The diary, which follows every decision of its user.
final class Diary: NSObject, CLLocationManagerDelegate {
    /// The key of the purpose in the manifest, and in NSLocationTemporaryUsageDescriptionDictionary on iOS.
    private static let purposeKey = "page"

    private let manager = CLLocationManager()
    private let pages: Pages
    private let isWoken: Bool
    private var isPaused = false
    private var lastActivity = Date()

    init(_ pages: Pages, isWoken: Bool) {
        self.pages = pages
        self.isWoken = isWoken
    }

    /// A Boolean value indicating whether there is something to wait for: the user's answer, or more events.
    var isBusy: Bool { manager.authorizationStatus == .notDetermined || lastActivity.timeIntervalSinceNow > -10 }

    func open() {
        manager.activityType = .fitness
        // From now on the delegate is called, first with the user's decision.
        manager.delegate = self
    }

    /// Carries out a line from the keyboard.
    func type(_ line: String) {
        switch line {
        // Only at the user's wish. The user who allowed the app while it is in use is prompted once more.
        case "a": manager.requestAlwaysAuthorization()
        case "e": requestExactPlaces()
        case "p": pauseOrGoOn()
        case "q": exit(0)
        default: say("a always, e exact, p pause or go on, q quit")
        }
    }

    // MARK: Decisions

    /// Called once at the start, and at every change.
    func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
        lastActivity = Date()
        switch manager.authorizationStatus {
        case .notDetermined:
            say("waiting for your answer")
            // A service is in use by nobody.
            if isWoken { manager.requestAlwaysAuthorization() } else { manager.requestWhenInUseAuthorization() }
        case .authorizedWhenInUse: begin("while you use it")
        case .authorizedAlways: begin("always")
        // All that was started begins again by itself if the user decides otherwise.
        case .denied: say(CLLocationManager.locationServicesEnabled() ? "you said no" : "location services are off")
        case .restricted: say("the administrator said no")
        @unknown default: break
        }
    }

    private func begin(_ allowed: String) {
        let isExact = manager.accuracyAuthorization == .fullAccuracy
        say("\(allowed), \(isExact ? "exact" : "approximate")")
        // With `always`, and with the socket of diary.socket, these start the app when it is not running.
        manager.startMonitoringSignificantLocationChanges()
        if !isWoken, !isPaused { manager.startUpdatingLocation() }
    }

    private func requestExactPlaces() {
        manager.requestTemporaryFullAccuracyAuthorization(withPurposeKey: Self.purposeKey) { [self] error in
            if let error { return say(error.localizedDescription) }
            say(manager.accuracyAuthorization == .fullAccuracy ? "exact for now" : "still approximate")
        }
    }

    // MARK: Places

    /// Called with the locations of both the updates and the significant changes.
    func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
        lastActivity = Date()
        for location in locations {
            pages.add(location)
            let (place, accuracy) = (location.coordinate, location.horizontalAccuracy)
            if accuracy < 1000 {
                say(String(format: "%.5f %.5f within %.0f m", place.latitude, place.longitude, accuracy))
            } else {
                say(String(format: "near %.1f %.1f", place.latitude, place.longitude))
            }
        }
    }

    func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
        switch CLError.Code(rawValue: (error as NSError).code) {
        case .denied: break  // the change of authorization is reported as well
        case .locationUnknown: say("no location at the moment")  // updates resume by themselves
        default: say(error.localizedDescription)
        }
    }

    // MARK: Pauses

    func locationManagerDidPauseLocationUpdates(_ manager: CLLocationManager) { say("you stand still") }

    func locationManagerDidResumeLocationUpdates(_ manager: CLLocationManager) { say("you move on") }

    private func pauseOrGoOn() {
        isPaused.toggle()
        if isPaused { manager.stopUpdatingLocation() } else { manager.startUpdatingLocation() }
        say(isPaused ? "paused" : "going on")
    }
}
