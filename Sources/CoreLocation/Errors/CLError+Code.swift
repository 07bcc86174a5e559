import Foundation

extension CLError {
    /// What failed.
    @nonexhaustive
    public enum Code: Int, Sendable {
        /// There is no location for now.
        case locationUnknown = 0
        /// The user has not granted it.
        case denied = 1
        /// The network, or what is behind it, is not there.
        case network = 2
        /// There is no heading.
        case headingFailure = 3
        /// The user has not granted the monitoring of regions.
        case regionMonitoringDenied = 4
        /// The region cannot be monitored: too large, or one too many.
        case regionMonitoringFailure = 5
        /// The region is not monitored yet.
        case regionMonitoringSetupDelayed = 6
        /// Crossings will be told late.
        case regionMonitoringResponseDelayed = 7
        /// There is no such place.
        case geocodeFoundNoResult = 8
        /// There is a part of such a place.
        case geocodeFoundPartialResult = 9
        /// The request was cancelled.
        case geocodeCanceled = 10
        /// Updates cannot be put off.
        case deferredFailed = 11
        /// Updates are not put off: they do not run.
        case deferredNotUpdatingLocation = 12
        /// Updates are not put off: the desired accuracy is too low.
        case deferredAccuracyTooLow = 13
        /// Updates are not put off: there is a distance filter.
        case deferredDistanceFiltered = 14
        /// Updates are not put off any more.
        case deferredCanceled = 15
        /// Beacons cannot be sought for.
        case rangingUnavailable = 16
        /// Seeking for beacons failed.
        case rangingFailure = 17
        /// The user was not asked.
        case promptDeclined = 18
        /// There are no locations of the past.
        case historicalLocationError = 19

        /// Returns whether `error` is a `CLError` of this code, or an `NSError` with its domain and code: so that a
        /// `catch CLError.denied` finds both.
        public static func ~= (code: Code, error: any Error) -> Bool {
            let error = error as NSError
            return error.domain == kCLErrorDomain && error.code == code.rawValue
        }
    }

    /// There is no location for now.
    public static var locationUnknown: Code { .locationUnknown }
    /// The user has not granted it.
    public static var denied: Code { .denied }
    /// The network, or what is behind it, is not there.
    public static var network: Code { .network }
    /// There is no heading.
    public static var headingFailure: Code { .headingFailure }
    /// The user has not granted the monitoring of regions.
    public static var regionMonitoringDenied: Code { .regionMonitoringDenied }
    /// The region cannot be monitored: too large, or one too many.
    public static var regionMonitoringFailure: Code { .regionMonitoringFailure }
    /// The region is not monitored yet.
    public static var regionMonitoringSetupDelayed: Code { .regionMonitoringSetupDelayed }
    /// Crossings will be told late.
    public static var regionMonitoringResponseDelayed: Code { .regionMonitoringResponseDelayed }
    /// There is no such place.
    public static var geocodeFoundNoResult: Code { .geocodeFoundNoResult }
    /// There is a part of such a place.
    public static var geocodeFoundPartialResult: Code { .geocodeFoundPartialResult }
    /// The request was cancelled.
    public static var geocodeCanceled: Code { .geocodeCanceled }
    /// Updates cannot be put off.
    public static var deferredFailed: Code { .deferredFailed }
    /// Updates are not put off: they do not run.
    public static var deferredNotUpdatingLocation: Code { .deferredNotUpdatingLocation }
    /// Updates are not put off: the desired accuracy is too low.
    public static var deferredAccuracyTooLow: Code { .deferredAccuracyTooLow }
    /// Updates are not put off: there is a distance filter.
    public static var deferredDistanceFiltered: Code { .deferredDistanceFiltered }
    /// Updates are not put off any more.
    public static var deferredCanceled: Code { .deferredCanceled }
    /// Beacons cannot be sought for.
    public static var rangingUnavailable: Code { .rangingUnavailable }
    /// Seeking for beacons failed.
    public static var rangingFailure: Code { .rangingFailure }
    /// The user was not asked.
    public static var promptDeclined: Code { .promptDeclined }
    /// There are no locations of the past.
    public static var historicalLocationError: Code { .historicalLocationError }
}
