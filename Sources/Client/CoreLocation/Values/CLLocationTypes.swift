/// A latitude, a longitude or another angle, in degrees.
public typealias CLLocationDegrees = Double
/// The accuracy of a position or altitude, in metres.
public typealias CLLocationAccuracy = Double
/// A speed in metres per second.
public typealias CLLocationSpeed = Double
/// The accuracy of a speed, in metres per second.
public typealias CLLocationSpeedAccuracy = Double
/// A direction in degrees, clockwise from north.
public typealias CLLocationDirection = Double
/// The accuracy of a direction, in degrees.
public typealias CLLocationDirectionAccuracy = Double
/// A distance in metres.
public typealias CLLocationDistance = Double
/// A component of the magnetic field, in microteslas.
public typealias CLHeadingComponentValue = Double
/// The major number of a beacon.
public typealias CLBeaconMajorValue = UInt16
/// The minor number of a beacon.
public typealias CLBeaconMinorValue = UInt16

/// The purpose of an app's use of locations. It decides when the device counts as stationary.
@nonexhaustive
public enum CLActivityType: Int, Sendable {
    /// An unspecified purpose.
    case other = 1
    /// Navigation of a road vehicle.
    case automotiveNavigation = 2
    /// Walking, running or cycling.
    case fitness = 3
    /// Navigation of a boat, a train or another vehicle that does not follow roads.
    case otherNavigation = 4
    /// Flying.
    case airborne = 5
}
