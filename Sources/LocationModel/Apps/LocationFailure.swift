/// Why an app does not get what it asks the service for.
public enum LocationFailure: Error, Codable, Equatable {
    /// The app may not have it.
    case notAuthorized(status: AuthorizationStatus)
    /// Location services are switched off, for the machine or for this user.
    case servicesDisabled
    /// No receiver has a location to give.
    case locationUnknown
    /// Neither the app's manifest nor the call says what the location is wanted for.
    case usageDescriptionMissing
    /// Nobody was asked.
    case promptDeclined
    /// The app monitors as many regions as it may.
    case tooManyRegions
    /// Neither regions nor visits are monitored under reduced accuracy.
    case regionMonitoringDenied
    /// The path to wake will not be written to.
    case wakeRefused(reason: String)
    /// No receiver has a compass.
    case headingUnavailable
    /// The change could not be written to the disk.
    case storeFailed(reason: String)
    /// A bound of the service was reached.
    case limitExceeded(limit: String)
}
