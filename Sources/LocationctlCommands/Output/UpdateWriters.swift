internal import ArgumentParser
internal import LocationModel
internal import LocationProtocol

/// A writer of a stream's updates to standard output, each as it arrives.
protocol UpdateWriter: Sendable {
    /// Writes what precedes the first update.
    mutating func begin() throws
    mutating func write(_ update: Update) throws
    /// Writes what follows the last update, even after an interruption.
    mutating func end() throws
}

extension UpdateWriter {
    func begin() {}
    func end() {}
}

/// A writer of JSON: each update is one line, as in the interface.
struct JSONUpdateWriter: UpdateWriter {
    func write(_ update: Update) throws { try Terminal.writeOutput(JSONLine.line(update)) }
}

/// A writer of text for users: a line with aligned columns for each location. Other events go to standard error. On a
/// terminal, a map of the accuracy is below the last line.
struct TextUpdateWriter: UpdateWriter {
    private var map = AccuracyMapLine.ofOutput

    mutating func begin() throws {
        guard Terminal.isOutputTerminal else { return }
        try Terminal.writeOutput(
            "TIME (UTC)            LATITUDE     LONGITUDE   ACCURACY   ALTITUDE      SPEED   COURSE  RECEIVER\n")
    }

    mutating func write(_ update: Update) throws {
        guard let location = update.location, update.event == .location else {
            try Terminal.writeOutput(map?.cleared() ?? "")
            return Terminal.writeError("\(remark(update))\n")
        }
        let columns = TerminalWindow.outputSize.columns
        try Terminal.writeOutput(
            (map?.cleared() ?? "") + Self.line(location)
                + (map?.shown(location.horizontalAccuracy, columns: columns) ?? ""))
    }

    mutating func end() throws { try Terminal.writeOutput(map?.cleared() ?? "") }

    /// Returns the line for a location, with its line end.
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
        case .location: "an update without a location"
        case .paused:
            "paused: the device is stationary" + at(update.location) + "; use --no-pauses to continue anyway"
        case .resumed: "resumed: the device moves again"
        case .suspended:
            "suspended: this program is in the background now and gets no locations (see --background)"
        case .unsuspended: "unsuspended: this program is in use again"
        case .receiverLost: "no receiver has a fix; waiting (see `locationctl receivers`)"
        case .receiverFound: "a receiver has a fix again"
        case .authorizationChanged: "the authorization changed: \(update.authorization?.status.rawValue ?? "unknown")"
        }
    }

    /// Returns the place and time of a pause, or nothing if there is no location.
    private func at(_ location: Location?) -> String {
        guard let location else { return "" }
        let latitude = Decimal.text(location.latitude, digits: 6, unit: "°")
        let longitude = Decimal.text(location.longitude, digits: 6, unit: "°")
        let accuracy = location.horizontalAccuracy.map { " " + Decimal.accuracy($0) } ?? ""
        return " at \(latitude), \(longitude)\(accuracy), \(location.timestamp.timeOfDay)"
    }
}

/// A writer of comma-separated values (RFC 4180) with a header line. An unknown value is empty.
struct CSVUpdateWriter: UpdateWriter {
    func begin() throws { try Terminal.writeOutput(CSVRow.header) }

    func write(_ update: Update) throws {
        if update.event == .location, let location = update.location { try Terminal.writeOutput(CSVRow.text(location)) }
    }
}

/// A writer of a GPX 1.1 track.
struct GPXUpdateWriter: UpdateWriter {
    func begin() throws { try Terminal.writeOutput(GPXTrack.beginning) }

    func write(_ update: Update) throws {
        if update.event == .location, let location = update.location {
            try Terminal.writeOutput(GPXTrack.point(location))
        }
    }

    func end() throws { try Terminal.writeOutput(GPXTrack.ending) }
}

/// The output format of `watch`.
enum WatchFormat: EnumerableFlag {
    case text, json, csv, gpx

    static func name(for value: WatchFormat) -> NameSpecification { .long }

    /// The writer of this format.
    var writer: any UpdateWriter {
        switch self {
        case .text: TextUpdateWriter()
        case .json: JSONUpdateWriter()
        case .csv: CSVUpdateWriter()
        case .gpx: GPXUpdateWriter()
        }
    }
}
