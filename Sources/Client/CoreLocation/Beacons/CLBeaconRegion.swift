import Foundation

/// The area around beacons: the range of their signals. It ends 30 s after the last one.
open class CLBeaconRegion: CLRegion {
    private let identity: BeaconIdentity

    /// Creates a region around all beacons of no owner: the UUID whose bits are all 0. Subclasses override the
    /// properties.
    public override init() {
        identity = BeaconIdentity(uuid: BeaconIdentity.noOwner)
        super.init()
    }

    /// Creates a region around all beacons of an owner.
    public init(uuid: UUID, identifier: String) {
        identity = BeaconIdentity(uuid: uuid)
        super.init()
        complete(identifier: identifier, circle: nil)
    }

    /// Creates a region around all beacons of one of an owner's groups.
    public init(uuid: UUID, major: CLBeaconMajorValue, identifier: String) {
        identity = BeaconIdentity(uuid: uuid, major: major)
        super.init()
        complete(identifier: identifier, circle: nil)
    }

    /// Creates a region around a single beacon.
    public init(uuid: UUID, major: CLBeaconMajorValue, minor: CLBeaconMinorValue, identifier: String) {
        identity = BeaconIdentity(uuid: uuid, major: major, minor: minor)
        super.init()
        complete(identifier: identifier, circle: nil)
    }

    /// Creates a region around the beacons of a constraint.
    public init(beaconIdentityConstraint: CLBeaconIdentityConstraint, identifier: String) {
        identity = BeaconIdentity(
            uuid: beaconIdentityConstraint.uuid, major: beaconIdentityConstraint.major,
            minor: beaconIdentityConstraint.minor)
        super.init()
        complete(identifier: identifier, circle: nil)
    }

    /// Creates a region around all beacons of an owner.
    @available(*, deprecated, renamed: "init(uuid:identifier:)")
    public convenience init(proximityUUID: UUID, identifier: String) {
        self.init(uuid: proximityUUID, identifier: identifier)
    }

    /// Creates a region around all beacons of one of an owner's groups.
    @available(*, deprecated, renamed: "init(uuid:major:identifier:)")
    public convenience init(proximityUUID: UUID, major: CLBeaconMajorValue, identifier: String) {
        self.init(uuid: proximityUUID, major: major, identifier: identifier)
    }

    /// Creates a region around a single beacon.
    @available(*, deprecated, renamed: "init(uuid:major:minor:identifier:)")
    public convenience init(
        proximityUUID: UUID, major: CLBeaconMajorValue, minor: CLBeaconMinorValue, identifier: String
    ) {
        self.init(uuid: proximityUUID, major: major, minor: minor, identifier: identifier)
    }

    /// The identifier of the owner.
    open var uuid: UUID { identity.uuid }
    /// The identifier of the owner.
    @available(*, deprecated, renamed: "uuid")
    open var proximityUUID: UUID { identity.uuid }
    /// The number of the group, 0...65535, or `nil` for all groups.
    open var major: NSNumber? { identity.major.map { NSNumber(value: $0) } }
    /// The number of the beacon in its group, 0...65535, or `nil` for all beacons.
    open var minor: NSNumber? { identity.minor.map { NSNumber(value: $0) } }

    /// The constraint on the identity of the region's beacons.
    open var beaconIdentityConstraint: CLBeaconIdentityConstraint {
        switch (identity.major, identity.minor) {
        case (let major?, let minor?): CLBeaconIdentityConstraint(uuid: identity.uuid, major: major, minor: minor)
        case (let major?, nil): CLBeaconIdentityConstraint(uuid: identity.uuid, major: major)
        case (nil, _): CLBeaconIdentityConstraint(uuid: identity.uuid)
        }
    }

    /// Without effect on Linux. Default: `false`.
    open var notifyEntryStateOnDisplay = false

    /// Returns the data that a device must advertise over Bluetooth to be such a beacon: the bytes of owner, group and
    /// number (0 for `nil`) and signal strength, under Core Bluetooth's key for them.
    ///
    /// - Parameter measuredPower: The strength of the signal at a distance of 1 m, in decibels over a milliwatt
    ///   (dBm), -128...127; -59 if `nil`.
    open func peripheralData(withMeasuredPower measuredPower: NSNumber?) -> NSMutableDictionary {
        var bytes = withUnsafeBytes(of: identity.uuid.uuid) { Data($0) }
        for number in [identity.major ?? 0, identity.minor ?? 0] {
            bytes.append(contentsOf: [UInt8(number >> 8), UInt8(number & 0xFF)])
        }
        bytes.append(UInt8(bitPattern: measuredPower?.int8Value ?? -59))
        let data = NSMutableDictionary()
        data["kCBAdvDataAppleBeaconKey"] = bytes
        return data
    }

    // MARK: Copying and coding

    /// Returns a region with the same values.
    open override func copy(with zone: NSZone? = nil) -> Any {
        let copy = CLBeaconRegion(beaconIdentityConstraint: beaconIdentityConstraint, identifier: identifier)
        copy.notifyEntryStateOnDisplay = notifyEntryStateOnDisplay
        return copied(to: copy)
    }

    /// Decodes a beacon region. Values that the archive does not contain are empty: the identifier of the owner is all
    /// zeros. Returns `nil` if the archive is damaged.
    public required init?(coder: NSCoder) {
        let archive = ArchivedValues(coder)
        guard let identity = BeaconIdentity(archive) else { return nil }
        self.identity = identity
        super.init(coder: coder)
        notifyEntryStateOnDisplay = archive.bool(for: "notifyEntryStateOnDisplay") ?? false
    }

    /// Encodes every property.
    open override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        let archive = ArchivedValues(coder)
        identity.encode(to: archive)
        archive.encode(notifyEntryStateOnDisplay, for: "notifyEntryStateOnDisplay")
    }
}
