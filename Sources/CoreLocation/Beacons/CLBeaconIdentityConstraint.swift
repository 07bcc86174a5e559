import Foundation

/// Which beacons are meant: all of an owner, of one of its groups, or one of them.
open class CLBeaconIdentityConstraint: NSObject, NSCopying, NSSecureCoding {
    private let identity: BeaconIdentity

    /// All beacons of an owner.
    public init(uuid: UUID) {
        identity = BeaconIdentity(uuid: uuid)
        super.init()
    }

    /// All beacons of an owner's group.
    public init(uuid: UUID, major: CLBeaconMajorValue) {
        identity = BeaconIdentity(uuid: uuid, major: major)
        super.init()
    }

    /// One beacon.
    public init(uuid: UUID, major: CLBeaconMajorValue, minor: CLBeaconMinorValue) {
        identity = BeaconIdentity(uuid: uuid, major: major, minor: minor)
        super.init()
    }

    /// Names the owner.
    open var uuid: UUID { identity.uuid }
    /// Names the group; `nil` if all are meant.
    open var major: CLBeaconMajorValue? { identity.major }
    /// Names the beacon; `nil` if all are meant.
    open var minor: CLBeaconMinorValue? { identity.minor }

    /// Returns whether `object` is a constraint of the same values.
    open override func isEqual(_ object: Any?) -> Bool {
        (object as? CLBeaconIdentityConstraint)?.identity == identity
    }

    /// Of the values.
    open override var hash: Int { identity.hashValue }

    /// The object itself: it does not change.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// `true`.
    open class var supportsSecureCoding: Bool { true }

    /// `nil` if there is no constraint in the archive.
    public required init?(coder: NSCoder) {
        guard let identity = BeaconIdentity(coder: coder) else { return nil }
        self.identity = identity
        super.init()
    }

    /// Writes every property.
    open func encode(with coder: NSCoder) {
        identity.encode(with: coder)
    }
}
