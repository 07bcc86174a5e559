internal import LocationModel
internal import LocationProtocol

/// A reply that `watch` prints as one line.
protocol EventReply: Encodable {
    /// The heading above the lines on a terminal, with its line end.
    static var columns: String { get }
    /// The line for users, with its line end, or `nil` at the end of the stream.
    var line: String? { get }
}

extension MonitorVisits.Reply: EventReply {
    static var columns: String {
        "ARRIVAL (UTC)        DEPARTURE (UTC)          LATITUDE      LONGITUDE   ACCURACY\n"
    }

    var line: String? {
        guard let visit else { return nil }
        let departure = visit.departure?.second ?? "not yet            "
        return visit.arrival.second + "  " + departure
            + Columns.text(Columns.place(visit.latitude, visit.longitude, visit.horizontalAccuracy)) + "\n"
    }
}

extension MonitorRegions.Reply: EventReply {
    static var columns: String {
        "TIME (UTC)    STATE        LATITUDE      LONGITUDE   ACCURACY  REGION\n"
    }

    /// The line, with the time and position of the fix that revealed a crossing; both are empty if nothing was crossed.
    var line: String? {
        guard let event else { return nil }
        let time = event.location?.timestamp.timeOfDay ?? "            "
        let state = event.state.rawValue
        let place =
            event.location.map { Columns.place($0.latitude, $0.longitude, $0.horizontalAccuracy) }
            ?? [("", 12), ("", 13), ("", 9)]
        return time + "  " + state + String(repeating: " ", count: max(0, 7 - state.count)) + Columns.text(place) + "  "
            + Terminal.printable(event.identifier) + "\n"
    }
}

extension MonitorHeading.Reply: EventReply {
    static var columns: String { "TIME (UTC)      MAGNETIC      TRUE  ACCURACY\n" }

    var line: String? {
        guard let heading else { return nil }
        let accuracy = heading.accuracy.map { "±" + Decimal.text($0, digits: 1, unit: "°") } ?? ""
        var line =
            heading.timestamp.timeOfDay
            + Columns.text([
                (Decimal.direction(heading.magneticHeading, digits: 1), 10),
                (Decimal.direction(heading.trueHeading, digits: 1), 8), (accuracy, 8),
            ])
        while line.last == " " { line.removeLast() }
        return line + "\n"
    }
}
