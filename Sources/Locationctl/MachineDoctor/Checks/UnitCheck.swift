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
                    "systemd is not running", why: "nothing starts locationd when an app connects",
                    advice: "configure the machine's init system to start `locationd`")
            ]
        }
        guard let unit = system.unit(service) else {
            return [.note("systemctl reports nothing about the units", advice: "see `systemctl status \(service)`")]
        }
        guard unit.isLoaded else { return [loadProblem(unit)] }
        return [state(of: unit, isActivated: sockets.allSatisfy(system.isActive))]
            + sockets.compactMap { system.unit($0).flatMap(listening) } + peers(system)
    }

    private static func loadProblem(_ unit: UnitFacts) -> Finding {
        switch unit.load {
        case "masked":
            .problem(
                "\(unit.name) is masked", why: "a masked unit is never started",
                advice: "`sudo systemctl unmask \(unit.name)`")
        case "not-found":
            .problem(
                "systemd does not know \(unit.name)", why: "locationd is not installed, or only in part",
                advice: "install the package locationd, or run `sudo make install && sudo systemctl daemon-reload`")
        default:
            .problem(
                "systemd cannot load \(unit.name): \(unit.load)", advice: "see `systemctl status \(unit.name)`")
        }
    }

    private static func state(of unit: UnitFacts, isActivated: Bool) -> Finding {
        let journal = "`sudo journalctl -u \(unit.name) -n 50` says more"
        switch unit.active {
        case "active", "reloading":
            guard unit.restarts > 0 else { return .ok("\(unit.name) is running") }
            return .note(
                "\(unit.name) is running, and was restarted \(times(unit.restarts))", why: ending(of: unit),
                advice: journal)
        case "failed":
            return .problem(
                "\(unit.name) has failed", why: ending(of: unit),
                advice:
                    "\(journal); then `sudo systemctl reset-failed \(unit.name) && sudo systemctl start \(unit.name)`")
        case "activating" where unit.restarts == 0: return .note("\(unit.name) is being started")
        case "activating":
            return .problem(
                "\(unit.name) keeps failing to start (restarted \(times(unit.restarts)))",
                why: ending(of: unit), advice: journal)
        default:
            guard isActivated else {
                return .problem("\(unit.name) is not running", advice: "`sudo systemctl enable --now \(unit.name)`")
            }
            return .ok("\(unit.name) starts when the first app connects")
        }
    }

    /// Returns a finding if a socket unit does not listen, or will not after the next boot; otherwise `nil`.
    private static func listening(_ unit: UnitFacts) -> Finding? {
        guard unit.isLoaded else { return loadProblem(unit) }
        if unit.isActive {
            guard unit.enabled == "disabled" else { return nil }
            return .note(
                "\(unit.name) is listening, but is not enabled for the next boot",
                advice: "`sudo systemctl enable \(unit.name)`")
        }
        return .problem(
            "\(unit.name) is not listening", why: "locationd does not start when an app connects",
            advice: "`sudo systemctl enable --now \(unit.name)`")
    }

    private static func peers(_ system: SystemFacts) -> [Finding] {
        guard let socket = system.unit("locationd-peers.socket"), socket.isLoaded else {
            return [
                .problem(
                    "systemd does not know locationd-peers.socket",
                    why: "apps of other users cannot be identified, and are refused",
                    advice: "install the package locationd again")
            ]
        }
        if !socket.isActive {
            return [
                .problem(
                    "\(socket.name) is not listening", why: "apps of other users cannot be identified, and are refused",
                    advice: "`sudo systemctl enable --now \(socket.name)`")
            ]
        }
        guard let service = system.unit("locationd-peers.service"), service.active == "failed" else { return [] }
        return [
            .problem(
                "\(service.name) has failed", why: ending(of: service),
                advice: "see `sudo journalctl -u \(service.name) -n 50`; then `sudo systemctl restart \(socket.name)`")
        ]
    }

    /// Returns the reason why the unit last ended, or `nil` if it ended normally.
    private static func ending(of unit: UnitFacts) -> String? {
        switch unit.result {
        case "success", "": nil
        case "exit-code": "its program ended with status \(unit.status)"
        case "signal": "its program was ended by signal \(unit.status)"
        case "core-dump": "its program crashed with signal \(unit.status)"
        case "watchdog": "it missed its watchdog deadline"
        case "timeout": "it took too long to start or stop"
        case "start-limit-hit": "it was started too often in a short time"
        case "oom-kill": "the machine ran out of memory"
        default: "systemd says: \(unit.result)"
        }
    }

    private static func times(_ count: Int) -> String { count == 1 ? "once" : "\(count) times" }
}
