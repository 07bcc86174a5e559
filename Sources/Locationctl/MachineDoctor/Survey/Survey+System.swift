internal import CLinux

extension Survey {
    private static let units = [
        "locationd.service", "locationd.socket", "locationd-manage.socket", "locationd-peers.socket",
        "locationd-peers.service", "locationd-gpsd.socket", "locationd-gpsd-ipv6.socket", "gpsd.socket",
        "systemd-timesyncd.service", "locationd-publish.service", NMEACheck.units, CorrectionsCheck.units,
    ]
    private static let ruleFolders = ["/etc", "/run", "/usr/local/lib", "/usr/lib", "/lib"]

    /// Reads the state of the machine around the daemon.
    static func system(_ root: SystemRoot) -> SystemFacts {
        var system = SystemFacts()
        // As in sd_booted(3); sd-login.c detects logind in the same way.
        system.hasSystemd = root.exists("/run/systemd/system")
        system.hasLogind = root.exists("/run/systemd/seats")
        system.hasUdev = root.exists("/run/udev/control")
        if system.hasSystemd, root.isMachine { system.units = UnitFacts.read(units) ?? [:] }
        system.hasIPv6 = root.exists("/proc/net/if_inet6")
        system.receiverRules = ruleFolders.map { $0 + "/udev/rules.d/81-locationd.rules" }.first(where: root.exists)
        let names = Self.processNames(root)
        system.isGPSDRunning = names.contains("gpsd")
        system.isModemManagerRunning = names.contains("ModemManager")
        system.isGPSDHotplugEnabled = opensDevices(root.text("/etc/default/gpsd") ?? "")
        guard root.isMachine else { return system }
        let synchronized = clock_is_synchronized()
        system.isClockSynchronized = synchronized < 0 ? nil : synchronized == 1
        return system
    }

    /// Returns whether gpsd's configuration, a file of shell variables, makes gpsdctl@.service hand plugged-in
    /// devices to gpsd.
    static func opensDevices(_ text: String) -> Bool {
        text.split(separator: "\n").last { $0.hasPrefix("USBAUTO=") }.map { $0.contains("true") } ?? false
    }

    /// Returns the names of the processes of all users: proc(5).
    private static func processNames(_ root: SystemRoot) -> Set<String> {
        let processes = root.names(in: "/proc").filter { $0.first?.isNumber == true }
        return Set(processes.compactMap { root.text("/proc/\($0)/comm") }.map { String($0.prefix { $0 != "\n" }) })
    }
}
