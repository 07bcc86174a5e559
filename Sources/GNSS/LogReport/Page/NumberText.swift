internal import LocationModel

/// Numbers as text for readers, with their units.
enum NumberText {
    /// Returns a number with this number of digits, 0...6, after the decimal point.
    static func fixed(_ value: Double, _ digits: Int) -> String {
        guard let number = RoundedNumber(value, decimals: digits, maximumDigits: 15) else {
            return value.isFinite ? "\(value)" : "–"
        }
        return (number.isNegative ? "−" : "") + count(number.whole) + number.fraction
    }

    /// Returns a number with thin spaces between groups of three digits if it has at least five digits.
    static func count(_ value: UInt64) -> String {
        let digits = Array(String(value))
        guard digits.count > 4 else { return String(digits) }
        var text = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index) % 3 == 0 { text.append("\u{202F}") }
            text.append(digit)
        }
        return text
    }

    /// Returns a length with three significant digits: `0.42 m`, `12.3 m`, `4.56 km`.
    static func length(_ metres: Double) -> String {
        metres == 0 ? "0 m" : metres < 999.5 ? significant(metres) + " m" : significant(metres / 1000) + " km"
    }

    /// Returns a number with three significant digits and at most two decimals.
    static func significant(_ value: Double) -> String {
        let magnitude = value.magnitude
        return fixed(value, magnitude < 9.995 ? 2 : magnitude < 99.95 ? 1 : 0)
    }

    /// Returns a duration with its two greatest units: `0.2 s`, `45 s`, `2 min 5 s`, `3 h 20 min`, `2 d 4 h`.
    static func duration(_ milliseconds: Int64) -> String {
        guard milliseconds >= 60_000 else {
            let seconds = Double(milliseconds) / 1000
            return (milliseconds % 1000 == 0 ? fixed(seconds, 0) : significant(seconds)) + " s"
        }
        let seconds = milliseconds / 1000
        let units: [(Int64, String)] = [(86_400, "d"), (3600, "h"), (60, "min"), (1, "s")]
        let first = units.firstIndex { seconds >= $0.0 }!
        let (size, name) = units[first]
        let text = "\(seconds / size) \(name)"
        guard first + 1 < units.count, case let rest = seconds % size / units[first + 1].0, rest > 0 else {
            return text
        }
        return "\(text) \(rest) \(units[first + 1].1)"
    }

    /// Returns a share of a whole in percent.
    static func share(_ part: UInt64, of whole: UInt64) -> String {
        whole == 0 ? "–" : fixed(100 * Double(part) / Double(whole), 0) + " %"
    }

    /// Returns a place in degrees to the decimetre.
    static func place(_ latitude: Double, _ longitude: Double) -> String {
        "\(fixed(latitude, 6))°, \(fixed(longitude, 6))°"
    }
}

/// The times of a log as text: in UTC, or as times of day if the log has no date.
struct TimeText {
    /// The difference between the time since 1970 and the log's clock, in milliseconds, or `nil` if the log has no
    /// date.
    let dateOffset: Int64?

    /// Returns the time in milliseconds since 1970, or since the beginning of the first day if the log has no date.
    func milliseconds(_ time: Int64) -> Int64 { time + (dateOffset ?? 0) }

    /// Returns a time to the second: `2026-11-21 09:30:00`.
    func second(_ time: Int64) -> String {
        let text = Timestamp(millisecondsSince1970: milliseconds(time)).description
        let clock = String(text.dropFirst(11).prefix(8))
        return dateOffset == nil ? clock : text.prefix(10) + " " + clock
    }

    /// Returns a time to the second as an element of the page, including the moment if it is known.
    func element(_ time: Int64) -> String { element(time, text: second(time)) }

    /// Returns this text for a time as an element of the page.
    func element(_ time: Int64, text: String) -> String {
        dateOffset == nil ? text : "<time data-at=\"\(milliseconds(time))\">\(text)</time>"
    }

    /// The name of the time zone as an element of the page. The script changes it together with the times.
    var zone: String { dateOffset == nil ? "UTC" : "<span class=\"zone\">UTC</span>" }

    /// Returns a time of day.
    ///
    /// - Parameter step: The distance to neighbouring times in milliseconds, which determines the number of digits.
    func tick(_ time: Int64, step: Int64) -> String {
        let milliseconds = milliseconds(time)
        let text = Timestamp(millisecondsSince1970: milliseconds).description
        let isMidnight = milliseconds % 86_400_000 == 0
        if isMidnight, dateOffset != nil, step >= 60_000 { return String(text.dropFirst(5).prefix(5)) }
        return String(text.dropFirst(11).prefix(step < 1000 ? 10 : step < 60_000 ? 8 : 5))
    }
}
