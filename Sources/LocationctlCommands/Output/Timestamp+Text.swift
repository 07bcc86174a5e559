internal import LocationModel

extension Timestamp {
    /// The date and the time to the minute, for a table's narrow column: `2026-11-21 09:30`.
    var minute: String { String(description.prefix(10) + " " + description.dropFirst(11).prefix(5)) }
    /// The date and the time to the second: `2026-11-21 09:30:00`.
    var second: String { String(description.prefix(10) + " " + description.dropFirst(11).prefix(8)) }
    /// The time of day: `09:30:00.000`.
    var timeOfDay: String { String(description.dropFirst(11).dropLast(1)) }
}
