internal import LocationctlSupport

/// The check of the daemon's systemd units.
enum UnitCheck {
    private static let service = "locationd.service"
    private static let sockets = ["locationd.socket", "locationd-manage.socket"]

    static func findings(in facts: Facts) -> [Finding] {
        guard facts.isInstalled else { return [] }
        let system = facts.system
        guard system.hasSystemd else {
            return [
                .note(
                    translated("systemd is not running"),
                    why: translated("nothing starts locationd when an app connects"),
                    advice: translated("configure the machine's init system to start `locationd`"))
            ]
        }
        guard let unit = system.unit(service) else {
            return [
                .note(
                    translated("systemctl reports nothing about the units"),
                    advice: translated("see `systemctl status {unit}`", ["unit": service]))
            ]
        }
        guard unit.isLoaded else { return [loadProblem(unit)] }
        return [state(of: unit, isActivated: sockets.allSatisfy(system.isActive))]
            + sockets.compactMap { system.unit($0).flatMap(listening) } + peers(system)
    }

    private static func loadProblem(_ unit: UnitFacts) -> Finding {
        switch unit.load {
        case "masked":
            .problem(
                translated("{unit} is masked", ["unit": unit.name]),
                why: translated("a masked unit is never started"),
                advice: "`sudo systemctl unmask \(unit.name)`")
        case "not-found":
            .problem(
                translated("systemd does not know {unit}", ["unit": unit.name]),
                why: translated("locationd is not installed, or only in part"),
                advice: translated(
                    "install the package locationd, or run `sudo make install && sudo systemctl daemon-reload`"))
        default:
            .problem(
                translated("systemd cannot load {unit}: {state}", ["unit": unit.name, "state": unit.load]),
                advice: translated("see `systemctl status {unit}`", ["unit": unit.name]))
        }
    }

    private static func state(of unit: UnitFacts, isActivated: Bool) -> Finding {
        let journal = translated("`sudo journalctl -u {unit} -n 50` says more", ["unit": unit.name])
        switch unit.active {
        case "active", "reloading":
            guard unit.restarts > 0 else { return .ok(translated("{unit} is running", ["unit": unit.name])) }
            let what = translated(
                "{unit} is running, and was restarted once",
                plural: "{unit} is running, and was restarted {count} times", count: unit.restarts,
                ["unit": unit.name])
            return .note(what, why: ending(of: unit), advice: journal)
        case "failed":
            return .problem(
                translated("{unit} has failed", ["unit": unit.name]),
                why: ending(of: unit),
                advice: translated(
                    """
                    `sudo journalctl -u {unit} -n 50` says more; then `sudo systemctl reset-failed {unit} && sudo \
                    systemctl start {unit}`
                    """, ["unit": unit.name]))
        case "activating" where unit.restarts == 0:
            return .note(translated("{unit} is being started", ["unit": unit.name]))
        case "activating":
            let what = translated(
                "{unit} keeps failing to start (restarted once)",
                plural: "{unit} keeps failing to start (restarted {count} times)", count: unit.restarts,
                ["unit": unit.name])
            return .problem(what, why: ending(of: unit), advice: journal)
        default:
            guard isActivated else {
                return .problem(
                    translated("{unit} is not running", ["unit": unit.name]),
                    advice: "`sudo systemctl enable --now \(unit.name)`")
            }
            return .ok(translated("{unit} starts when the first app connects", ["unit": unit.name]))
        }
    }

    /// Returns a finding if a socket unit does not listen, or will not after the next boot; otherwise `nil`.
    private static func listening(_ unit: UnitFacts) -> Finding? {
        guard unit.isLoaded else { return loadProblem(unit) }
        if unit.isActive {
            guard unit.enabled == "disabled" else { return nil }
            return .note(
                translated("{unit} is listening, but is not enabled for the next boot", ["unit": unit.name]),
                advice: "`sudo systemctl enable \(unit.name)`")
        }
        return .problem(
            translated("{unit} is not listening", ["unit": unit.name]),
            why: translated("locationd does not start when an app connects"),
            advice: "`sudo systemctl enable --now \(unit.name)`")
    }

    private static func peers(_ system: SystemFacts) -> [Finding] {
        guard let socket = system.unit("locationd-peers.socket"), socket.isLoaded else {
            return [
                .problem(
                    translated("systemd does not know locationd-peers.socket"),
                    why: translated("apps of other users cannot be identified, and are refused"),
                    advice: translated("install the package locationd again"))
            ]
        }
        if !socket.isActive {
            return [
                .problem(
                    translated("{unit} is not listening", ["unit": socket.name]),
                    why: translated("apps of other users cannot be identified, and are refused"),
                    advice: "`sudo systemctl enable --now \(socket.name)`")
            ]
        }
        guard let service = system.unit("locationd-peers.service"), service.active == "failed" else { return [] }
        return [
            .problem(
                translated("{unit} has failed", ["unit": service.name]),
                why: ending(of: service),
                advice: translated(
                    "see `sudo journalctl -u {unit} -n 50`; then `sudo systemctl restart {socket}`",
                    ["unit": service.name, "socket": socket.name]))
        ]
    }

    /// Returns the reason why the unit last ended, or `nil` if it ended normally.
    private static func ending(of unit: UnitFacts) -> String? {
        switch unit.result {
        case "success", "": nil
        case "exit-code": translated("its program ended with status {status}", ["status": "\(unit.status)"])
        case "signal": translated("its program was ended by signal {status}", ["status": "\(unit.status)"])
        case "core-dump": translated("its program crashed with signal {status}", ["status": "\(unit.status)"])
        case "watchdog": translated("it missed its watchdog deadline")
        case "timeout": translated("it took too long to start or stop")
        case "start-limit-hit": translated("it was started too often in a short time")
        case "oom-kill": translated("the machine ran out of memory")
        default: translated("systemd says: {result}", ["result": unit.result])
        }
    }
}
