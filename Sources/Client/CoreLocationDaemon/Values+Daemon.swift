internal import CoreLocation
internal import Foundation
internal import LocationClient
internal import LocationModel

extension CLLocation {
    /// Creates a location from the daemon's. An unknown accuracy, speed or course becomes -1.
    convenience init(_ location: LocationModel.Location) {
        var values = Values(at: CLLocationCoordinate2D(latitude: location.latitude, longitude: location.longitude))
        values.altitude = location.altitude ?? 0
        values.ellipsoidalAltitude = location.ellipsoidalAltitude ?? 0
        values.horizontalAccuracy = location.horizontalAccuracy ?? -1
        values.verticalAccuracy = location.verticalAccuracy ?? -1
        values.course = location.course ?? -1
        values.courseAccuracy = location.courseAccuracy ?? -1
        values.speed = location.speed ?? -1
        values.speedAccuracy = location.speedAccuracy ?? -1
        values.timestamp = Date(location.timestamp)
        values.sourceInformation = CLLocationSourceInformation(
            softwareSimulationState: location.simulated,
            andExternalAccessoryState: location.accessory == true)
        self.init(values)
    }
}

extension Date {
    /// Creates a date from the daemon's timestamp.
    init(_ timestamp: Timestamp) {
        self.init(timeIntervalSince1970: Double(timestamp.millisecondsSince1970) / 1000)
    }
}

extension CLAuthorizationStatus {
    /// Creates the value that corresponds to the daemon's status.
    init(_ status: AuthorizationStatus) {
        self =
            switch status {
            case .notDetermined: .notDetermined
            case .restricted: .restricted
            case .denied: .denied
            case .authorizedWhenInUse: .authorizedWhenInUse
            case .authorizedAlways: .authorizedAlways
            }
    }
}

extension CLAccuracyAuthorization {
    /// Creates the value that corresponds to the daemon's accuracy.
    init(_ accuracy: AccuracyAuthorization) {
        self =
            switch accuracy {
            case .full: .fullAccuracy
            case .reduced: .reducedAccuracy
            }
    }
}
