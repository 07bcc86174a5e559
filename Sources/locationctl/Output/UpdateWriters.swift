internal import Authorization
internal import LocationProtocol
internal import Positioning

/// Writes what a stream brings to standard output, each update at once.
protocol UpdateWriter {
    /// What stands before the first update.
    mutating func begin()
    mutating func write(_ update: Update) throws
    /// What stands after the last one, also when it was interrupted.
    mutating func end()
}

extension UpdateWriter {
    mutating func begin() {}
    mutating func end() {}
}

/// A line of JSON an update, as the interface has it.
struct JSONUpdateWriter: UpdateWriter {
    mutating func write(_ update: Update) throws { Terminal.writeOutput(try JSONOutput.line(update)) }
}

/// A line a location for people, its columns aligned; other events as a remark on standard error.
struct TextUpdateWriter: UpdateWriter {
    mutating func begin() {
        guard Terminal.isOutputTerminal else { return }
        Terminal.writeOutput(
            "TIME (UTC)            LATITUDE     LONGITUDE   ACCURACY   ALTITUDE      SPEED   COURSE  RECEIVER\n")
    }

    mutating func write(_ update: Update) {
        guard let location = update.location, update.event == .location else {
            return Terminal.writeError("\(remark(update))\n")
        }
        Terminal.writeOutput(Self.line(location))
    }

    /// One location, with its line end.
    static func line(_ location: Location) -> String {
        let cells: [(text: String, width: Int)] = [
            (Decimal.text(location.latitude, digits: 6, unit: "°"), 12),
            (Decimal.text(location.longitude, digits: 6, unit: "°"), 13),
            (Decimal.accuracy(location.horizontalAccuracy), 9),
            (Decimal.text(location.altitude, digits: 1, unit: " m"), 9),
            (Decimal.text(location.speed, digits: 1, unit: " m/s"), 9),
            (Decimal.text(location.course, digits: 0, unit: "°"), 7),
        ]
        let time = location.timestamp.description.dropFirst(11).dropLast(1)
        var line = time + " "
        for (text, width) in cells {
            line += "  " + String(repeating: " ", count: max(0, width - text.count)) + text
        }
        if let receiver = location.receiver { line += "  " + Terminal.printable(receiver) }
        return line + (location.simulated ? " (simulated)" : "") + "\n"
    }

    private func remark(_ update: Update) -> String {
        switch update.event {
        case .receiverLost: "no receiver gives a location; waiting (see `locationctl receivers`)"
        case .receiverFound: "a receiver gives a location again"
        case .authorizationChanged: "the authorization changed: \(update.authorization?.status.rawValue ?? "unknown")"
        default: update.event.rawValue
        }
    }
}

/// Comma-separated values, RFC 4180, with a header line; an unknown value is empty.
struct CSVUpdateWriter: UpdateWriter {
    mutating func begin() { Terminal.writeOutput(CSVRow.header) }

    mutating func write(_ update: Update) {
        if update.event == .location, let location = update.location { Terminal.writeOutput(CSVRow.text(location)) }
    }
}

/// A GPX 1.1 track.
struct GPXUpdateWriter: UpdateWriter {
    mutating func begin() { Terminal.writeOutput(GPXTrack.beginning) }

    mutating func write(_ update: Update) {
        if update.event == .location, let location = update.location { Terminal.writeOutput(GPXTrack.point(location)) }
    }

    mutating func end() { Terminal.writeOutput(GPXTrack.ending) }
}
