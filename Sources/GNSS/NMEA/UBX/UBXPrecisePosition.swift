// UBX-NAV-HPPOSLLH: ZED-F9P Interface Description, "High precision geodetic position solution".

/// The position of a NAV-PVT with more digits than that has: a receiver with corrections is right to a centimetre.
struct PrecisePosition {
    /// The greatest difference to the NAV-PVT of the same moment, which has fewer digits: 1e-6°.
    private static let tolerance: Int64 = 60_000

    /// The time of the GPS week, in milliseconds.
    let timeOfWeek: UInt32
    let latitude: Coordinate
    let longitude: Coordinate
    /// The height above the ellipsoid and the altitude above mean sea level, in tenths of a millimetre.
    let height: Int64
    let altitude: Int64
    let horizontalError: FixedPoint
    let verticalError: FixedPoint

    fileprivate func isNear(_ latitude: Coordinate, _ longitude: Coordinate) -> Bool {
        abs(self.latitude.nanominutes &- latitude.nanominutes) <= Self.tolerance
            && abs(self.longitude.nanominutes &- longitude.nanominutes) <= Self.tolerance
    }
}

extension NMEADecoder {
    /// Reads NAV-HPPOSLLH: the version (0), whether the position is invalid (3: bit 0), the time of the GPS week (4),
    /// longitude (8), latitude (12), height (16), altitude (20), their further digits (24, 25: 1e-9°; 26, 27: 0.1 mm),
    /// and accuracies in 0.1 mm (28, 32). Returns whether it belongs to the pending epoch.
    ///
    /// The frame follows the NAV-PVT of its epoch. One that precedes it counts, too.
    mutating func readPrecisePosition(_ frame: UBXFrame, _ bytes: RawSpan) -> Bool {
        let timeOfWeek = frame.number(4, bytes, as: UInt32.self)
        guard frame.number(0, bytes, as: UInt8.self) == 0, timeOfWeek < SplitSolution.millisecondsPerWeek else {
            return false
        }
        precise = frame.precisePosition(bytes, timeOfWeek: timeOfWeek)
        guard timeOfWeek == navigationTimeOfWeek else { return false }
        if draft.parts.count(.ubloxNavigation) > 0 {
            draft.note(.ubloxPrecise)
            return true
        }
        if endedParts.count(.ubloxPrecise) == 0 {
            // The end of the cycle was presumed too early.
            counts.lateSentences &+= 1
            cycleEnd.refute()
        }
        return false
    }

    /// Completes the digits of the pending epoch if its position comes from the NAV-PVT of the same moment.
    @inline(never)
    mutating func applyPrecisePosition() {
        guard let precise, precise.timeOfWeek == navigationTimeOfWeek, draft.positionPart == .ubloxNavigation,
            !datum.isShifted, precise.isNear(draft.latitude, draft.longitude)
        else { return }
        draft.latitude = precise.latitude
        draft.longitude = precise.longitude
        draft.sent.ellipsoidalAltitude = FixedPoint(mantissa: precise.height, scale: 4)
        draft.sent.altitude = FixedPoint(mantissa: precise.altitude, scale: 4)
        draft.sent.geoidSeparation = FixedPoint(mantissa: precise.height &- precise.altitude, scale: 4)
        if !precise.horizontalError.isNone { draft.horizontalError = precise.horizontalError }
        if !precise.verticalError.isNone { draft.verticalError = precise.verticalError }
    }
}

extension UBXFrame {
    /// Returns the position of a NAV-HPPOSLLH, or `nil` if it is invalid.
    fileprivate func precisePosition(_ bytes: RawSpan, timeOfWeek: UInt32) -> PrecisePosition? {
        let latitude = precise(12, 25, unit: 100, bytes)
        let longitude = precise(8, 24, unit: 100, bytes)
        guard number(3, bytes, as: UInt8.self) & 1 == 0, abs(latitude) <= 90_000_000_000,
            abs(longitude) <= 180_000_000_000
        else { return nil }
        return PrecisePosition(
            timeOfWeek: timeOfWeek, latitude: Coordinate(nanominutes: latitude &* 60),
            longitude: Coordinate(nanominutes: longitude &* 60), height: precise(16, 26, unit: 10, bytes),
            altitude: precise(20, 27, unit: 10, bytes), horizontalError: accuracy(28, bytes, decimals: 4),
            verticalError: accuracy(32, bytes, decimals: 4))
    }

    /// Returns a number whose further digits are at another offset, in units of `1 / unit`.
    private func precise(_ offset: Int, _ further: Int, unit: Int64, _ bytes: RawSpan) -> Int64 {
        Int64(number(offset, bytes, as: Int32.self)) &* unit &+ Int64(number(further, bytes, as: Int8.self))
    }
}
