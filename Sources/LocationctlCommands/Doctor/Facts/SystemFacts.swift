/// The machine around the daemon.
struct SystemFacts: Sendable, Equatable {
    /// A Boolean value indicating whether systemd is the init system.
    var hasSystemd = true
    /// A Boolean value indicating whether systemd-logind is running.
    var hasLogind = true
    /// The units by name, without those that systemctl did not report.
    var units: [String: UnitFacts] = [:]
    /// A Boolean value indicating whether udev is running.
    var hasUdev = true
    /// The path of the udev rules for receivers, or `nil` if there is no such file.
    var receiverRules: String?
    /// A Boolean value indicating whether gpsd is running, under systemd or not.
    var isGPSDRunning = false
    /// A Boolean value indicating whether the kernel has IPv6.
    var hasIPv6 = true
    /// A Boolean value indicating whether ModemManager is running, under systemd or not.
    var isModemManagerRunning = false
    /// A Boolean value indicating whether gpsd's udev rules may hand devices to gpsd: USBAUTO in /etc/default/gpsd.
    var isGPSDHotplugEnabled = false
    /// A Boolean value indicating whether the kernel considers the clock synchronized (adjtimex(2)), or `nil` if it
    /// does not say.
    var isClockSynchronized: Bool?

    func unit(_ name: String) -> UnitFacts? { units[name] }

    /// Returns whether the unit is active: a service that runs, or a socket that listens.
    func isActive(_ name: String) -> Bool { units[name]?.isActive ?? false }
}
