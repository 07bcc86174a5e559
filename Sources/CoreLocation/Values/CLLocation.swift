import Foundation
import LocationModel

/// Where the device is or was, how exactly that is known, and how it moves.
///
/// Two objects of the same values are not equal: equality is identity.
open class CLLocation: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    /// Not changed once the object is made.
    private var values: Values

    /// The place where the equator crosses the meridian of Greenwich, now.
    public override init() {
        values = Values(coordinate: CLLocationCoordinate2D())
        super.init()
    }

    /// A place, now; speed, course and altitude are not known.
    ///
    /// - Parameters:
    ///   - latitude: degrees.
    ///   - longitude: degrees.
    public init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
        values = Values(coordinate: CLLocationCoordinate2D(latitude: latitude, longitude: longitude))
        super.init()
    }

    /// A place and when it was held. The units are those of the properties of the same names.
    public init(
        coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance, horizontalAccuracy: CLLocationAccuracy,
        verticalAccuracy: CLLocationAccuracy, timestamp: Date
    ) {
        values = Values(
            coordinate: coordinate, altitude: altitude, horizontalAccuracy: horizontalAccuracy,
            verticalAccuracy: verticalAccuracy, timestamp: timestamp)
        super.init()
    }

    /// A place, a motion and when they were held. The units are those of the properties of the same names.
    public init(
        coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance, horizontalAccuracy: CLLocationAccuracy,
        verticalAccuracy: CLLocationAccuracy, course: CLLocationDirection, speed: CLLocationSpeed, timestamp: Date
    ) {
        values = Values(
            coordinate: coordinate, altitude: altitude, horizontalAccuracy: horizontalAccuracy,
            verticalAccuracy: verticalAccuracy, course: course, speed: speed, timestamp: timestamp)
        super.init()
    }

    /// A place, a motion with its accuracy and when they were held. The units are those of the properties of the same
    /// names.
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

    /// A place, a motion with its accuracy, when they were held and what they come from. The units are those of the
    /// properties of the same names.
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

    /// What the daemon tells. What it does not know has an accuracy, speed or course of -1.
    convenience init(_ location: LocationModel.Location) {
        self.init()
        values = Values(location)
    }

    /// Degrees.
    open var coordinate: CLLocationCoordinate2D { values.coordinate }
    /// Metres above mean sea level; invalid if ``verticalAccuracy`` is not positive.
    open var altitude: CLLocationDistance { values.altitude }
    /// Metres above the WGS 84 ellipsoid; invalid if ``verticalAccuracy`` is not positive.
    open var ellipsoidalAltitude: CLLocationDistance { values.ellipsoidalAltitude }
    /// Metres, 68 %; negative if the coordinate is invalid.
    open var horizontalAccuracy: CLLocationAccuracy { values.horizontalAccuracy }
    /// Metres, 68 %; not positive if the altitudes are invalid.
    open var verticalAccuracy: CLLocationAccuracy { values.verticalAccuracy }
    /// The direction of motion in degrees clockwise from true north; negative if invalid.
    open var course: CLLocationDirection { values.course }
    /// Degrees, 68 %; negative if the course is invalid.
    open var courseAccuracy: CLLocationDirectionAccuracy { values.courseAccuracy }
    /// Metres per second over ground; negative if invalid.
    open var speed: CLLocationSpeed { values.speed }
    /// Metres per second, 68 %; negative if the speed is invalid.
    open var speedAccuracy: CLLocationSpeedAccuracy { values.speedAccuracy }
    /// When the position held.
    open var timestamp: Date { values.timestamp }
    /// The floor of a building; `nil` where none is known, which is everywhere on Linux.
    open var floor: CLFloor? { values.floor }
    /// What the location comes from, if that is known.
    open var sourceInformation: CLLocationSourceInformation? { values.sourceInformation }

    /// The length of the shortest path along the WGS 84 ellipsoid, in metres; altitudes do not count.
    ///
    /// NaN if one of both latitudes is out of -90...90, or a value is not finite.
    open func distance(from location: CLLocation) -> CLLocationDistance {
        coordinate.distance(to: location.coordinate)
    }

    /// The length of the shortest path along the WGS 84 ellipsoid, in metres.
    @available(*, deprecated, renamed: "distance(from:)")
    open func getDistanceFrom(_ location: CLLocation) -> CLLocationDistance {
        distance(from: location)
    }

    /// As `<+37.78583400,-122.40641700> +/- 5.00m (speed -1.00 mps / course -1.00) @ `, followed by the local time.
    open override var description: String {
        String(
            format: "<%+.8f,%+.8f> +/- %.2fm (speed %.2f mps / course %.2f) @ ", coordinate.latitude,
            coordinate.longitude, horizontalAccuracy, speed, course)
            + DateFormatter.localizedString(from: timestamp, dateStyle: .short, timeStyle: .full)
    }

    // MARK: Copying and coding

    /// The object itself: it does not change.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// `true`.
    open class var supportsSecureCoding: Bool { true }

    /// `nil` if there is no location in the archive.
    public required init?(coder: NSCoder) {
        guard let values = Values(coder: coder) else { return nil }
        self.values = values
        super.init()
    }

    /// Writes every property.
    open func encode(with coder: NSCoder) {
        values.encode(with: coder)
    }
}
