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

    private static let latitude = "latitude"
    private static let longitude = "longitude"
    private static let timestamp = "timestamp"
    private static let floor = "floor"
    private static let sourceInformation = "sourceInformation"

    /// The numeric values other than the coordinate, each with its key in an archive.
    private static var numbers: [(key: String, path: WritableKeyPath<Self, Double>)] {
        [
            ("altitude", \.altitude), ("ellipsoidalAltitude", \.ellipsoidalAltitude),
            ("horizontalAccuracy", \.horizontalAccuracy), ("verticalAccuracy", \.verticalAccuracy),
            ("course", \.course), ("courseAccuracy", \.courseAccuracy),
            ("speed", \.speed), ("speedAccuracy", \.speedAccuracy),
        ]
    }

    init?(coder: NSCoder) {
        guard coder.containsValue(forKey: Self.latitude), coder.containsValue(forKey: Self.longitude) else {
            return nil
        }
        self.init(
            coordinate: CLLocationCoordinate2D(
                latitude: coder.decodeDouble(forKey: Self.latitude),
                longitude: coder.decodeDouble(forKey: Self.longitude)))
        for (key, path) in Self.numbers where coder.containsValue(forKey: key) {
            self[keyPath: path] = coder.decodeDouble(forKey: key)
        }
        timestamp = Date(timeIntervalSinceReferenceDate: coder.decodeDouble(forKey: Self.timestamp))
        floor = coder.object(of: CLFloor.self, forKey: Self.floor)
        sourceInformation = coder.object(of: CLLocationSourceInformation.self, forKey: Self.sourceInformation)
    }

    func encode(with coder: NSCoder) {
        coder.encode(coordinate.latitude, forKey: Self.latitude)
        coder.encode(coordinate.longitude, forKey: Self.longitude)
        for (key, path) in Self.numbers {
            coder.encode(self[keyPath: path], forKey: key)
        }
        coder.encode(timestamp.timeIntervalSinceReferenceDate, forKey: Self.timestamp)
        coder.encode(floor, forKey: Self.floor)
        coder.encode(sourceInformation, forKey: Self.sourceInformation)
    }
}

extension Date {
    /// Creates a date from a timestamp of the daemon.
    init(_ timestamp: Timestamp) {
        self.init(timeIntervalSince1970: Double(timestamp.millisecondsSince1970) / 1000)
    }
}
