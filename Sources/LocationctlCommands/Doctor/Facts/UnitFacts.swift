/// One of systemd's units, by the properties that systemctl shows.
struct UnitFacts: Sendable, Equatable {
    var name: String
    /// `loaded`, `not-found`, `masked`, `bad-setting`, `error`.
    var load = "loaded"
    /// `active`, `inactive`, `failed`, `activating` and so on.
    var active = "active"
    /// `enabled`, `disabled`, `static` and so on; empty where that says nothing.
    var enabled = "enabled"
    /// Why it last ended: `success`, `exit-code`, `signal`, `watchdog`, `start-limit-hit` and so on.
    var result = "success"
    /// Its program's exit status or signal.
    var status = 0
    /// How often it was started again by itself.
    var restarts = 0
    /// Its user; empty for root.
    var user = ""

    var isLoaded: Bool { load == "loaded" }
    var isActive: Bool { active == "active" || active == "reloading" }

    /// The properties that are asked for.
    static let properties = [
        "Id", "LoadState", "ActiveState", "UnitFileState", "Result", "ExecMainStatus", "NRestarts", "User",
    ]

    /// By name, from what `systemctl show --property=…` prints: `KEY=VALUE` lines, with an empty line between units.
    static func units(in text: String) -> [String: UnitFacts] {
        var units: [String: UnitFacts] = [:]
        for block in text.split(separator: "\n\n") {
            var unit = UnitFacts(name: "")
            for line in block.split(separator: "\n") {
                let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
                guard parts.count == 2 else { continue }
                unit.take(parts[0], parts[1])
            }
            if !unit.name.isEmpty { units[unit.name] = unit }
        }
        return units
    }

    private mutating func take(_ key: String, _ value: String) {
        switch key {
        case "Id": name = value
        case "LoadState": load = value
        case "ActiveState": active = value
        case "UnitFileState": enabled = value
        case "Result": result = value
        case "ExecMainStatus": status = Int(value) ?? 0
        case "NRestarts": restarts = Int(value) ?? 0
        case "User": user = value
        default: break
        }
    }
}
