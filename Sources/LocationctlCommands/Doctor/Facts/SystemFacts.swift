/// The machine around the daemon.
struct SystemFacts: Sendable, Equatable {
    /// A Boolean value indicating whether systemd is the init system.
    var hasSystemd = true
    /// A Boolean value indicating whether systemd-logind runs.
    var hasLogind = true
    /// By name; without those that systemctl told nothing of.
    var units: [String: UnitFacts] = [:]
    /// A Boolean value indicating whether udev runs.
    var hasUdev = true
    /// The file of the rules for receivers; `nil` where there is none.
    var receiverRules: String?
    /// A Boolean value indicating whether the programs run, with systemd or without.
    var runsGPSD = false
    var runsModemManager = false
    /// A Boolean value indicating whether gpsd's own rules may hand devices to it: USBAUTO in /etc/default/gpsd.
    var gpsdTakesDevices = false
    /// A Boolean value indicating whether the kernel holds the clock for set by something (adjtimex(2)); `nil` where it
    /// does not say.
    var isClockSynchronized: Bool?

    func unit(_ name: String) -> UnitFacts? { units[name] }

    /// Returns whether such a unit is loaded and running, or listening.
    func isActive(_ name: String) -> Bool { units[name]?.isActive ?? false }
}
