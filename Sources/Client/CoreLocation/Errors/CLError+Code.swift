import Foundation

extension CLError {
    /// The reason for a failure.
    @nonexhaustive
    public enum Code: Int, Sendable {
        /// No location is available at the moment.
        case locationUnknown = 0
        /// The app is not authorized to use locations.
        case denied = 1
        /// The network, or a service on it, is not available.
        case network = 2
        /// No heading is available.
        case headingFailure = 3
        /// The app is not authorized to monitor regions.
        case regionMonitoringDenied = 4
        /// The region cannot be monitored. It is too large, for example, or the app monitors too many.
        case regionMonitoringFailure = 5
        /// Monitoring of the region has not started yet.
        case regionMonitoringSetupDelayed = 6
        /// Crossings of the region will be reported late.
        case regionMonitoringResponseDelayed = 7
        /// The geocoder found no result.
        case geocodeFoundNoResult = 8
        /// The geocoder found only a partial result.
        case geocodeFoundPartialResult = 9
        /// The geocoding request was cancelled.
        case geocodeCanceled = 10
        /// Updates cannot be deferred.
        case deferredFailed = 11
        /// Updates cannot be deferred because location updates have not been started.
        case deferredNotUpdatingLocation = 12
        /// Updates cannot be deferred because the desired accuracy is too low.
        case deferredAccuracyTooLow = 13
        /// Updates cannot be deferred because a distance filter is set.
        case deferredDistanceFiltered = 14
        /// Updates are no longer deferred.
        case deferredCanceled = 15
        /// Beacon ranging is not available.
        case rangingUnavailable = 16
        /// Beacon ranging failed.
        case rangingFailure = 17
        /// The user was not prompted.
        case promptDeclined = 18
        /// Past locations are not available.
        case historicalLocationError = 19

        /// Returns whether `error` is a `CLError` with this code, or an `NSError` with its domain and code.
        /// `catch CLError.denied` thus matches both.
        public static func ~= (code: Code, error: any Error) -> Bool {
            let error = error as NSError
            return error.domain == kCLErrorDomain && error.code == code.rawValue
        }
    }

    /// The code ``Code/locationUnknown``: no location is available at the moment.
    public static var locationUnknown: Code { .locationUnknown }
    /// The code ``Code/denied``: the app is not authorized to use locations.
    public static var denied: Code { .denied }
    /// The code ``Code/network``: the network, or a service on it, is not available.
    public static var network: Code { .network }
    /// The code ``Code/headingFailure``: no heading is available.
    public static var headingFailure: Code { .headingFailure }
    /// The code ``Code/regionMonitoringDenied``: the app is not authorized to monitor regions.
    public static var regionMonitoringDenied: Code { .regionMonitoringDenied }
    /// The code ``Code/regionMonitoringFailure``: the region cannot be monitored. It is too large, for example, or
    /// the app monitors too many.
    public static var regionMonitoringFailure: Code { .regionMonitoringFailure }
    /// The code ``Code/regionMonitoringSetupDelayed``: monitoring of the region has not started yet.
    public static var regionMonitoringSetupDelayed: Code { .regionMonitoringSetupDelayed }
    /// The code ``Code/regionMonitoringResponseDelayed``: crossings of the region will be reported late.
    public static var regionMonitoringResponseDelayed: Code { .regionMonitoringResponseDelayed }
    /// The code ``Code/geocodeFoundNoResult``: the geocoder found no result.
    public static var geocodeFoundNoResult: Code { .geocodeFoundNoResult }
    /// The code ``Code/geocodeFoundPartialResult``: the geocoder found only a partial result.
    public static var geocodeFoundPartialResult: Code { .geocodeFoundPartialResult }
    /// The code ``Code/geocodeCanceled``: the geocoding request was cancelled.
    public static var geocodeCanceled: Code { .geocodeCanceled }
    /// The code ``Code/deferredFailed``: updates cannot be deferred.
    public static var deferredFailed: Code { .deferredFailed }
    /// The code ``Code/deferredNotUpdatingLocation``: updates cannot be deferred because location updates have not
    /// been started.
    public static var deferredNotUpdatingLocation: Code { .deferredNotUpdatingLocation }
    /// The code ``Code/deferredAccuracyTooLow``: updates cannot be deferred because the desired accuracy is too low.
    public static var deferredAccuracyTooLow: Code { .deferredAccuracyTooLow }
    /// The code ``Code/deferredDistanceFiltered``: updates cannot be deferred because a distance filter is set.
    public static var deferredDistanceFiltered: Code { .deferredDistanceFiltered }
    /// The code ``Code/deferredCanceled``: updates are no longer deferred.
    public static var deferredCanceled: Code { .deferredCanceled }
    /// The code ``Code/rangingUnavailable``: beacon ranging is not available.
    public static var rangingUnavailable: Code { .rangingUnavailable }
    /// The code ``Code/rangingFailure``: beacon ranging failed.
    public static var rangingFailure: Code { .rangingFailure }
    /// The code ``Code/promptDeclined``: the user was not prompted.
    public static var promptDeclined: Code { .promptDeclined }
    /// The code ``Code/historicalLocationError``: past locations are not available.
    public static var historicalLocationError: Code { .historicalLocationError }
}
