internal import SentenceWriting

/// The bytes that set a receiver's fix interval, send it to standby and wake it up.
struct PowerCommands {
    /// The interval at the normal rate, in milliseconds.
    static let normalInterval = 1000

    let power: ReceiverPower

    /// Returns the supported interval nearest to `seconds`, in milliseconds: at least 100, at most the protocol's limit
    /// (CFG-RATE: 16 bits; PMTK220: 10 s). `nil` and NaN stand for the normal interval.
    func interval(seconds: Double?) -> Int {
        guard let seconds, !seconds.isNaN else { return Self.normalInterval }
        let longest: Double =
            switch power {
            case .ublox: 65_535
            case .mtk: 10_000
            }
        return Int(max(100, min(longest, (seconds * 1000).rounded())))
    }

    /// The bytes that wake a receiver from standby. Commands sent while it wakes up are lost.
    var wake: [UInt8] {
        switch power {
        // Any edge on RXD wakes it (u-blox M8 Receiver Description, "UBX-RXM-PMREQ"). 0xFF does not begin a message.
        case .ublox: [UInt8](repeating: 0xFF, count: 8)
        // Any byte wakes it. This is the protocol's test message.
        case .mtk: Self.pmtk("PMTK000")
        }
    }

    /// Returns the command that sets the interval between fixes, in milliseconds.
    func setInterval(milliseconds: Int) -> [UInt8] {
        switch power {
        case .ublox:
            // measRate, navRate 1, timeRef 1: GPS time.
            let rate = UInt16(clamping: milliseconds)
            return Self.ubx(0x06, 0x08, [UInt8(rate & 0xFF), UInt8(rate >> 8), 1, 0, 1, 0])
        case .mtk: return Self.pmtk("PMTK220,\(milliseconds)")
        }
    }

    /// The command for standby. `wake` ends the standby.
    var standBy: [UInt8] {
        switch power {
        // The 8-byte form, which u-blox 6 to M9 accept: duration 0, unlimited; flags 2, backup.
        case .ublox: Self.ubx(0x02, 0x41, [0, 0, 0, 0, 2, 0, 0, 0])
        case .mtk: Self.pmtk("PMTK161,0")
        }
    }

    /// Returns a UBX frame: two sync bytes, class, identifier, length, payload, Fletcher checksum of class to payload.
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
