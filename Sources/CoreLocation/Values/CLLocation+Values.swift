import Foundation
import LocationModel

extension CLLocation {
    /// The values of a location. The properties of `CLLocation` with the same names document them.
    struct Values {
        var coordinate: CLLocationCoordinate2D
        var altitude: CLLocationDistance = 0
        var ellipsoidalAltitude: CLLocationDistance = 0
        var horizontalAccuracy: CLLocationAccuracy = 0
        var verticalAccuracy: CLLocationAccuracy = -1
        var course: CLLocationDirection = -1
        var courseAccuracy: CLLocationDirectionAccuracy = -1
        var speed: CLLocationSpeed = -1
        var speedAccuracy: CLLocationSpeedAccuracy = -1
        var timestamp = Date()
        var floor: CLFloor?
        var sourceInformation: CLLocationSourceInformation?
    }
}

extension CLLocation.Values {
    /// Creates the values of a location that the daemon reported.
    init(_ location: LocationModel.Location) {
        self.init(
            coordinate: CLLocationCoordinate2D(latitude: location.latitude, longitude: location.longitude),
            altitude: location.altitude ?? 0,
            ellipsoidalAltitude: location.ellipsoidalAltitude ?? 0,
            horizontalAccuracy: location.horizontalAccuracy ?? -1,
            verticalAccuracy: location.verticalAccuracy ?? -1,
            course: location.course ?? -1,
            courseAccuracy: location.courseAccuracy ?? -1,
            speed: location.speed ?? -1,
            speedAccuracy: location.speedAccuracy ?? -1,
            timestamp: Date(location.timestamp),
            sourceInformation: CLLocationSourceInformation(
                softwareSimulationState: location.simulated, andExternalAccessoryState: false))
    }

    /// The numeric values other than the coordinate, each with its name in an archive.
    private static var numbers: [(name: String, path: WritableKeyPath<Self, Double>)] {
        [
            ("altitude", \.altitude), ("ellipsoidalAltitude", \.ellipsoidalAltitude),
            ("horizontalAccuracy", \.horizontalAccuracy), ("verticalAccuracy", \.verticalAccuracy),
            ("course", \.course), ("courseAccuracy", \.courseAccuracy),
            ("speed", \.speed), ("speedAccuracy", \.speedAccuracy),
        ]
    }

    /// Decodes the values. Without an accuracy in the archive, the coordinate is invalid: that of an archive without
    /// any values, or with the keys of another program, must not pass for a place.
    init(_ archive: ArchivedValues) {
        self.init(coordinate: archive.coordinate, horizontalAccuracy: -1)
        for (name, path) in Self.numbers {
            if let number = archive.double(for: name) { self[keyPath: path] = number }
        }
        timestamp = archive.timestamp
        floor = archive.object(for: "floor", of: CLFloor.self)
        sourceInformation = archive.object(for: "sourceInformation", of: CLLocationSourceInformation.self)
    }

    func encode(to archive: ArchivedValues) {
        archive.encode(coordinate)
        for (name, path) in Self.numbers {
            archive.encode(self[keyPath: path], for: name)
        }
        archive.encode(timestamp, for: "timestamp")
        archive.encode(floor, for: "floor")
        archive.encode(sourceInformation, for: "sourceInformation")
    }
}

extension Date {
    /// Creates a date from a timestamp of the daemon.
    init(_ timestamp: Timestamp) {
        self.init(timeIntervalSince1970: Double(timestamp.millisecondsSince1970) / 1000)
    }
}
