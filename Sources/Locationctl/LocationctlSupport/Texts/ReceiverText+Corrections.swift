package import LocationProtocol

extension ReceiverText {
    /// Returns the corrections and their use: `RTK fixed, station 2003, 7.4 km, 0.8 s, 9 messages/s`.
    package static func corrections(_ report: CorrectionsReport) -> String {
        let use =
            switch report.solution {
            case .rtkFixed: "RTK fixed"
            case .rtkFloat: "RTK float"
            case nil: report.used == true ? "corrections in use" : "corrections"
            }
        let parts: [String?] = [
            use, report.station.map { "station \($0)" },
            Decimal.text(report.distance.map { $0 / 1000 }, digits: 1, unit: " km"),
            report.age.map { $0 < 10 ? Decimal.text($0, digits: 1, unit: " s") : duration($0) },
            Decimal.text(report.rate, digits: 0, unit: " messages/s"),
            report.used == false ? "the receiver does not use them" : nil,
            count(report.faulty, "damaged on the way"), count(report.refused, "not for receivers"),
            count(report.outdated, "too late for the line"),
        ]
        return parts.compactMap(\.self).filter { !$0.isEmpty }.joined(separator: ", ")
    }

    private static func count(_ count: Int?, _ fault: String) -> String? {
        count.flatMap { $0 > 0 ? "\($0) \(fault)" : nil }
    }
}
