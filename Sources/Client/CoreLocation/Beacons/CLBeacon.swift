import Foundation

/// A beacon near the device. All devices with the same numbers are one beacon.
open class CLBeacon: NSObject, NSCopying, NSSecureCoding {
    /// The values of a beacon.
    package struct Values: Sendable {
        package var uuid = BeaconIdentity.noOwner
        package var major = 0
        package var minor = 0
        package var proximity = CLProximity.unknown
        package var accuracy: CLLocationAccuracy = -1
        package var rssi = 0
        package var timestamp = Date.distantPast

        package init() {}
    }

    private let values: Values

    /// Creates a beacon with unknown values. Subclasses override the properties.
    public override init() {
        values = Values()
        super.init()
    }

    package init(_ values: Values) {
        self.values = values
        super.init()
    }

    /// The identifier of the beacon's owner.
    open var uuid: UUID { values.uuid }
    /// The identifier of the beacon's owner.
    @available(*, deprecated, renamed: "uuid")
    open var proximityUUID: UUID { uuid }
    /// The number of the beacon's group among the owner's groups, 0...65535.
    open var major: NSNumber { NSNumber(value: values.major) }
    /// The number of the beacon in its group, 0...65535.
    open var minor: NSNumber { NSNumber(value: values.minor) }
    /// The approximate distance to the beacon.
    open var proximity: CLProximity { values.proximity }
    /// The distance in metres, estimated by the strength of the signal. Negative if it is unknown.
    open var accuracy: CLLocationAccuracy { values.accuracy }
    /// The strength of the beacon's signal in decibels over a milliwatt (dBm). 0 if it is unknown.
    open var rssi: Int { values.rssi }
    /// The time of the beacon's last signal.
    open var timestamp: Date { values.timestamp }

    /// Returns the object itself, which is immutable.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// A Boolean value indicating whether the class supports secure coding. Always `true`.
    open class var supportsSecureCoding: Bool { true }

    /// Decodes a beacon. Values that the archive does not contain are unknown. Returns `nil` if the archive is damaged.
    public required init?(coder: NSCoder) {
        let archive = ArchivedValues(coder)
        guard let identity = BeaconIdentity(archive) else { return nil }
        var values = Values()
        values.uuid = identity.uuid
        (values.major, values.minor) = (Int(identity.major ?? 0), Int(identity.minor ?? 0))
        values.proximity = archive.integer(for: "proximity").flatMap { CLProximity(rawValue: $0) } ?? .unknown
        values.accuracy = archive.double(for: "accuracy") ?? -1
        values.rssi = archive.integer(for: "rssi") ?? 0
        values.timestamp = archive.date(for: "timestamp") ?? .distantPast
        self.values = values
        super.init()
    }

    /// Encodes every property.
    open func encode(with coder: NSCoder) {
        let archive = ArchivedValues(coder)
        let identity = BeaconIdentity(
            uuid: values.uuid, major: CLBeaconMajorValue(clamping: values.major),
            minor: CLBeaconMinorValue(clamping: values.minor))
        identity.encode(to: archive)
        archive.encode(values.proximity.rawValue, for: "proximity")
        archive.encode(values.accuracy, for: "accuracy")
        archive.encode(values.rssi, for: "rssi")
        archive.encode(values.timestamp, for: "timestamp")
    }
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
