import Foundation

/// A constraint on the identity of beacons: all beacons of an owner, all beacons in one of the owner's groups, or a
/// single beacon.
open class CLBeaconIdentityConstraint: NSObject, NSCopying, NSSecureCoding {
    private let identity: BeaconIdentity

    /// Creates a constraint for all beacons of an owner.
    public init(uuid: UUID) {
        identity = BeaconIdentity(uuid: uuid)
        super.init()
    }

    /// Creates a constraint for all beacons of one of an owner's groups.
    public init(uuid: UUID, major: CLBeaconMajorValue) {
        identity = BeaconIdentity(uuid: uuid, major: major)
        super.init()
    }

    /// Creates a constraint for a single beacon.
    public init(uuid: UUID, major: CLBeaconMajorValue, minor: CLBeaconMinorValue) {
        identity = BeaconIdentity(uuid: uuid, major: major, minor: minor)
        super.init()
    }

    /// The identifier of the owner.
    open var uuid: UUID { identity.uuid }
    /// The number of the group, or `nil` for all groups.
    open var major: CLBeaconMajorValue? { identity.major }
    /// The number of the beacon in its group, or `nil` for all beacons.
    open var minor: CLBeaconMinorValue? { identity.minor }

    /// Returns whether `object` is a constraint with the same values.
    open override func isEqual(_ object: Any?) -> Bool {
        (object as? CLBeaconIdentityConstraint)?.identity == identity
    }

    /// The hash value of the constraint's values.
    open override var hash: Int { identity.hashValue }

    /// Returns the object itself, which is immutable.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// A Boolean value indicating whether the class supports secure coding. Always `true`.
    open class var supportsSecureCoding: Bool { true }

    /// Decodes a constraint. If the archive does not contain one, it is for all beacons of an owner whose identifier is
    /// all zeros. Returns `nil` if the archive is damaged.
    public required init?(coder: NSCoder) {
        guard let identity = BeaconIdentity(ArchivedValues(coder)) else { return nil }
        self.identity = identity
        super.init()
    }

    /// Encodes every property.
    open func encode(with coder: NSCoder) {
        identity.encode(to: ArchivedValues(coder))
    }
}

/// The identity of beacons: all beacons of an owner or of one of its groups, or a single beacon.
struct BeaconIdentity: Hashable {
    var uuid: UUID
    var major: CLBeaconMajorValue?
    var minor: CLBeaconMinorValue?
}

extension BeaconIdentity {
    /// The owner in an archive that does not contain one, and of a region without an owner.
    static let noOwner = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))

    /// Reads an identity, or returns `nil` if the owner in the archive is not a UUID.
    init?(_ archive: ArchivedValues) {
        guard let uuid = archive.string(for: "uuid").map(UUID.init(uuidString:)) ?? Self.noOwner else { return nil }
        self.init(uuid: uuid)
        major = archive.integer(for: "major").flatMap { CLBeaconMajorValue(exactly: $0) }
        minor = archive.integer(for: "minor").flatMap { CLBeaconMinorValue(exactly: $0) }
    }

    func encode(to archive: ArchivedValues) {
        archive.encode(uuid.uuidString, for: "uuid")
        if let major { archive.encode(Int(major), for: "major") }
        if let minor { archive.encode(Int(minor), for: "minor") }
    }
}
