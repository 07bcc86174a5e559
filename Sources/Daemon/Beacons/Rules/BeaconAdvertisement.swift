/// The advertisement of a beacon: Apple, "Proximity Beacon Specification", release R1, table 2-1.
package struct BeaconAdvertisement: Equatable, Sendable {
    /// Apple's company identifier, the key of the manufacturer data: Bluetooth Assigned Numbers.
    static let company: UInt16 = 0x004C
    /// The type of the message and the length of the rest. Apple's devices send many messages of other types.
    private static let header: [UInt8] = [0x02, 0x15]
    /// The length of the manufacturer data without the company identifier, in bytes.
    static let length = 23

    /// Returns the beginning of the manufacturer data of beacons that satisfy a constraint. Unlike the data that BlueZ
    /// reports, it contains the company identifier.
    static func beginning(of pattern: BeaconPattern) -> [UInt8] {
        var bytes = [UInt8(company & 0xFF), UInt8(company >> 8)] + header + pattern.uuid.bytes
        for number in [pattern.major, pattern.minor].compactMap(\.self) {
            bytes += [UInt8(number >> 8), UInt8(number & 0xFF)]
        }
        return bytes
    }

    package let identity: BeaconIdentity
    /// The signal strength that the maker has measured at a distance of one metre, in dBm.
    package let measuredPower: Int

    package init(identity: BeaconIdentity, measuredPower: Int) {
        self.identity = identity
        self.measuredPower = measuredPower
    }

    /// Creates an advertisement from the manufacturer data without the company identifier, or `nil` if the data is not
    /// from a beacon.
    package init?(_ data: [UInt8]) {
        guard data.count >= Self.length, Array(data.prefix(2)) == Self.header, let uuid = BeaconUUID(data[2..<18])
        else { return nil }
        func number(at index: Int) -> UInt16 { UInt16(data[index]) << 8 | UInt16(data[index + 1]) }
        identity = BeaconIdentity(uuid: uuid, major: number(at: 18), minor: number(at: 20))
        measuredPower = Int(Int8(bitPattern: data[22]))
    }
}
