// UBX-NAV-SAT: u-blox M8 Receiver Description, "Satellite Information". UBX-NAV-SVINFO: u-blox 6 and 7 Receiver
// Descriptions, "Space Vehicle Information", and for the numbers M8's, "Satellite Numbering".

extension NMEADecoder {
    /// Reads NAV-SAT: the number of satellites (5), and for each of them twelve bytes: system, number, strength in
    /// dB-Hz, elevation, azimuth (4) and flags (8).
    ///
    /// The list is complete, so satellites of any system that are not in it are no longer in view.
    mutating func readSatellites(_ frame: UBXFrame, _ bytes: RawSpan) {
        guard device.admit(DeviceSelection.gnss, position: nil) == .follow else {
            counts.otherDevices &+= 1
            return
        }
        let count = min(Int(frame.number(5, bytes, as: UInt8.self)), (frame.length &- 8) / 12)
        sky.beginUsed()
        for number in 0...UBXSystem.navic.rawValue {
            if let system = UBXSystem(rawValue: number), system != .sbas { sky.beginList(system.talker) }
        }
        for index in 0..<count { readSatellite(frame, 8 &+ 12 &* index, bytes) }
    }

    /// Reads NAV-SVINFO, NAV-SAT's predecessor: the number of channels (4), and for each of them twelve bytes: channel,
    /// number (1), flags (2), quality, strength in dB-Hz (4), elevation and azimuth (6).
    mutating func readChannels(_ frame: UBXFrame, _ bytes: RawSpan) {
        guard device.admit(DeviceSelection.gnss, position: nil) == .follow else {
            counts.otherDevices &+= 1
            return
        }
        let count = min(Int(frame.number(4, bytes, as: UInt8.self)), (frame.length &- 8) / 12)
        sky.beginUsed()
        for number in 0...UBXSystem.navic.rawValue {
            if let system = UBXSystem(rawValue: number), system != .sbas { sky.beginList(system.talker) }
        }
        for index in 0..<count {
            let block = 8 &+ 12 &* index
            guard let (system, number) = UBXSystem.satellite(frame.number(block &+ 1, bytes)),
                let slot = SatelliteNumbering.slot(number, system.constellation)
            else { continue }
            sky.see(
                slot, sky.group(of: system.talker.code), elevation: Int(frame.number(block &+ 5, bytes, as: Int8.self)),
                azimuth: Int(frame.number(block &+ 6, bytes, as: Int16.self)),
                tenths: Int(frame.number(block &+ 4, bytes, as: UInt8.self)) &* 10)
            if frame.number(block &+ 2, bytes, as: UInt8.self) & 1 != 0 { sky.use(slot) }
        }
    }

    private mutating func readSatellite(_ frame: UBXFrame, _ block: Int, _ bytes: RawSpan) {
        guard let system = UBXSystem(rawValue: frame.number(block, bytes)),
            let slot = SatelliteNumbering.slot(
                Int(frame.number(block &+ 1, bytes, as: UInt8.self)), system.constellation)
        else { return }
        sky.see(
            slot, sky.group(of: system.talker.code), elevation: Int(frame.number(block &+ 3, bytes, as: Int8.self)),
            azimuth: Int(frame.number(block &+ 4, bytes, as: Int16.self)),
            tenths: Int(frame.number(block &+ 2, bytes, as: UInt8.self)) &* 10)
        if frame.number(block &+ 8, bytes, as: UInt32.self) & 8 != 0 { sky.use(slot) }
    }
}

/// The systems with their numbers in UBX ("GNSS identifiers").
private enum UBXSystem: UInt8 {
    case gps = 0
    case sbas = 1
    case galileo = 2
    case beidou = 3
    case qzss = 5
    case glonass = 6
    case navic = 7

    var constellation: Constellation {
        switch self {
        case .gps: .gps
        case .sbas: .sbas
        case .galileo: .galileo
        case .beidou: .beidou
        case .qzss: .qzss
        case .glonass: .glonass
        case .navic: .navic
        }
    }

    /// Returns the system and the number of a satellite in NAV-SVINFO, where all systems share one range of numbers, or
    /// `nil` if the number does not belong to a satellite.
    static func satellite(_ number: UInt8) -> (UBXSystem, Int)? {
        let number = Int(number)
        return switch number {
        case 1...32: (.gps, number)
        case 33...64: (.beidou, number - 27)
        case 65...96: (.glonass, number - 64)
        case 120...158: (.sbas, number)
        case 159...163: (.beidou, number - 158)
        case 193...202: (.qzss, number - 192)
        case 211...246: (.galileo, number - 210)
        default: nil
        }
    }

    /// The talker of GSV that lists the system's satellites. SBAS satellites are listed with GPS. If a receiver sends
    /// both, the satellites are the same.
    var talker: Talker {
        switch self {
        case .gps, .sbas: Talker(code: 0x50_47)
        case .galileo: Talker(code: 0x41_47)
        case .beidou: Talker(code: 0x42_47)
        case .qzss: Talker(code: 0x51_47)
        case .glonass: Talker(code: 0x4C_47)
        case .navic: Talker(code: 0x49_47)
        }
    }
}
