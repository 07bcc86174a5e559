internal import LocationModel
internal import LocationProtocol

/// Writes what a stream brings to standard output, each update at once.
protocol UpdateWriter: Sendable {
    /// What stands before the first update.
    func begin()
    func write(_ update: Update) throws
    /// What stands after the last one, also when it was interrupted.
    func end()
}

extension UpdateWriter {
    func begin() {}
    func end() {}
}

/// A line of JSON an update, as the interface has it.
struct JSONUpdateWriter: UpdateWriter {
    func write(_ update: Update) throws { Terminal.writeOutput(try JSONOutput.line(update)) }
}

/// A line a location for people, its columns aligned; other events as a remark on standard error.
struct TextUpdateWriter: UpdateWriter {
    func begin() {
        guard Terminal.isOutputTerminal else { return }
        Terminal.writeOutput(
            "TIME (UTC)            LATITUDE     LONGITUDE   ACCURACY   ALTITUDE      SPEED   COURSE  RECEIVER\n")
    }

    func write(_ update: Update) {
        guard let location = update.location, update.event == .location else {
            return Terminal.writeError("\(remark(update))\n")
        }
        Terminal.writeOutput(Self.line(location))
    }

    /// One location, with its line end.
    static func line(_ location: Location) -> String {
        var line =
            location.timestamp.timeOfDay
            + Columns.text(
                Columns.place(location.latitude, location.longitude, location.horizontalAccuracy) + [
                    (Decimal.text(location.altitude, digits: 1, unit: " m"), 9),
                    (Decimal.text(location.speed, digits: 1, unit: " m/s"), 9),
                    (Decimal.direction(location.course, digits: 0), 7),
                ])
        if let receiver = location.receiver { line += "  " + Terminal.printable(receiver) }
        return line + (location.simulated ? " (simulated)" : "") + "\n"
    }

    private func remark(_ update: Update) -> String {
        switch update.event {
        case .location: "a location without a place"
        case .paused: "paused: the device is at rest" + at(update.location) + "; --no-pauses goes on all the same"
        case .resumed: "resumed: the device moves again"
        case .suspended: "suspended: this program is in the background now, where it gets nothing (see --background)"
        case .unsuspended: "unsuspended: this program is in use again"
        case .receiverLost: "no receiver gives a location; waiting (see `locationctl receivers`)"
        case .receiverFound: "a receiver gives a location again"
        case .authorizationChanged: "the authorization changed: \(update.authorization?.status.rawValue ?? "unknown")"
        }
    }

    /// Where the device paused, and since when.
    private func at(_ location: Location?) -> String {
        guard let location else { return "" }
        let latitude = Decimal.text(location.latitude, digits: 6, unit: "°")
        let longitude = Decimal.text(location.longitude, digits: 6, unit: "°")
        let accuracy = location.horizontalAccuracy.map { " " + Decimal.accuracy($0) } ?? ""
        return " at \(latitude), \(longitude)\(accuracy), \(location.timestamp.timeOfDay)"
    }
}

/// Comma-separated values, RFC 4180, with a header line; an unknown value is empty.
struct CSVUpdateWriter: UpdateWriter {
    func begin() { Terminal.writeOutput(CSVRow.header) }

    func write(_ update: Update) {
        if update.event == .location, let location = update.location { Terminal.writeOutput(CSVRow.text(location)) }
    }
}

/// A GPX 1.1 track.
struct GPXUpdateWriter: UpdateWriter {
    func begin() { Terminal.writeOutput(GPXTrack.beginning) }

    func write(_ update: Update) {
        if update.event == .location, let location = update.location { Terminal.writeOutput(GPXTrack.point(location)) }
    }

    func end() { Terminal.writeOutput(GPXTrack.ending) }
}
