internal import LocationModel

/// Numbers as text for users.
package enum Decimal {
    /// Returns a number with that many digits after the decimal point, or an empty string if there is none.
    package static func text(_ value: Double?, digits: Int, unit: String = "") -> String {
        guard let value, value.isFinite else { return "" }
        guard let number = RoundedNumber(value, decimals: digits, maximumDigits: 18) else { return "\(value)\(unit)" }
        return "\(number.isNegative ? "-" : "")\(number.whole)\(number.fraction)\(unit)"
    }

    /// Returns a direction in degrees, below 360 even after rounding.
    package static func direction(_ degrees: Double?, digits: Int) -> String {
        let text = text(degrees, digits: digits, unit: "°")
        return text == Self.text(360, digits: digits, unit: "°") ? Self.text(0, digits: digits, unit: "°") : text
    }

    /// Returns an accuracy, the radius of a circle in metres, as in `±4.2 m`, or with millimetres as in `±0.014 m`.
    package static func accuracy(_ metres: Double?) -> String {
        let text = text(metres, digits: isPrecise(metres) ? 3 : 1, unit: " m")
        return text.isEmpty ? "" : "±" + text
    }

    /// Returns a latitude or longitude to 0.1 m, or to a millimetre if its accuracy in metres calls for that.
    package static func degrees(_ degrees: Double, accuracy: Double?, unit: String = "°") -> String {
        text(degrees, digits: isPrecise(accuracy) ? 8 : 6, unit: unit)
    }

    private static func isPrecise(_ metres: Double?) -> Bool { metres.map { $0 < 0.1 } ?? false }
}

extension Timestamp {
    /// The date and the time to the minute, for a table's narrow column: `2026-11-21 09:30`.
    var minute: String { String(description.prefix(10) + " " + description.dropFirst(11).prefix(5)) }
    /// The date and the time to the second: `2026-11-21 09:30:00`.
    var second: String { String(description.prefix(10) + " " + description.dropFirst(11).prefix(8)) }
}
