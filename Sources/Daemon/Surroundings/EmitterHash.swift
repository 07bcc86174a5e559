internal import Positioning

/// Turns the addresses of emitters into keyed hashes. Nothing else of them leaves this module.
///
/// Attack: a thief, or another program with access to the daemon's memory or logs, learns the names and addresses of
/// networks, which commercial databases have the places of. Without the machine's secret, a hash says nothing. With it,
/// all 2^42 addresses can be tried in a day, and those of a database in seconds.
struct EmitterHash {
    private let hash: SipHash

    /// - Parameter secret: The machine's secret. The key is derived, so its other uses are unaffected.
    init(secret: [UInt8]) {
        hash = SipHash(key: secret).derived(label: "surroundings")
    }

    /// Returns the id of the router that an access point belongs to, or `nil` if the access point is not evidence of a
    /// place.
    ///
    /// One router has several addresses, which differ in the last four bits. It counts as one emitter: a device that is
    /// connected to a bus should not find ten of them, one of them by cable. Phones that share their connection, and
    /// networks for guests, have locally administered addresses (IEEE 802, 8.2.2): phones move.
    func accessPoint(_ address: String) -> UInt64? { Self.bytes(address).flatMap { accessPoint($0) } }

    /// Returns the same for the six bytes of an address.
    func accessPoint(_ bytes: [UInt8]) -> UInt64? {
        guard bytes.count == 6, bytes[0] & 0b11 == 0 else { return nil }
        // NetworkManager invents these addresses where iwd does not tell it the real ones (nm-device-iwd.c).
        guard !bytes.starts(with: [0x00, 0x01, 0x02]) else { return nil }
        return router(bytes)
    }

    /// Returns the id of a wired gateway, or `nil` if its address is not evidence of a place, as a phone's.
    func gateway(_ address: String) -> UInt64? {
        guard let bytes = Self.bytes(address), bytes[0] & 0b11 == 0, bytes.contains(where: { $0 != 0 }) else {
            return nil
        }
        return router(bytes)
    }

    private func router(_ bytes: [UInt8]) -> UInt64 { hash.hash([0] + bytes[0...4] + [bytes[5] & 0xF0]) }

    /// Returns the hash of the area of a serving cell.
    func area(_ text: String) -> UInt64 { hash.hash([2] + Array(text.utf8)) }

    /// Returns the six bytes of an address such as `02:00:5E:10:00:00`.
    private static func bytes(_ address: String) -> [UInt8]? {
        let parts = address.split(separator: ":", omittingEmptySubsequences: false)
        let bytes = parts.compactMap { part in
            part.utf8.count == 2 && part.allSatisfy(\.isHexDigit) ? UInt8(part, radix: 16) : nil
        }
        return parts.count == 6 && bytes.count == 6 ? bytes : nil
    }
}
