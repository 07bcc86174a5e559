import Foundation

/// A beacon near the device.
///
/// No beacons are found on Linux. Subclasses override the properties.
open class CLBeacon: NSObject, NSCopying, NSSecureCoding {
    /// Creates a beacon with unknown values.
    public override init() {
        super.init()
    }

    /// The identifier of the beacon's owner.
    open var uuid: UUID { UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)) }
    /// The identifier of the beacon's owner.
    @available(*, deprecated, renamed: "uuid")
    open var proximityUUID: UUID { uuid }
    /// The number of the beacon's group among the owner's groups, 0...65535.
    open var major: NSNumber { 0 }
    /// The number of the beacon in its group, 0...65535.
    open var minor: NSNumber { 0 }
    /// The approximate distance to the beacon.
    open var proximity: CLProximity { .unknown }
    /// The accuracy in metres. Negative if it is unknown.
    open var accuracy: CLLocationAccuracy { -1 }
    /// The strength of the beacon's signal in decibels over a milliwatt (dBm). 0 if it is unknown.
    open var rssi: Int { 0 }
    /// The time when the beacon was found.
    open var timestamp: Date { .distantPast }

    /// Returns the object itself, which is immutable.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// A Boolean value indicating whether the class supports secure coding. Always `true`.
    open class var supportsSecureCoding: Bool { true }

    /// Creates a beacon with unknown values.
    public required init?(coder: NSCoder) {
        super.init()
    }

    /// Encodes nothing, because every value is unknown.
    open func encode(with coder: NSCoder) {}
}

/// The approximate distance to a beacon.
@nonexhaustive
public enum CLProximity: Int, Sendable {
    /// The distance is unknown.
    case unknown = 0
    /// The beacon is within reach.
    case immediate = 1
    /// The beacon is a few metres away.
    case near = 2
    /// The beacon is farther away.
    case far = 3
}
