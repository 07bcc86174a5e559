extension Sentence {
    /// Milliseconds since midnight from `hhmmss` or `hhmmss.sss`; digits beyond the millisecond are cut off.
    ///
    /// Second 60 is told as 59.999: a leap second has no time of its own in POSIX time, and a receiver that rounds
    /// 59.9995 up to 60 is thus right to the millisecond.
    @inline(__always)
    func time(_ field: Int, _ bytes: RawSpan) -> Int32? {
        let length = length(field)
        guard length >= 6 else { return nil }
        let start = start(field)
        guard let whole = EightDigits(bytes.word(at: start), length: 6), whole.decimals < 0 else { return nil }
        let hhmmss = Int32(truncatingIfNeeded: whole.value)
        let hour = hhmmss / 10_000
        let minute = hhmmss / 100 % 100
        let second = hhmmss % 100
        guard hour < 24, minute < 60, second <= 60 else { return nil }
        var milliseconds: Int32 = 0
        if length > 6 {
            guard bytes.byte(at: start &+ 6) == UInt8(ascii: ".") else { return nil }
            if length > 7 {
                let digits = min(length &- 7, 3)
                guard let fraction = EightDigits(bytes.word(at: start &+ 7), length: digits), fraction.decimals < 0
                else { return nil }
                milliseconds = Int32(truncatingIfNeeded: fraction.value)
                if digits == 1 { milliseconds &*= 100 } else if digits == 2 { milliseconds &*= 10 }
            }
        }
        if second == 60 { return (hour &* 3600 &+ minute &* 60 &+ 59) &* 1000 &+ 999 }
        return (hour &* 3600 &+ minute &* 60 &+ second) &* 1000 &+ milliseconds
    }

    /// The position in four fields from `field` on: latitude, `N` or `S`, longitude, `E` or `W`.
    @inline(__always)
    func position(_ field: Int, _ bytes: RawSpan) -> Position {
        guard length(field) > 0, length(field &+ 2) > 0 else { return .absent }
        let latitude = coordinate(field, UInt8(ascii: "N"), UInt8(ascii: "S"), bytes)
        let longitude = coordinate(field &+ 2, UInt8(ascii: "E"), UInt8(ascii: "W"), bytes)
        guard let latitude, let longitude else { return .unreadable }
        guard abs(latitude) <= 90 * 60_000_000_000, abs(longitude) <= 180 * 60_000_000_000 else { return .outOfRange }
        return .valid(Coordinate(nanominutes: latitude), Coordinate(nanominutes: longitude))
    }

    /// `dddmm.mmmm` and the hemisphere's letter in the next field, as billionths of a minute.
    @inline(__always)
    private func coordinate(_ field: Int, _ positive: UInt8, _ negative: UInt8, _ bytes: RawSpan) -> Int64? {
        let number = Self.unsigned(at: start(field), length: length(field), bytes)
        guard number.scale >= 0 else { return nil }
        let hemisphere = letter(field &+ 1, bytes)
        guard hemisphere == positive || hemisphere == negative else { return nil }
        let unit = FixedPoint.powersOfTen(number.scale)
        let whole = UInt64(truncatingIfNeeded: number.mantissa) / UInt64(truncatingIfNeeded: unit)
        let fraction = number.mantissa &- Int64(truncatingIfNeeded: whole) &* unit
        let degrees = Int64(truncatingIfNeeded: whole / 100)
        let minutes = Int64(truncatingIfNeeded: whole % 100)
        // Minutes from 60 on are on no globe; so is more than 999 degrees, which would overflow below.
        guard minutes < 60, degrees < 1000 else { return 1 &<< 60 }
        let nano =
            number.scale <= 9
            ? fraction &* FixedPoint.powersOfTen(9 &- number.scale)
            : fraction / FixedPoint.powersOfTen(number.scale &- 9)
        let value = (degrees &* 60 &+ minutes) &* 1_000_000_000 &+ nano
        return hemisphere == negative ? 0 &- value : value
    }
}

/// What a sentence says about the place.
enum Position {
    case absent
    case unreadable
    case outOfRange
    case valid(Coordinate, Coordinate)
}
