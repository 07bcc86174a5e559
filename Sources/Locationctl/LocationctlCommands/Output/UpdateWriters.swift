internal import ArgumentParser
internal import LocationModel
internal import LocationProtocol
internal import LocationctlSupport

/// A writer of a stream's updates to standard output, as they arrive.
protocol UpdateWriter: Sendable {
    /// Writes the text before the first update.
    mutating func begin() throws
    mutating func write(_ update: Update) throws
    /// Writes the text after the last update, even after an interruption.
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
/// terminal, a line fits the window, the headings are repeated after each screenful, and a map of the accuracy is below
/// the last line.
struct TextUpdateWriter: UpdateWriter {
    private var map = AccuracyMapLine.ofOutput
    private var headings = RepeatedHeadings()
    private let capabilities = TerminalCapabilities.current
    private let time: LocalTime

    /// Creates a writer with a time zone for a terminal.
    init(_ time: LocalTime) {
        self.time = Terminal.isOutputTerminal ? time : .utc
    }

    mutating func begin() throws {
        guard Terminal.isOutputTerminal else { return }
        try Terminal.writeOutput(headings.next(TerminalWindow.outputSize, time, at: AgentEvents.now).heading)
    }

    mutating func write(_ update: Update) throws {
        guard let location = update.location, update.event == .location else {
            try Terminal.writeOutput(map?.cleared() ?? "")
            return Terminal.writeError("\(remark(update))\n")
        }
        guard Terminal.isOutputTerminal else { return try Terminal.writeOutput(LocationColumns.all.line(location)) }
        let window = TerminalWindow.outputSize
        let next = headings.next(window, time, at: location.timestamp)
        headings.didWriteLine()
        try Terminal.writeOutput(
            (map?.cleared() ?? "") + next.heading + capabilities.text(next.columns.line(location))
                + (map?.shown(location.horizontalAccuracy, columns: window.columns) ?? ""))
    }

    mutating func end() throws { try Terminal.writeOutput(map?.cleared() ?? "") }

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
        case .authorizationChanged:
            "the authorization changed: \(update.authorization.map { DecisionText.words($0.status) } ?? "unknown")"
        }
    }

    /// Returns the place and time of a pause, or nothing if there is no location.
    private func at(_ location: Location?) -> String {
        guard let location else { return "" }
        let latitude = Decimal.degrees(location.latitude, accuracy: location.horizontalAccuracy)
        let longitude = Decimal.degrees(location.longitude, accuracy: location.horizontalAccuracy)
        let accuracy = location.horizontalAccuracy.map { " " + Decimal.accuracy($0) } ?? ""
        let time = "\(time.timeOfDay(location.timestamp)) \(time.name(at: location.timestamp))"
        return capabilities.text(" at \(latitude), \(longitude)\(accuracy), \(time)")
    }
}

/// The headings above the locations on a terminal. They are repeated after each screenful, and when the window or the
/// time zone changes.
struct RepeatedHeadings {
    private var columns: LocationColumns?
    private var header = ""
    private var lines = 0

    /// Returns the columns for a location at a time, and the headings before it, if any.
    mutating func next(
        _ window: (columns: Int, rows: Int), _ time: LocalTime, at now: Timestamp
    ) -> (columns: LocationColumns, heading: String) {
        let fitting = LocationColumns(fitting: window.columns, time)
        let fittingHeader = fitting.header(at: now)
        // The headings, the map and the shell's prompt below it have a line each.
        guard fitting != columns || fittingHeader != header || lines >= max(5, window.rows - 3) else {
            return (fitting, "")
        }
        (columns, header, lines) = (fitting, fittingHeader, 0)
        return (fitting, header)
    }

    mutating func didWriteLine() { lines += 1 }
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

    /// Returns the writer of this format. `time` is the time zone for users.
    func writer(_ time: LocalTime) -> any UpdateWriter {
        switch self {
        case .text: TextUpdateWriter(time)
        case .json: JSONUpdateWriter()
        case .csv: CSVUpdateWriter()
        case .gpx: GPXUpdateWriter()
        }
    }
}
