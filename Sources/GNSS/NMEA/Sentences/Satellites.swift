// GSA, GSV: the satellites.

extension NMEADecoder {
    /// Reads GSA: selection mode, dimension (1 none, 2 two, 3 three), numbers of the satellites used (3...14),
    /// PDOP, HDOP, VDOP and, since NMEA 4.10, the system. Some receivers have room for 24 satellites; the dilutions
    /// then come later.
    @inline(__always)
    mutating func readGSA(_ s: Sentence, _ bytes: RawSpan, _ talker: Talker) -> Reading {
        let isFirst = draft.parts.count(.gsa) == 0
        guard joinUntimed(.gsa, talker) else { return .nothing }
        let count = s.count
        let dilutions = count > 19 ? count &- 3 : 15
        if isFirst { sky.beginUsed() }
        let dimension = s.letter(2, bytes) &- UInt8(ascii: "0")
        guard dimension == 2 || dimension == 3 else { return .part(.gsa) }
        draft.dimension = max(draft.dimension, dimension)
        draft.sent.pdop = s.decimal(dilutions, bytes)
        if draft.sent.hdop.isNone { draft.sent.usedHDOP = s.decimal(dilutions &+ 1, bytes) }
        draft.sent.vdop = s.decimal(dilutions &+ 2, bytes)
        let system =
            count == 19
            ? SatelliteNumbering.system(id: s.letter(18, bytes)) : SatelliteNumbering.system(talker: talker)
        var fields = FieldCursor(s, at: 3)
        for _ in 3..<dilutions {
            let number = fields.next().small(bytes)
            if number > 0, let slot = SatelliteNumbering.slot(number, system) { sky.use(slot) }
        }
        return .part(.gsa)
    }

    /// Reads GSV: number of messages in the set, number of this message, number of satellites, then four fields per
    /// satellite (number, elevation, azimuth, signal strength) and, since NMEA 4.10, the signal.
    ///
    /// NMEA 0183 v4.11 recommends null fields for values that have not changed since the first message of a set. Such
    /// messages have the same total number of messages as the first one.
    @inline(__always)
    mutating func readGSV(_ s: Sentence, _ bytes: RawSpan, _ talker: Talker) -> Reading {
        let count = s.count
        guard count > 3, let message = s.integer(2, bytes),
            let total = s.integer(1, bytes) ?? sky.messages(of: talker, s.length(1))
        else {
            counts.malformed &+= 1
            return .nothing
        }
        guard device.admit(DeviceSelection.device(of: talker), position: nil) == .follow else {
            counts.otherDevices &+= 1
            return .nothing
        }
        let hasSignal = count & 3 == 1
        let signal = hasSignal ? s.letter(count &- 1, bytes) : 0
        let group = sky.beginMessage(message, of: total, talker, signal)
        let system = SatelliteNumbering.system(talker: talker)
        var fields = FieldCursor(s, at: 4)
        for _ in 0..<((count &- 4) &>> 2) {
            let (number, elevation, azimuth, strength) = (fields.next(), fields.next(), fields.next(), fields.next())
            guard let number = number.integer(bytes), let slot = SatelliteNumbering.slot(number, system) else {
                continue
            }
            sky.see(
                slot, group, elevation: elevation.rounded(bytes), azimuth: azimuth.rounded(bytes),
                tenths: strength.tenths(bytes))
        }
        return .nothing
    }
}

extension Field {
    /// Returns a number without its decimals, which are rare, or `nil` if the field is not a number.
    @inline(__always)
    fileprivate func rounded(_ bytes: RawSpan) -> Int? {
        let number = small(bytes)
        return number >= 0 ? number : length > 0 ? unusual(bytes, 1) : nil
    }

    /// Returns a number in tenths, or 0 if the field is not a number.
    @inline(__always)
    fileprivate func tenths(_ bytes: RawSpan) -> Int {
        let number = small(bytes)
        return number >= 0 ? number &* 10 : length > 0 ? unusual(bytes, 10) ?? 0 : 0
    }

    @inline(never)
    private func unusual(_ bytes: RawSpan, _ factor: Int64) -> Int? {
        let number = decimal(bytes)
        guard !number.isNone else { return nil }
        return Int(truncatingIfNeeded: number.mantissa &* factor / FixedPoint.powerOfTen(number.scale))
    }
}
