import Foundation

/// The identity of beacons: all beacons of an owner, those of one of the owner's groups, or a single beacon.
struct BeaconIdentity: Hashable {
    var uuid: UUID
    var major: CLBeaconMajorValue?
    var minor: CLBeaconMinorValue?
}

extension BeaconIdentity {
    init?(coder: NSCoder) {
        guard let text = coder.object(of: NSString.self, forKey: "uuid"),
            let uuid = UUID(uuidString: text as String)
        else { return nil }
        self.init(uuid: uuid)
        if coder.containsValue(forKey: "major") {
            major = CLBeaconMajorValue(exactly: coder.decodeInteger(forKey: "major"))
        }
        if coder.containsValue(forKey: "minor") {
            minor = CLBeaconMinorValue(exactly: coder.decodeInteger(forKey: "minor"))
        }
    }

    func encode(with coder: NSCoder) {
        coder.encode(uuid.uuidString as NSString, forKey: "uuid")
        if let major { coder.encode(Int(major), forKey: "major") }
        if let minor { coder.encode(Int(minor), forKey: "minor") }
    }
}
