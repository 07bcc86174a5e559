internal import ForeignText
internal import JSON
internal import NMEARelay

/// The output of `locationd-nmea discover`.
enum DiscoveryText {
    /// Returns a JSON object on each line.
    static func lines(_ announcements: [Announcement]) throws -> String {
        try announcements.map { announcement in
            var writer = JSONWriter()
            try writer.value(encoding: announcement)
            return ForeignText.escapedInJSON(writer.text) + "\n"
        }.joined()
    }

    /// Returns a table. The names are in the last column, as the only text of arbitrary length and script.
    static func table(_ announcements: [Announcement]) -> String {
        guard !announcements.isEmpty else { return "No other machine in the local network announces NMEA 0183.\n" }
        let rows =
            [["TRANSPORT", "HOST", "ADDRESS", "PORT", "NAME"]]
            + announcements.map {
                [$0.transport.rawValue, $0.host, $0.addressText, String($0.port), shown($0.name)]
            }
        let widths = (0..<4).map { column in rows.map { $0[column].utf8.count }.max() ?? 0 }
        return rows.map { row in
            let cells = zip(row, widths).map { cell, width in
                cell + String(repeating: " ", count: width - cell.utf8.count + 2)
            }
            return cells.joined() + row[4] + "\n"
        }.joined()
    }

    /// Returns a name without control effects. A name with non-ASCII characters is isolated, to keep it from reordering
    /// the text beside it: Unicode, annex 9, section 2.4.
    private static func shown(_ name: String) -> String {
        let line = ForeignText.line(name)
        return line.utf8.allSatisfy { $0 < 0x80 } ? line : "\u{2068}\(line)\u{2069}"
    }

    /// Returns remarks about missing results, for standard error.
    static func remarks(_ discovery: Discovery, timeout: Double) -> [String] {
        var remarks: [String] = []
        if discovery.isCut {
            remarks.append(
                "the list is incomplete: at most \(Discovery.maximumServices) services and "
                    + "\(Discovery.maximumTargets) hosts are examined")
        }
        if discovery.unusable > 0 {
            remarks.append(
                "\(discovery.unusable) announcements were left out: their names, hosts, addresses or ports cannot be used"
            )
        }
        if !discovery.isComplete {
            remarks.append("not everything was answered within \(timeout) s: --timeout waits longer")
        }
        return remarks
    }
}
