/// The dialects with frames of their own besides UBX.

/// CASIC's binary protocol, whose sentences are not answered (CASIC Multi-Mode Satellite Navigation Receiver Protocol).
struct CASICDialect: ReceiverDialect {
    let name = ReceiverProfile.Dialect.casic

    /// Any byte wakes it. The seconds are limited to 16 bits: 18 hours.
    let standby = [Standby(.sentence("PCAS12", [65_535]))]
    /// The version of its software in a TXT sentence, from memory. The answer to PCAS06 has it, too.
    let startText = ",SW="

    /// Reads the text `SW=URANUS5,V5.3.0.0`.
    static func identity(_ fields: [String]) -> (ReceiverIdentity, any ReceiverDialect)? {
        guard fields[0].hasSuffix("TXT"), fields.count > 4, fields[4].hasPrefix("SW=") else { return nil }
        let firmware = fields[4...].joined(separator: ",").dropFirst(3)
        return (ReceiverIdentity(.casic, maker: "CASIC", firmware: String(firmware)), CASICDialect())
    }

    func nearestInterval(to milliseconds: Int) -> Int { nearest(of: [1000, 500, 200], to: milliseconds) }

    /// CFG-RATE: the interval in 2 bytes, and 2 reserved. That it is asked for by an empty message is from memory.
    func exchanges(for wanted: WantedSetting) -> [Exchange] {
        guard case .interval(let milliseconds) = wanted else { return [] }
        return interval(
            milliseconds, read: .casic(0x06_04, []), 0x06_04,
            value: { message in
                guard case .casic(0x06_04, let payload) = message, payload.count == 4 else { return nil }
                return [payload.prefix(2).littleEndianNumber]
            },
            write: { .casic(0x06_04, UInt16(clamping: $0[0]).littleEndianBytes + [0, 0]) }, 0x06_04)
    }

    /// ACK and NAK: class and identifier of the command, and 2 reserved bytes.
    func verdict(in message: ReceiverMessage) -> Verdict? {
        guard case .casic(let kind, let payload) = message, kind == 0x05_01 || kind == 0x05_00, payload.count >= 2
        else { return nil }
        return Verdict(command: Int(payload[0]) << 8 | Int(payload[1]), isAccepted: kind == 0x05_01)
    }
}

/// SkyTraq's binary protocol (Application Note AN0003, "Binary Messages of SkyTraq Venus 6"). It has no standby that a
/// command ends.
struct SkyTraqDialect: ReceiverDialect {
    let name = ReceiverProfile.Dialect.skytraq

    /// Reads SOFTWARE VERSION: the number of the message, the kind, and three versions of 4 bytes.
    static func identity(_ payload: [UInt8]) -> (ReceiverIdentity, any ReceiverDialect)? {
        guard payload.count >= 14, payload[0] == 0x80 else { return nil }
        let firmware = payload[3...5].map { String($0) }.joined(separator: ".")
        return (ReceiverIdentity(.skytraq, maker: "SkyTraq", firmware: firmware), SkyTraqDialect())
    }

    private static let rates = [1, 2, 4, 5, 8, 10]

    func nearestInterval(to milliseconds: Int) -> Int {
        nearest(of: Self.rates.map { 1000 / $0 }, to: milliseconds)
    }

    /// The position update rate in hertz. Attribute 0: to RAM. The question and its answer, 0x10 and 0x86, are from
    /// memory.
    func exchanges(for wanted: WantedSetting) -> [Exchange] {
        guard case .interval(let milliseconds) = wanted else { return [] }
        return interval(
            milliseconds, read: .skytraq([0x10]), 0x10,
            value: { message in
                guard case .skytraq(let payload) = message, payload.count == 2, payload[0] == 0x86, payload[1] > 0
                else { return nil }
                return [1000 / Int(payload[1])]
            },
            write: { .skytraq([0x0E, UInt8(clamping: 1000 / max(1, $0[0])), 0]) }, 0x0E)
    }

    func verdict(in message: ReceiverMessage) -> Verdict? {
        guard case .skytraq(let payload) = message, payload.count == 2, payload[0] == 0x83 || payload[0] == 0x84
        else { return nil }
        return Verdict(command: Int(payload[1]), isAccepted: payload[0] == 0x83)
    }
}
