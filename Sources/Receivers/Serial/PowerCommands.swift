/// The bytes that tell a receiver how often to give a fix, to stand by and to wake up.
struct PowerCommands {
    /// Milliseconds between fixes at the normal rate.
    static let normalInterval = 1000

    let power: ReceiverPower

    /// The interval nearest to `seconds` that the receiver can be told, in milliseconds: from 100 up to what its protocol
    /// has room for (CFG-RATE: 16 bits; PMTK220: 10 s). `nil`, and what is no number, is the normal one.
    func interval(seconds: Double?) -> Int {
        guard let seconds, !seconds.isNaN else { return Self.normalInterval }
        let longest: Double =
            switch power {
            case .ublox: 65_535
            case .mtk: 10_000
            }
        return Int(max(100, min(longest, (seconds * 1000).rounded())))
    }

    /// Wakes a receiver that stands by: what it is told while it wakes up is lost.
    var wake: [UInt8] {
        switch power {
        // Any edge on its RXD pin wakes it (u-blox M8 Receiver Description, "UBX-RXM-PMREQ"); 0xFF begins no message.
        case .ublox: [UInt8](repeating: 0xFF, count: 8)
        // Any byte does; this is the protocol's test message.
        case .mtk: Self.pmtk("PMTK000")
        }
    }

    /// Sets the interval between fixes, in milliseconds.
    func setInterval(milliseconds: Int) -> [UInt8] {
        switch power {
        case .ublox:
            // measRate, navRate 1, timeRef 1: GPS time.
            let rate = UInt16(clamping: milliseconds)
            return Self.ubx(0x06, 0x08, [UInt8(rate & 0xFF), UInt8(rate >> 8), 1, 0, 1, 0])
        case .mtk: return Self.pmtk("PMTK220,\(milliseconds)")
        }
    }

    /// Sends it to standby, out of which `wake` wakes it.
    var standBy: [UInt8] {
        switch power {
        // The 8-byte form, which u-blox 6 to M9 take: duration 0, for ever; flags 2, backup.
        case .ublox: Self.ubx(0x02, 0x41, [0, 0, 0, 0, 2, 0, 0, 0])
        case .mtk: Self.pmtk("PMTK161,0")
        }
    }

    /// A UBX frame: two sync bytes, class, identifier, length, payload and Fletcher's checksum of what stands between.
    private static func ubx(_ category: UInt8, _ identifier: UInt8, _ payload: [UInt8]) -> [UInt8] {
        let body = [category, identifier, UInt8(payload.count), 0] + payload
        var (a, b): (UInt8, UInt8) = (0, 0)
        for byte in body {
            a &+= byte
            b &+= a
        }
        return [0xB5, 0x62] + body + [a, b]
    }

    private static func pmtk(_ body: String) -> [UInt8] {
        var writer = SentenceWriter()
        writer.add(body)
        return writer.bytes
    }
}
