internal import LocationctlSupport
internal import NMEARelay

/// The texts of `locationctl receivers --discover` and `--accept`.
enum SenderText {
    /// An announcement, and the instance that receives from it.
    struct Row: Encodable, Sendable {
        let announcement: Announcement
        let accepted: String?

        private enum CodingKeys: String, CodingKey { case accepted }

        func encode(to encoder: any Encoder) throws {
            try announcement.encode(to: encoder)
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(accepted, forKey: .accepted)
        }
    }

    static func table(_ rows: [Row], on medium: OutputMedium) -> String {
        var table = Table(
            .init("TRANSPORT", sacrifice: 1), .init("HOST", leastWidth: 16), "ADDRESS", .init("PORT", sacrifice: 2),
            .init("ACCEPTED AS", leastWidth: 12, isOptional: true), .init("NAME", leastWidth: 16))
        for row in rows {
            let announcement = row.announcement
            table.add(
                announcement.transport.rawValue, announcement.host, announcement.addressText,
                String(announcement.port), row.accepted ?? "", announcement.name)
        }
        return table.text(on: medium, nothing: "No other machine in the local network announces NMEA 0183.")
    }

    /// Writes the remarks of the program that searches for announcements.
    static func report(_ remarks: [String]) {
        for remark in remarks { Terminal.writeError("locationctl: \(Terminal.printable(remark))\n") }
    }

    /// Returns an announcement on one line.
    static func summary(_ announcement: Announcement) -> String {
        "\(announcement.host), \(announcement.addressText), port \(announcement.port), "
            + announcement.transport.rawValue.uppercased()
    }

    /// Returns the description of the announcement to accept.
    static func offer(_ announcement: Announcement) -> String {
        """
        Name     \(DisplayText.shown(announcement.name))
        Host     \(announcement.host)
        Address  \(announcement.addressText)
        Port     \(announcement.port) (\(announcement.transport.rawValue.uppercased()))
        Anybody in the network can announce this. Compare the address with the one that the device itself shows.

        """
    }

    static func question(_ pin: SenderPin) -> String {
        "Have locationd read \(pin.text)? The program that sends there determines this machine's location. [y/N] "
    }
}
