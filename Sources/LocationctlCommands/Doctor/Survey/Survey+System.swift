internal import CLinux
internal import Glibc

extension Survey {
    private static let units = [
        "locationd.service", "locationd.socket", "locationd-manage.socket", "locationd-peers.socket",
        "locationd-peers.service", "locationd-gpsd.socket", "locationd-gpsd-ipv6.socket", "gpsd.socket",
        "systemd-timesyncd.service", "locationd-publish.service",
    ]
    private static let ruleFolders = ["/etc", "/run", "/usr/local/lib", "/usr/lib", "/lib"]

    /// Reads the state of the machine around the daemon.
    static func system() -> SystemFacts {
        var system = SystemFacts()
        // As in sd_booted(3); sd-login.c detects logind in the same way.
        system.hasSystemd = exists("/run/systemd/system")
        system.hasLogind = exists("/run/systemd/seats")
        system.hasUdev = exists("/run/udev/control")
        if system.hasSystemd {
            let arguments = ["show", "--no-pager", "--property=" + UnitFacts.properties.joined(separator: ",")]
            if let shown = ChildProcess.run("systemctl", arguments + units), shown.status == 0 {
                system.units = UnitFacts.units(in: shown.output)
            }
        }
        system.hasIPv6 = exists("/proc/net/if_inet6")
        system.receiverRules = ruleFolders.map { $0 + "/udev/rules.d/81-locationd.rules" }.first(where: exists)
        let names = ProcessNames.all()
        system.isGPSDRunning = names.contains("gpsd")
        system.isModemManagerRunning = names.contains("ModemManager")
        system.isGPSDHotplugEnabled = opensDevices((try? SmallFile.read("/etc/default/gpsd")) ?? "")
        let synchronized = clock_is_synchronized()
        system.isClockSynchronized = synchronized < 0 ? nil : synchronized == 1
        return system
    }

    /// Returns whether gpsd's configuration, a file of shell variables, makes gpsdctl@.service hand plugged-in
    /// devices to gpsd.
    static func opensDevices(_ text: String) -> Bool {
        text.split(separator: "\n").last { $0.hasPrefix("USBAUTO=") }.map { $0.contains("true") } ?? false
    }

    private static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }
}

/// The names of the processes of all users: proc(5).
enum ProcessNames {
    static func all() -> Set<String> {
        guard let directory = opendir("/proc") else { return [] }
        defer { closedir(directory) }
        var names: Set<String> = []
        while let entry = readdir(directory) {
            let folder = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            guard folder.first?.isNumber == true, let name = try? SmallFile.read("/proc/\(folder)/comm") else {
                continue
            }
            names.insert(String(name.prefix { $0 != "\n" }))
        }
        return names
    }
}
