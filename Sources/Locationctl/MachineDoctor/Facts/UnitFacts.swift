internal import LocationctlSupport

/// A systemd unit, by the properties that systemctl shows.
package struct UnitFacts: Sendable, Equatable {
    package var name: String
    /// The load state: `loaded`, `not-found`, `masked`, `bad-setting`, `error`.
    var load = "loaded"
    /// The active state: `active`, `inactive`, `failed`, `activating` and so on.
    package var active = "active"
    /// The unit file's state: `enabled`, `disabled`, `static` and so on; empty if systemd reports none.
    var enabled = "enabled"
    /// The result of the last run: `success`, `exit-code`, `signal`, `watchdog`, `start-limit-hit` and so on.
    var result = "success"
    /// The exit status or the signal of the unit's main process.
    var status = 0
    /// The number of automatic restarts.
    var restarts = 0
    /// The user that the unit runs as; empty for root.
    var user = ""
    /// The status that the service reports about itself, or an empty text.
    package var statusText = ""
    /// The addresses and paths that a socket unit listens on, such as `127.0.0.1:2947`.
    var listens: [String] = []

    var isLoaded: Bool { load == "loaded" }
    package var isActive: Bool { active == "active" || active == "reloading" }

    /// The properties to request from systemctl.
    static let properties = [
        "Id", "LoadState", "ActiveState", "UnitFileState", "Result", "ExecMainStatus", "NRestarts", "User", "Listen",
        "StatusText",
    ]

    /// Asks systemctl(1) about units, by names or patterns. Returns them by name, or `nil` if it does not answer.
    package static func read(_ names: [String]) -> [String: UnitFacts]? {
        let arguments = ["show", "--no-pager", "--property=" + properties.joined(separator: ",")]
        guard let shown = ChildProcess.run("systemctl", arguments + names), shown.status == 0 else { return nil }
        return units(in: shown.output)
    }

    /// Returns the units by name, parsed from the output of `systemctl show --property=…`: `KEY=VALUE` lines, with an
    /// empty line between units.
    package static func units(in text: String) -> [String: UnitFacts] {
        var units: [String: UnitFacts] = [:]
        for block in text.split(separator: "\n\n") {
            var unit = UnitFacts(name: "")
            for line in block.split(separator: "\n") {
                let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
                guard parts.count == 2 else { continue }
                unit.apply(parts[0], parts[1])
            }
            if !unit.name.isEmpty { units[unit.name] = unit }
        }
        return units
    }

    private mutating func apply(_ key: String, _ value: String) {
        switch key {
        case "Id": name = value
        case "LoadState": load = value
        case "ActiveState": active = value
        case "UnitFileState": enabled = value
        case "Result": result = value
        case "ExecMainStatus": status = Int(value) ?? 0
        case "NRestarts": restarts = Int(value) ?? 0
        case "User": user = value
        case "StatusText": statusText = value
        // One line per address, with its type: `127.0.0.1:2947 (Stream)`.
        case "Listen": listens.append(String(value.prefix { $0 != " " }))
        default: break
        }
    }
}
