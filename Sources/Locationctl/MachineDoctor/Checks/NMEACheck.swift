internal import LocationctlSupport

/// The check of the running and failed instances of locationd-nmea(8), by the statuses that they report.
enum NMEACheck {
    /// The pattern of their units for systemctl(1), which shows the loaded ones.
    static let units = "locationd-nmea*@*.service"

    static func findings(in facts: Facts) -> [Finding] {
        facts.system.units.values.filter { $0.name.hasPrefix("locationd-nmea") && $0.name.contains("@") }
            .sorted { $0.name < $1.name }.compactMap(finding)
    }

    private static func finding(_ unit: UnitFacts) -> Finding? {
        let name = unit.name
        let journal = translated("`sudo journalctl -u {unit} -n 50` says more", ["unit": name])
        switch unit.active {
        case "active", "reloading":
            let status =
                unit.statusText.isEmpty
                ? translated("{unit} is running", ["unit": name]) : "\(name): \(unit.statusText)"
            if unit.statusText.hasPrefix("Not serving: not authorized") {
                let app = "service:" + name.dropLast(".service".count)
                // Each unit's user has the unit's name.
                let advice = "`sudo locationctl grant --always --uid $(id -u \(name.prefix { $0 != "@" })) \(app)`"
                let why = translated("its reader gets nothing")
                // A denial is a decision, not a problem.
                guard !unit.statusText.contains("(denied)") else { return .note(status, why: why, advice: advice) }
                return .problem(status, why: why, advice: advice)
            }
            guard unit.statusText.hasPrefix("Cannot ") else { return .ok(status) }
            return .problem(status, advice: journal)
        // A receiving instance is started by its socket, and a serving one may have been stopped.
        default: return Finding.failure(of: unit)
        }
    }
}
