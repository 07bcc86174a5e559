/// The calendar and the clock's arithmetic. All days are Gregorian and UTC.
enum Calendar {
    static let millisecondsPerDay: Int64 = 86_400_000

    /// Returns the days from 1970-01-01, or `nil` if the day does not exist.
    static func days(year: Int, month: Int, day: Int) -> Int32? {
        guard (1...12).contains(month), day >= 1, (1970...2200).contains(year) else { return nil }
        let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let lengths: InlineArray<12, Int> = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        guard day <= lengths[month - 1] else { return nil }
        // Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms": days_from_civil.
        let y = month <= 2 ? year - 1 : year
        let era = y / 400
        let yearOfEra = y - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return Int32(truncatingIfNeeded: era * 146_097 + dayOfEra - 719_468)
    }

    /// Returns the date `days` days after 1970-01-01.
    static func date(_ days: Int32) -> (year: Int, month: Int, day: Int) {
        // Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms": civil_from_days.
        let shifted = Int(days) + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let m = (5 * dayOfYear + 2) / 153
        let month = m < 10 ? m + 3 : m - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * m + 2) / 5 + 1)
    }

    /// Returns the days from 1970-01-01 for `ddmmyy`. Two-digit years from 80 on belong to the twentieth century: GPS
    /// time starts in 1980.
    static func days(ddmmyy: Int) -> Int32? {
        let year = ddmmyy % 100
        return days(year: year >= 80 ? 1900 + year : 2000 + year, month: ddmmyy / 100 % 100, day: ddmmyy / 10_000)
    }

    /// Returns the milliseconds from `earlier` to `later`, two times of day, in the shorter direction: within ±12
    /// hours.
    @inline(__always)
    static func difference(_ later: Int32, _ earlier: Int32) -> Int32 {
        let difference = later &- earlier
        if difference > 43_200_000 { return difference &- 86_400_000 }
        if difference < -43_200_000 { return difference &+ 86_400_000 }
        return difference
    }

    /// Returns whether two time stamps belong to the same epoch. Receivers write the same moment with different numbers
    /// of digits, and some with an error of a few milliseconds. Epochs at 50 Hz are still distinct.
    @inline(__always)
    static func sameMoment(_ a: Int32, _ b: Int32) -> Bool {
        abs(difference(a, b)) < 10
    }
}
