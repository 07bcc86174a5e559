/// The conversion of the satellite numbers in GSA and GSV to a constellation and a number within it.
///
/// NMEA 0183 v4.11, table "Satellite ID numbering": GPS 1-32, SBAS 33-64 for PRN 120-151, GLONASS 65-96 for slots 1-32.
/// Since v4.10, each system counts from 1 and the system id identifies the system. Before that, manufacturers invented
/// their own numbers: QZSS 193-202, Galileo 301-336, BeiDou 201-237 or 401-463 (gpsd, `nmeaid_to_prn`; u-blox M8
/// Receiver Description, "Satellite numbering"; Quectel L76 and SkyTraq application notes).
enum SatelliteNumbering {
    /// Returns the system of a talker, or `nil` for GN and other talkers that stand for several systems.
    static func system(talker: Talker) -> Constellation? {
        switch talker.code.byteSwapped {
        case 0x4750: .gps  // GP
        case 0x474C: .glonass  // GL
        case 0x4741: .galileo  // GA
        case 0x4742, 0x4244, 0x5051: .beidou  // GB, BD, PQ (Quectel's modems)
        case 0x4751, 0x515A: .qzss  // GQ, QZ
        case 0x4749, 0x494D: .navic  // GI, IM
        default: nil
        }
    }

    /// Returns the system with a GNSS system id of NMEA 4.10, or `nil` if the id is unknown.
    static func system(id: UInt8) -> Constellation? {
        switch id {
        case UInt8(ascii: "1"): .gps
        case UInt8(ascii: "2"): .glonass
        case UInt8(ascii: "3"): .galileo
        case UInt8(ascii: "4"): .beidou
        case UInt8(ascii: "5"): .qzss
        case UInt8(ascii: "6"): .navic
        default: nil
        }
    }

    /// Returns the slot of the satellite in `Sky`, or `nil` if the number does not belong to a satellite.
    @inline(__always)
    static func slot(_ number: Int, _ system: Constellation?) -> Int? {
        if number >= 1, number <= 32, system == .gps || system == nil { return slot(.gps, number) }
        return uncommonSlot(number, system)
    }

    private static func uncommonSlot(_ number: Int, _ system: Constellation?) -> Int? {
        switch (system, number) {
        case (.glonass, 1...32): slot(.glonass, number)
        case (.galileo, 1...63): slot(.galileo, number)
        case (.galileo, 211...246): slot(.galileo, number - 210)
        case (.beidou, 1...63): slot(.beidou, number)
        case (.beidou, 201...263): slot(.beidou, number - 200)
        case (.qzss, 1...10): slot(.qzss, number)
        case (.qzss, 193...202): slot(.qzss, number - 192)
        case (.navic, 1...15): slot(.navic, number)
        case (_, 33...64): slot(.sbas, number + 87)
        case (_, 65...99): slot(.glonass, number - 64)
        case (_, 120...158): slot(.sbas, number)
        case (_, 193...200): slot(.qzss, number - 192)
        case (_, 201...237): slot(.beidou, number - 200)
        case (_, 301...336): slot(.galileo, number - 300)
        case (_, 401...463): slot(.beidou, number - 400)
        default: nil
        }
    }

    private static func slot(_ constellation: Constellation, _ number: Int) -> Int {
        Int(constellation.rawValue) &* 64 &+ (constellation == .sbas ? number &- 100 : number)
    }

    static func satellite(slot: Int) -> (Constellation, Int)? {
        guard let constellation = Constellation(rawValue: UInt8(truncatingIfNeeded: slot / 64)) else { return nil }
        return (constellation, constellation == .sbas ? slot % 64 + 100 : slot % 64)
    }
}
