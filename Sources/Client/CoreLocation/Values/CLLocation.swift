import Foundation

/// The position, altitude, course and speed of the device at one moment, each with its accuracy.
///
/// Equality is identity: two objects with the same values are not equal.
open class CLLocation: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    /// Immutable after initialization.
    private var values: Values

    /// Creates a location at latitude 0 and longitude 0, with the current time.
    public override init() {
        values = Values(coordinate: CLLocationCoordinate2D())
        super.init()
    }

    /// Creates a location at a coordinate, with the current time. Its speed, course and altitude are invalid.
    ///
    /// - Parameters:
    ///   - latitude: The latitude in degrees.
    ///   - longitude: The longitude in degrees.
    public init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
        values = Values(coordinate: CLLocationCoordinate2D(latitude: latitude, longitude: longitude))
        super.init()
    }

    /// Creates a location from a position and its time. Units are as in the properties with the same names.
    public init(
        coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance, horizontalAccuracy: CLLocationAccuracy,
        verticalAccuracy: CLLocationAccuracy, timestamp: Date
    ) {
        values = Values(
            coordinate: coordinate, altitude: altitude, horizontalAccuracy: horizontalAccuracy,
            verticalAccuracy: verticalAccuracy, timestamp: timestamp)
        super.init()
    }

    /// Creates a location from a position, a motion and their time. Units are as in the properties with the same names.
    public init(
        coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance, horizontalAccuracy: CLLocationAccuracy,
        verticalAccuracy: CLLocationAccuracy, course: CLLocationDirection, speed: CLLocationSpeed, timestamp: Date
    ) {
        values = Values(
            coordinate: coordinate, altitude: altitude, horizontalAccuracy: horizontalAccuracy,
            verticalAccuracy: verticalAccuracy, course: course, speed: speed, timestamp: timestamp)
        super.init()
    }

    /// Creates a location from a position, a motion with its accuracies, and their time. Units are as in the properties
    /// with the same names.
    public init(
        coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance, horizontalAccuracy: CLLocationAccuracy,
        verticalAccuracy: CLLocationAccuracy, course: CLLocationDirection,
        courseAccuracy: CLLocationDirectionAccuracy, speed: CLLocationSpeed, speedAccuracy: CLLocationSpeedAccuracy,
        timestamp: Date
    ) {
        values = Values(
            coordinate: coordinate, altitude: altitude, horizontalAccuracy: horizontalAccuracy,
            verticalAccuracy: verticalAccuracy, course: course, courseAccuracy: courseAccuracy, speed: speed,
            speedAccuracy: speedAccuracy, timestamp: timestamp)
        super.init()
    }

    /// Creates a location from a position, a motion with its accuracies, their time and their origin. Units are as in
    /// the properties with the same names.
    public init(
        coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance, horizontalAccuracy: CLLocationAccuracy,
        verticalAccuracy: CLLocationAccuracy, course: CLLocationDirection,
        courseAccuracy: CLLocationDirectionAccuracy, speed: CLLocationSpeed, speedAccuracy: CLLocationSpeedAccuracy,
        timestamp: Date, sourceInfo: CLLocationSourceInformation
    ) {
        values = Values(
            coordinate: coordinate, altitude: altitude, horizontalAccuracy: horizontalAccuracy,
            verticalAccuracy: verticalAccuracy, course: course, courseAccuracy: courseAccuracy, speed: speed,
            speedAccuracy: speedAccuracy, timestamp: timestamp, sourceInformation: sourceInfo)
        super.init()
    }

    package convenience init(_ values: Values) {
        self.init()
        self.values = values
    }

    /// The latitude and longitude in degrees.
    open var coordinate: CLLocationCoordinate2D { values.coordinate }
    /// The altitude in metres above mean sea level. Invalid if ``verticalAccuracy`` is not positive.
    open var altitude: CLLocationDistance { values.altitude }
    /// The altitude in metres above the WGS 84 ellipsoid. Invalid if ``verticalAccuracy`` is not positive.
    ///
    /// If the receiver does not report it, it is computed from ``altitude`` with a coarse model of the geoid. Its error
    /// then exceeds ``verticalAccuracy`` by some metres, and by 21 m at worst.
    open var ellipsoidalAltitude: CLLocationDistance { values.ellipsoidalAltitude }
    /// The accuracy of the coordinate in metres, with 68 % confidence. Negative if the coordinate is invalid.
    open var horizontalAccuracy: CLLocationAccuracy { values.horizontalAccuracy }
    /// The accuracy of the altitudes in metres, with 68 % confidence. Zero or negative if the altitudes are invalid.
    open var verticalAccuracy: CLLocationAccuracy { values.verticalAccuracy }
    /// The direction of motion in degrees clockwise from true north. Negative if invalid.
    open var course: CLLocationDirection { values.course }
    /// The accuracy of the course in degrees, with 68 % confidence. Negative if the course is invalid.
    open var courseAccuracy: CLLocationDirectionAccuracy { values.courseAccuracy }
    /// The speed over ground in metres per second. Negative if invalid.
    open var speed: CLLocationSpeed { values.speed }
    /// The accuracy of the speed in metres per second, with 68 % confidence. Negative if the speed is invalid.
    open var speedAccuracy: CLLocationSpeedAccuracy { values.speedAccuracy }
    /// The time when the device was at the position.
    open var timestamp: Date { values.timestamp }
    /// The floor of the building, or `nil` if it is unknown. No receiver on Linux reports one.
    open var floor: CLFloor? { values.floor }
    /// The origin of the location, or `nil` if it is unknown.
    open var sourceInformation: CLLocationSourceInformation? { values.sourceInformation }

    /// Returns the length in metres of the shortest path to `location` along the WGS 84 ellipsoid, ignoring altitude.
    ///
    /// The distance is NaN if either latitude is outside -90...90 or a value is not finite.
    open func distance(from location: CLLocation) -> CLLocationDistance {
        coordinate.distance(to: location.coordinate)
    }

    /// Returns the length in metres of the shortest path to `location` along the WGS 84 ellipsoid.
    @available(*, deprecated, renamed: "distance(from:)")
    open func getDistanceFrom(_ location: CLLocation) -> CLLocationDistance {
        distance(from: location)
    }

    /// A description of the form `<+37.78583400,-122.40641700> +/- 5.00m (speed -1.00 mps / course -1.00) @ `,
    /// followed by the local time.
    open override var description: String {
        String(
            format: "<%+.8f,%+.8f> +/- %.2fm (speed %.2f mps / course %.2f) @ ", coordinate.latitude,
            coordinate.longitude, horizontalAccuracy, speed, course)
            + DateFormatter.localizedString(from: timestamp, dateStyle: .short, timeStyle: .full)
    }

    // MARK: Copying and coding

    /// Returns the object itself, which is immutable.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// A Boolean value indicating whether the class supports secure coding. Always `true`.
    open class var supportsSecureCoding: Bool { true }

    /// Decodes a location. Values missing from the archive default to the values of ``init()``, except for the
    /// horizontal accuracy, -1, which makes the coordinate invalid, and the time, 1 January 2001.
    public required init?(coder: NSCoder) {
        values = Values(ArchivedValues(coder))
        super.init()
    }

    /// Encodes every property.
    open func encode(with coder: NSCoder) {
        values.encode(to: ArchivedValues(coder))
    }
}
