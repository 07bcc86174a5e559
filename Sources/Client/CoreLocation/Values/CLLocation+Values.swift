import Foundation

extension CLLocation {
    /// The values of a location. The properties of `CLLocation` with the same names document them.
    package struct Values {
        package var coordinate: CLLocationCoordinate2D
        package var altitude: CLLocationDistance = 0
        package var ellipsoidalAltitude: CLLocationDistance = 0
        package var horizontalAccuracy: CLLocationAccuracy = 0
        package var verticalAccuracy: CLLocationAccuracy = -1
        package var course: CLLocationDirection = -1
        package var courseAccuracy: CLLocationDirectionAccuracy = -1
        package var speed: CLLocationSpeed = -1
        package var speedAccuracy: CLLocationSpeedAccuracy = -1
        package var timestamp = Date()
        package var floor: CLFloor?
        package var sourceInformation: CLLocationSourceInformation?
    }
}

extension CLLocation.Values {
    /// Creates the values of a location whose other values are unknown.
    package init(at coordinate: CLLocationCoordinate2D) {
        self.init(coordinate: coordinate)
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

    /// Decodes the values. Without an accuracy in the archive, the coordinate is invalid: an archive without any
    /// values, or with another program's keys, must not produce a place.
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
