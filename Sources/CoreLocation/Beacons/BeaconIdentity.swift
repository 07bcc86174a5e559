import Foundation

/// The identity of beacons: all beacons of an owner, those of one of the owner's groups, or a single beacon.
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
