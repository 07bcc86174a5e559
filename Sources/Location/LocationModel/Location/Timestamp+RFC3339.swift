extension Timestamp: CustomStringConvertible, LosslessStringConvertible {
    /// The time in RFC 3339, in UTC with milliseconds: `2026-11-21T09:30:00.000Z`.
    ///
    /// Times outside the years 0...9999, which RFC 3339 cannot express, are clamped to this range.
    public var description: String {
        String(unsafeUninitializedCapacity: 24) { buffer in
            let text = rfc3339
            for i in 0..<24 { buffer[i] = text[i] }
            return 24
        }
    }

    /// The 24 ASCII bytes of ``description``.
    public var rfc3339: [24 of UInt8] {
        let first: Int64 = -62_167_219_200_000
        let last: Int64 = 253_402_300_799_999
        let clamped = min(max(millisecondsSince1970, first), last)
        let (day, inDay) = Timestamp(millisecondsSince1970: clamped).dayAndMillisecond
        let (year, month, dayOfMonth) = Timestamp.civil(daysSince1970: day)
        let seconds = inDay / 1000
        var text = [24 of UInt8](repeating: 0)
        var at = 0
        func put(_ value: Int64, digits: Int, then separator: Unicode.Scalar) {
            var rest = value
            for i in stride(from: digits - 1, through: 0, by: -1) {
                text[at + i] = UInt8(0x30 + rest % 10)
                rest /= 10
            }
            text[at + digits] = UInt8(ascii: separator)
            at += digits + 1
        }
        put(year, digits: 4, then: "-")
        put(month, digits: 2, then: "-")
        put(dayOfMonth, digits: 2, then: "T")
        put(seconds / 3600, digits: 2, then: ":")
        put(seconds / 60 % 60, digits: 2, then: ":")
        put(seconds % 60, digits: 2, then: ".")
        put(inDay % 1000, digits: 3, then: "Z")
        return text
    }

    /// Parses RFC 3339: a date, `T`, `t` or a space, a time with or without a fraction, and `Z`, `z` or an offset.
    /// Returns `nil` for anything else.
    ///
    /// Digits beyond the milliseconds are cut off. A second of 60 is the first moment of the next minute.
    public init?(_ text: String) {
        var rest = Array(text.utf8)[...]
        func number(_ digits: Int) -> Int64? {
            guard rest.count >= digits else { return nil }
            var value: Int64 = 0
            for byte in rest.prefix(digits) {
                guard (0x30...0x39).contains(byte) else { return nil }
                value = value * 10 + Int64(byte - 0x30)
            }
            rest = rest.dropFirst(digits)
            return value
        }
        func skip(_ allowed: String) -> Character? {
            guard let byte = rest.first, allowed.utf8.contains(byte) else { return nil }
            rest = rest.dropFirst()
            return Character(Unicode.Scalar(byte))
        }
        guard let year = number(4), skip("-") != nil, let month = number(2), skip("-") != nil, let day = number(2),
            skip("Tt ") != nil,
            let hour = number(2), skip(":") != nil, let minute = number(2), skip(":") != nil, let second = number(2),
            (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60, second <= 60
        else { return nil }
        var milliseconds: Int64 = 0
        if skip(".") != nil {
            var scale: Int64 = 100
            guard let digit = rest.first, (0x30...0x39).contains(digit) else { return nil }
            while let digit = number(1) {
                milliseconds += digit * scale
                scale /= 10
            }
        }
        var offsetMinutes: Int64 = 0
        if skip("Zz") == nil {
            guard let sign = skip("+-"), let hours = number(2), skip(":") != nil, let minutes = number(2),
                hours < 24, minutes < 60
            else { return nil }
            offsetMinutes = (hours * 60 + minutes) * (sign == "-" ? -1 : 1)
        }
        let days = Timestamp.days(year: year, month: month, day: day)
        guard rest.isEmpty, Timestamp.civil(daysSince1970: days).month == month else { return nil }
        let minutes = (days * 24 + hour) * 60 + minute - offsetMinutes
        self.init(millisecondsSince1970: (minutes * 60 + second) * 1000 + milliseconds)
    }
}

extension Timestamp: Codable {
    /// Decodes a string in the same way as ``init(_:)``.
    public init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let timestamp = Timestamp(text) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "not an RFC 3339 time stamp: \(text)"))
        }
        self = timestamp
    }

    /// Encodes ``description``.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

extension Timestamp {
    /// The days since 1970-01-01 and the milliseconds since midnight, in UTC.
    package var dayAndMillisecond: (day: Int64, millisecond: Int64) {
        millisecondsSince1970.quotientAndRemainderRoundingDown(dividingBy: 86_400_000)
    }

    /// Returns the proleptic Gregorian date of a day, counted from 1970-01-01.
    ///
    /// Source: Howard Hinnant, "chrono-compatible low-level date algorithms". Years begin in March, so that the leap
    /// day is the last day of its year, and 400 years are one cycle of 146,097 days.
    package static func civil(daysSince1970: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let (era, dayOfEra) = (daysSince1970 + 719_468).quotientAndRemainderRoundingDown(dividingBy: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * marchMonth + 2) / 5 + 1)
    }

    /// Returns the number of days from 1970-01-01 to a proleptic Gregorian date. The inverse of
    /// ``civil(daysSince1970:)``.
    static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
        let marchYear = month <= 2 ? year - 1 : year
        let (era, yearOfEra) = marchYear.quotientAndRemainderRoundingDown(dividingBy: 400)
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }
}

extension Int64 {
    /// Returns the quotient and the remainder, like `quotientAndRemainder(dividingBy:)`, except that the remainder is
    /// never negative. `divisor` is positive.
    fileprivate func quotientAndRemainderRoundingDown(dividingBy divisor: Int64) -> (Int64, Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
