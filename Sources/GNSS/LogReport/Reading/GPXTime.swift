internal import LocationModel

/// Parsing of times in GPX files. GPX requires xsd:dateTime in UTC, where the zone may be left out; apps also write
/// other forms.
enum GPXTime {
    /// Returns the milliseconds since 1970 of a time, or `nil` if the text has another form. A time consists of a date,
    /// `T` or a blank, hours, minutes, optional seconds with an optional fraction after a point or a comma, and an
    /// optional zone. A zone is `Z`, `UTC`, `GMT`, or an offset with or without a colon and minutes, possibly followed
    /// by the name of the zone in brackets. Hour 24 is the beginning of the next day.
    static func milliseconds(_ text: String) -> Int64? {
        var rest = Substring(text.filter { $0 != "\r" && $0 != "\n" })
        rest = trimmed(rest)
        // The name of a zone means nothing without an offset.
        if let bracket = rest.firstIndex(of: "[") {
            let isUTC = ["[UTC]", "[Z]", "[GMT]", "[UTC", "[Z", "[GMT"].contains(String(rest[bracket...]))
            rest = trimmed(rest[..<bracket])
            if zone(of: rest).digits == rest, !isUTC { return nil }
        }
        let (digits, zone) = zone(of: rest)
        guard let zone, let (time, days) = canonical(digits) else { return nil }
        return Timestamp(time + zone).map { $0.millisecondsSince1970 + days * 86_400_000 }
    }

    private static func trimmed(_ text: Substring) -> Substring {
        let beginning = text.drop { $0 == " " }
        return beginning.dropLast(beginning.reversed().prefix { $0 == " " }.count)
    }

    /// Returns a time without its zone, and the zone as in RFC 3339, or `nil` for a zone that cannot be read.
    private static func zone(of text: Substring) -> (digits: Substring, zone: String?) {
        for name in ["Z", "z", "UTC", "GMT"] where text.hasSuffix(name) {
            return (trimmed(text.dropLast(name.count)), "Z")
        }
        // After the date, a minus belongs to an offset.
        guard let sign = text.dropFirst(10).lastIndex(where: { $0 == "+" || $0 == "-" }) else { return (text, "Z") }
        let digits = text[text.index(after: sign)...].filter { $0 != ":" }
        guard digits.allSatisfy(\.isNumber), digits.count == 2 || digits.count == 4 else { return (text, nil) }
        return (
            trimmed(text[..<sign]), "\(text[sign])\(digits.prefix(2)):\(digits.count == 4 ? digits.suffix(2) : "00")"
        )
    }

    /// Returns the date and time of day as in RFC 3339, and the number of days to add.
    private static func canonical(_ text: Substring) -> (String, days: Int64)? {
        guard text.count >= 16 else { return nil }
        let date = text.prefix(10)
        var time = text.dropFirst(11)
        var fraction = ""
        if let point = time.firstIndex(where: { $0 == "." || $0 == "," }) {
            fraction = String(time[time.index(after: point)...])
            time = time[..<point]
        }
        if time.count == 5 { time += ":00" }
        guard fraction.allSatisfy(\.isNumber) else { return nil }
        if !fraction.isEmpty { fraction = "." + fraction }
        let separator = text.dropFirst(10).first == " " ? "T" : String(text.dropFirst(10).prefix(1))
        guard time == "24:00:00", fraction.allSatisfy({ $0 == "0" || $0 == "." }) else {
            return ("\(date)\(separator)\(time)\(fraction)", 0)
        }
        return ("\(date)\(separator)00:00:00", 1)
    }
}
