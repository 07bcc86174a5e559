/// A reason why the service does not fulfil an app's request.
public enum LocationFailure: Error, Codable, Equatable {
    /// The app is not authorized.
    case notAuthorized(status: AuthorizationStatus)
    /// Location services are switched off, for the machine or for this user.
    case servicesDisabled
    /// No receiver has a location.
    case locationUnknown
    /// Neither the app's manifest nor the call states a purpose for the location.
    case usageDescriptionMissing
    /// The user was not prompted.
    case promptDeclined
    /// The app already monitors the maximum number of regions.
    case tooManyRegions
    /// Neither regions nor visits are monitored under reduced accuracy.
    case regionMonitoringDenied
    /// The daemon does not write to the wake path.
    case wakeRefused(reason: String)
    /// No receiver has a compass.
    case headingUnavailable
    /// The change could not be written to the disk.
    case storeFailed(reason: String)
    /// A limit of the service was reached.
    case limitExceeded(limit: String)
}
