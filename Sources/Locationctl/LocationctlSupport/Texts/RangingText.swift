package import LocationModel

/// The beacons in range, as lines for users.
package enum RangingText {
    /// Returns the heading above the lines on a terminal, with its line end.
    package static func columns(_ time: LocalTime, _ now: Timestamp) -> String {
        Columns.left(time.heading("TIME", [now]), 12) + "  MAJOR  MINOR  PROXIMITY  DISTANCE      RSSI\n"
    }

    /// Returns a line for each beacon, or one that says that there is none.
    package static func lines(_ beacons: [Beacon], _ time: LocalTime, _ now: Timestamp) -> String {
        guard !beacons.isEmpty else { return time.timeOfDay(now) + "  none in range\n" }
        return beacons.map { beacon in
            let cells = [
                ("\(beacon.major)", 5), ("\(beacon.minor)", 5), (Columns.left(beacon.proximity.rawValue, 9), 9),
                (Decimal.text(beacon.accuracy, digits: 1, unit: " m"), 8),
                (beacon.rssi.map { "\($0) dBm" } ?? "", 8),
            ]
            var line = time.timeOfDay(now) + Columns.text(cells)
            while line.last == " " { line.removeLast() }
            return line + "\n"
        }.joined()
    }
}
