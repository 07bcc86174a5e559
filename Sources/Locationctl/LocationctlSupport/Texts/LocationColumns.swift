package import LocationModel

/// The columns of a location on one line: as many as fit the window.
///
/// Time, place and accuracy are always shown. A narrow window leaves out the receiver first, then the course, the
/// altitude and the speed.
package struct LocationColumns: Equatable {
    private enum Measure: CaseIterable {
        case altitude, speed, course

        var heading: String {
            switch self {
            case .altitude: "ALTITUDE"
            case .speed: "SPEED"
            case .course: "COURSE"
            }
        }

        var width: Int {
            switch self {
            case .altitude: 8
            case .speed: 9
            case .course: 6
            }
        }

        func text(_ location: Location) -> String {
            switch self {
            case .altitude: Decimal.text(location.altitude, digits: 1, unit: " m")
            case .speed: Decimal.text(location.speed, digits: 1, unit: " m/s")
            case .course: Decimal.direction(location.course, digits: 0)
            }
        }
    }

    /// The width of the time: `09:30:00.000`.
    private static let timeWidth = 12
    /// The widths of `-89.123456°`, `-179.123456°` and `±5000.0 m`.
    private static let placeWidths = [11, 12, 9]
    /// The least useful width for a receiver's name.
    private static let leastReceiverWidth = 8

    private let measures: [Measure]
    private let time: LocalTime
    /// The width of the receiver's name; `nil` for any, 0 for none.
    private let receiverWidth: Int?

    /// All columns, of any width.
    package static let all = LocationColumns(measures: Measure.allCases, receiverWidth: nil, time: .utc)

    private init(measures: [Measure], receiverWidth: Int?, time: LocalTime) {
        (self.measures, self.receiverWidth, self.time) = (measures, receiverWidth, time)
    }

    /// Creates the columns for a window of this width.
    package init(fitting columns: Int, _ time: LocalTime = .utc) {
        var measures = Measure.allCases
        for measure in [Measure.course, .altitude, .speed] where Self.width(measures) > columns {
            measures.removeAll { $0 == measure }
        }
        let rest = columns - Self.width(Measure.allCases) - 2
        self.init(measures: measures, receiverWidth: rest >= Self.leastReceiverWidth ? rest : 0, time: time)
    }

    private static func width(_ measures: [Measure]) -> Int {
        timeWidth + (placeWidths + measures.map(\.width)).reduce(0) { $0 + 2 + $1 }
    }

    /// Returns the line with the headings for a location at a time, with its end.
    package func header(at now: Timestamp) -> String {
        let headings = ["LATITUDE", "LONGITUDE", "ACCURACY"] + measures.map(\.heading)
        let widths = Self.placeWidths + measures.map(\.width)
        let time = Columns.left(time.heading("TIME", [now]), Self.timeWidth)
        let cells = zip(headings, widths).map { (text: $0, width: $1) }
        return time + Columns.text(cells) + (receiverWidth == 0 ? "" : "  RECEIVER") + "\n"
    }

    /// Returns the line for a location, with its end.
    package func line(_ location: Location) -> String {
        let place = Columns.place(location.latitude, location.longitude, location.horizontalAccuracy).map(\.text)
        let widths = Self.placeWidths + measures.map(\.width)
        let cells = zip(place + measures.map { $0.text(location) }, widths).map { (text: $0, width: $1) }
        var receiver = location.receiver.map(Terminal.printable) ?? ""
        // The built-in receiver already has this name.
        if location.simulated, receiver != "simulated" { receiver += receiver.isEmpty ? "simulated" : " (simulated)" }
        if location.quality == .remembered { receiver += "(remembered)" }
        if location.doubts != nil { receiver += " (suspect)" }
        if let receiverWidth { receiver = DisplayText.shortened(receiver, columns: receiverWidth) }
        let end = receiverWidth == 0 || receiver.isEmpty ? "" : "  " + receiver
        return time.timeOfDay(location.timestamp) + Columns.text(cells) + end + "\n"
    }
}
