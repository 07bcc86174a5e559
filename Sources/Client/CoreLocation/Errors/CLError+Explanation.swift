extension CLError.Code {
    /// The failure in words, for the user.
    struct Explanation {
        /// The fault, as one sentence.
        let fault: String
        /// The remedy, as whole sentences.
        let remedy: String

        /// The fault and the remedy.
        var text: String { "\(fault) \(remedy)" }

        fileprivate init(_ fault: String, _ remedy: String) {
            self.fault = fault
            self.remedy = remedy
        }
    }

    /// The failure in words.
    var explanation: Explanation {
        switch self {
        case .locationUnknown:
            Explanation(
                "No location is available at the moment.",
                "No receiver has a fix, or locationd is not running: `locationctl doctor` says which. Updates resume "
                    + "by themselves.")
        case .denied:
            Explanation(
                "The app is not authorized to use locations.",
                "Run `locationctl grant APP`, with the name that `locationctl apps` shows, or `locationctl enable` if "
                    + "location services are off.")
        case .network:
            Explanation(
                "Addresses cannot be looked up.",
                "This machine has no geocoder that answers. Set CLGeocoder.provider, or name the socket of a service in "
                    + "[geocoder] of /etc/locationd/locationd.toml. locationd itself sends locations nowhere.")
        case .headingFailure:
            Explanation(
                "No heading is available.",
                "No receiver has a compass, the app is authorized for reduced accuracy only, or locationd is not "
                    + "running: see `locationctl receivers` and `locationctl apps`.")
        case .regionMonitoringDenied:
            Explanation(
                "The app is not authorized to monitor regions, which needs full accuracy.",
                "Run `locationctl grant APP`, with the name that `locationctl apps` shows.")
        case .regionMonitoringFailure:
            Explanation(
                "The region cannot be monitored.",
                "Monitor circles with a radius of 1 m to 1,000 km, and at most 20 of them. If locationd is not "
                    + "running, start it with `systemctl start locationd`.")
        case .regionMonitoringSetupDelayed:
            Explanation("Monitoring of the region has not started yet.", "Wait: it starts by itself.")
        case .regionMonitoringResponseDelayed:
            Explanation("Crossings of the region are reported late.", "Wait: they are still reported.")
        case .geocodeFoundNoResult: Explanation("The geocoder found no result.", "Try another address or place.")
        case .geocodeFoundPartialResult:
            Explanation("The geocoder found only a part of the result.", "Try another address or place.")
        case .geocodeCanceled: Explanation("The geocoding request was cancelled.", "Repeat it if it is still needed.")
        case .deferredFailed, .deferredNotUpdatingLocation, .deferredAccuracyTooLow, .deferredDistanceFiltered,
            .deferredCanceled:
            Explanation(
                "Location updates cannot be deferred.", "Set desiredAccuracy and distanceFilter to save energy.")
        case .rangingUnavailable, .rangingFailure:
            Explanation(
                "Beacons cannot be ranged.", "Switch Bluetooth on: `locationctl beacons UUID` says what is missing.")
        case .promptDeclined:
            Explanation(
                "The user was not prompted for full accuracy.",
                "Describe the purpose under this key in [temporary-full-accuracy] of the app's manifest, and request "
                    + "it while the app is in use and has reduced accuracy.")
        case .historicalLocationError:
            Explanation(
                "Past locations are not available.", "locationd does not keep locations: store those that you receive.")
        }
    }
}
