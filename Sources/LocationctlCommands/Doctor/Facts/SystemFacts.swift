/// The machine around the daemon.
struct SystemFacts: Sendable, Equatable {
    /// Whether systemd is the init system.
    var hasSystemd = true
    /// Whether systemd-logind runs.
    var hasLogind = true
    /// By name; without those that systemctl told nothing of.
    var units: [String: UnitFacts] = [:]
    /// Whether udev runs.
    var hasUdev = true
    /// The file of the rules for receivers; `nil` where there is none.
    var receiverRules: String?
    /// Whether the programs run, with systemd or without.
    var runsGPSD = false
    var runsModemManager = false
    /// Whether gpsd's own rules may hand devices to it: USBAUTO in /etc/default/gpsd.
    var gpsdTakesDevices = false
    /// Whether the kernel holds the clock for set by something (adjtimex(2)); `nil` where it does not say.
    var isClockSynchronized: Bool?

    func unit(_ name: String) -> UnitFacts? { units[name] }

    /// Whether such a unit is loaded and running, or listening.
    func isActive(_ name: String) -> Bool { units[name]?.isActive ?? false }
}
