package import LocationProtocol

extension ReceiverText {
    /// Returns the corrections and their use: `RTK fixed, station 2003, 7.4 km, 0.8 s, 9 messages/s`.
    package static func corrections(_ report: CorrectionsReport) -> String {
        let use =
            switch report.solution {
            case .rtkFixed: "RTK fixed"
            case .rtkFloat: "RTK float"
            // Translators: A receiver computes with corrections from a reference station.
            case nil where report.used == true: translated("corrections in use")
            // Translators: A receiver gets corrections from a reference station.
            case nil: translated("corrections")
            }
        let parts: [String?] = [
            // Translators: The number of the reference station that corrections come from.
            use, report.station.map { translated("station {number}", ["number": "\($0)"]) },
            Decimal.text(report.distance.map { $0 / 1000 }, digits: 1, unit: " km"),
            report.age.map { $0 < 10 ? Decimal.text($0, digits: 1, unit: " s") : duration($0) },
            report.rate.map { translated("{count} messages/s", ["count": Decimal.text($0, digits: 0)]) },
            // Translators: Corrections from a reference station.
            report.used == false ? translated("the receiver does not use them") : nil,
            // Translators: Corrections that arrived with errors.
            positive(report.faulty).map { translated("{count} damaged on the way", ["count": $0]) },
            // Translators: Corrections of a kind that receivers do not get.
            positive(report.refused).map { translated("{count} not for receivers", ["count": $0]) },
            // Translators: Corrections that were dropped, because the line to the receiver is slow.
            positive(report.outdated).map { translated("{count} too late for the line", ["count": $0]) },
        ]
        return parts.compactMap(\.self).filter { !$0.isEmpty }.joined(separator: translated(", "))
    }

    private static func positive(_ count: Int?) -> String? { count.flatMap { $0 > 0 ? "\($0)" : nil } }
}
