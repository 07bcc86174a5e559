internal import Glibc
package import LocationModel

/// The time zone of the times that users see: the machine's zone, or UTC. Programs always get UTC.
package struct LocalTime: Equatable, Sendable {
    /// The time zone of the process: TZ, else the machine's (tzset(3)).
    package static let machine = LocalTime(zone: .machine)
    package static let utc = LocalTime(zone: .fixed(offset: 0, name: "UTC"))

    enum Zone: Equatable, Sendable {
        case machine
        /// A zone without summer time: its offset from UTC in seconds, and its abbreviation.
        case fixed(offset: Int, name: String)
    }

    /// The maximum length of an abbreviation; a zone with a longer one is shown by its offset.
    private static let maximumName = 5

    let zone: Zone

    /// Returns the abbreviation of the zone at a time: `CET`, or `+0330` if it has none.
    package func name(at time: Timestamp) -> String { offsetAndName(at: time).name }

    /// Returns the date and the time to the minute, for a table's narrow column: `2026-11-21 09:30`.
    package func minute(_ time: Timestamp) -> String { String(second(time).dropLast(3)) }

    /// Returns the date and the time to the second: `2026-11-21 09:30:00`.
    package func second(_ time: Timestamp) -> String {
        let text = shifted(time).description
        return String(text.prefix(10) + " " + text.dropFirst(11).prefix(8))
    }

    /// Returns the time of day: `09:30:00.000`.
    package func timeOfDay(_ time: Timestamp) -> String { String(shifted(time).description.dropFirst(11).dropLast(1)) }

    /// Returns the date and the time to the minute with the zone, for a sentence: `2026-11-21 09:30 CET`.
    package func minuteAndZone(_ time: Timestamp) -> String { "\(minute(time)) \(name(at: time))" }

    /// Returns the heading of a column of times: `SINCE (CET)`, or `SINCE (CET/CEST)` if both occur.
    package func heading(_ text: String, _ times: some Sequence<Timestamp>) -> String {
        var names: [String] = []
        for name in times.lazy.map(name(at:)) where !names.contains(name) { names.append(name) }
        return names.isEmpty ? text : "\(text) (\(names.joined(separator: "/")))"
    }

    /// Returns a time shifted by the offset, so that its UTC text is the local text.
    private func shifted(_ time: Timestamp) -> Timestamp {
        let milliseconds = Int64(offsetAndName(at: time).offset) * 1000
        let (sum, isOverflown) = time.millisecondsSince1970.addingReportingOverflow(milliseconds)
        return isOverflown ? time : Timestamp(millisecondsSince1970: sum)
    }

    private func offsetAndName(at time: Timestamp) -> (offset: Int, name: String) {
        guard case .fixed(let offset, let name) = zone else { return Self.machineZone(at: time) }
        return (offset, name)
    }

    /// Unlike localtime(3), localtime_r(3) need not read TZ.
    private static let hasReadZone: Void = tzset()

    private static func machineZone(at time: Timestamp) -> (offset: Int, name: String) {
        var seconds = time_t(time.millisecondsSince1970 / 1000)
        var date = tm()
        _ = hasReadZone
        guard localtime_r(&seconds, &date) != nil else { return (0, "UTC") }
        let offset = Int(date.tm_gmtoff)
        let name = date.tm_zone.map { Terminal.printable(String(cString: $0)) } ?? ""
        return (offset, (1...maximumName).contains(name.count) ? name : numeric(offset))
    }

    /// Returns an offset in hours and minutes: `+0330`.
    private static func numeric(_ offset: Int) -> String {
        let minutes = abs(offset) / 60
        return "\(offset < 0 ? "-" : "+")\((minutes / 60).padded(to: 2))\((minutes % 60).padded(to: 2))"
    }
}
