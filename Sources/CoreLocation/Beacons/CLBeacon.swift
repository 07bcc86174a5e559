import Foundation

/// A beacon near the device.
///
/// None is found on Linux: a subclass tells more.
open class CLBeacon: NSObject, NSCopying, NSSecureCoding {
    /// A beacon of which nothing is known.
    public override init() {
        super.init()
    }

    /// Names the beacon's owner.
    open var uuid: UUID { UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)) }
    /// Names the beacon's owner.
    @available(*, deprecated, renamed: "uuid")
    open var proximityUUID: UUID { uuid }
    /// Names a group of the owner's beacons, 0...65535.
    open var major: NSNumber { 0 }
    /// Names the beacon in its group, 0...65535.
    open var minor: NSNumber { 0 }
    /// About how far the beacon is.
    open var proximity: CLProximity { .unknown }
    /// Metres; negative if unknown.
    open var accuracy: CLLocationAccuracy { -1 }
    /// The strength of its signal, in decibels over a milliwatt; 0 if unknown.
    open var rssi: Int { 0 }
    /// When it was found.
    open var timestamp: Date { .distantPast }

    /// The object itself: it does not change.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// `true`.
    open class var supportsSecureCoding: Bool { true }

    /// A beacon of which nothing is known.
    public required init?(coder: NSCoder) {
        super.init()
    }

    /// Writes nothing: nothing is known.
    open func encode(with coder: NSCoder) {}
}
