package import LocationModel

/// A UUID: RFC 9562.
package struct BeaconUUID: Hashable, Sendable, CustomStringConvertible {
    private let high: UInt64
    private let low: UInt64

    /// Creates a UUID from its 16 bytes.
    init?(_ bytes: ArraySlice<UInt8>) {
        guard bytes.count == 16 else { return nil }
        func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
        (high, low) = (number(bytes.prefix(8)), number(bytes.suffix(8)))
    }

    /// Creates a UUID from its text, 32 hexadecimal digits in five groups, or `nil` if the text is not one.
    package init?(_ text: String) {
        let groups = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard groups.map(\.count) == [8, 4, 4, 4, 12] else { return nil }
        var bytes: [UInt8] = []
        var digits = groups.joined().makeIterator()
        while let first = digits.next(), let second = digits.next() {
            guard let high = Self.value(of: first), let low = Self.value(of: second) else { return nil }
            bytes.append(high << 4 | low)
        }
        self.init(bytes[...])
    }

    /// The 16 bytes.
    var bytes: [UInt8] {
        [high, low].flatMap { half in (0..<8).map { UInt8(truncatingIfNeeded: half >> (56 - 8 * $0)) } }
    }

    private static func value(of digit: UInt8) -> UInt8? {
        Character(UnicodeScalar(digit)).hexDigitValue.flatMap(UInt8.init(exactly:))
    }

    /// The text, in lower case.
    package var description: String {
        func digits(_ value: UInt64, _ count: Int) -> String { Int(value).padded(to: count, radix: 16) }
        return [
            digits(high >> 32, 8), digits(high >> 16 & 0xFFFF, 4), digits(high & 0xFFFF, 4), digits(low >> 48, 4),
            digits(low & 0xFFFF_FFFF_FFFF, 12),
        ].joined(separator: "-")
    }
}

/// The identity of a beacon. A beacon changes its address, but not its identity, so all devices with one identity are
/// one beacon.
package struct BeaconIdentity: Hashable, Sendable {
    package let uuid: BeaconUUID
    package let major: UInt16
    package let minor: UInt16

    package init(uuid: BeaconUUID, major: UInt16, minor: UInt16) {
        self.uuid = uuid
        self.major = major
        self.minor = minor
    }

    /// The constraint that only this beacon satisfies.
    package var constraint: BeaconConstraint {
        BeaconConstraint(uuid: uuid.description, major: Int(major), minor: Int(minor))
    }
}

/// A constraint of an app that was checked.
///
/// Attack: an app lists all beacons around, as a fingerprint of the place. So the UUID has no wildcard, and a UUID of
/// zeros is a UUID like any other.
package struct BeaconPattern: Hashable, Sendable {
    package let uuid: BeaconUUID
    package let major: UInt16?
    package let minor: UInt16?

    /// Creates a pattern, or `nil` if a part of the constraint is invalid.
    package init?(_ constraint: BeaconConstraint) {
        guard let uuid = BeaconUUID(constraint.uuid), constraint.minor == nil || constraint.major != nil else {
            return nil
        }
        let (major, minor) = (constraint.major.map(UInt16.init(exactly:)), constraint.minor.map(UInt16.init(exactly:)))
        if case .some(nil) = major { return nil }
        if case .some(nil) = minor { return nil }
        self.uuid = uuid
        self.major = major ?? nil
        self.minor = minor ?? nil
    }

    /// Returns whether a beacon satisfies the constraint.
    func matches(_ beacon: BeaconIdentity) -> Bool {
        uuid == beacon.uuid && (major ?? beacon.major) == beacon.major && (minor ?? beacon.minor) == beacon.minor
    }
}
