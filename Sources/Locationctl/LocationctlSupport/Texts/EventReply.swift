package import LocationModel
internal import LocationProtocol

/// A reply that `watch` prints as one line.
package protocol EventReply: Encodable {
    /// Returns the heading above the lines on a terminal, with its line end.
    static func columns(_ time: LocalTime, _ now: Timestamp) -> String
    /// Returns the line for users, with its line end, or `nil` at the end of the stream.
    func line(_ time: LocalTime) -> String?
}

extension MonitorVisits.Reply: EventReply {
    static func columns(_ time: LocalTime, _ now: Timestamp) -> String {
        let times =
            Columns.left(time.heading("ARRIVAL", [now]), 21) + Columns.left(time.heading("DEPARTURE", [now]), 19)
        return times + "      LATITUDE      LONGITUDE   ACCURACY\n"
    }

    func line(_ time: LocalTime) -> String? {
        guard let visit else { return nil }
        let departure = visit.departure.map(time.second) ?? Columns.left("not yet", 19)
        return time.second(visit.arrival) + "  " + departure
            + Columns.text(Columns.place(visit.latitude, visit.longitude, visit.horizontalAccuracy)) + "\n"
    }
}

extension MonitorRegions.Reply: EventReply {
    static func columns(_ time: LocalTime, _ now: Timestamp) -> String {
        Columns.left(time.heading("TIME", [now]), 14) + "STATE        LATITUDE      LONGITUDE   ACCURACY  REGION\n"
    }

    /// The line, with the time and position of the fix that revealed a crossing; both are empty if nothing was crossed.
    func line(_ time: LocalTime) -> String? {
        guard let event else { return nil }
        let time = Columns.left(event.location.map { time.timeOfDay($0.timestamp) } ?? "", 12)
        let state = event.state.rawValue
        let place =
            event.location.map { Columns.place($0.latitude, $0.longitude, $0.horizontalAccuracy) }
            ?? [("", 12), ("", 13), ("", 9)]
        return time + "  " + Columns.left(state, 7) + Columns.text(place) + "  "
            + Terminal.printable(event.identifier) + "\n"
    }
}

extension MonitorHeading.Reply: EventReply {
    static func columns(_ time: LocalTime, _ now: Timestamp) -> String {
        Columns.left(time.heading("TIME", [now]), 16) + "MAGNETIC      TRUE  ACCURACY\n"
    }

    func line(_ time: LocalTime) -> String? {
        guard let heading else { return nil }
        let accuracy = heading.accuracy.map { "±" + Decimal.text($0, digits: 1, unit: "°") } ?? ""
        var line =
            time.timeOfDay(heading.timestamp)
            + Columns.text([
                (Decimal.direction(heading.magneticHeading, digits: 1), 10),
                (Decimal.direction(heading.trueHeading, digits: 1), 8), (accuracy, 8),
            ])
        while line.last == " " { line.removeLast() }
        return line + "\n"
    }
}
