internal import Devices

extension Survey {
    private static let loginFolders = [
        "/etc/systemd/system/getty.target.wants", "/etc/systemd/system/multi-user.target.wants",
        "/run/systemd/generator/getty.target.wants",
    ]

    /// Reads the statements about ports in locationd's configuration files.
    ///
    /// - Parameters:
    ///   - folder: The folder of the daemon's configuration, if it is not below `root`.
    ///   - isIncluded: Returns whether a file in `conf.d`, given by name, is read.
    static func configuredSources(
        _ root: SystemRoot, folder: String? = nil, isIncluded: (String) -> Bool = { _ in true }
    ) -> ConfiguredSources {
        var sources = ConfiguredSources()
        func add(_ folder: String, _ root: SystemRoot) {
            for name in root.names(in: folder) where name.hasSuffix(".toml") && isIncluded(name) {
                add(file: "\(folder)/\(name)", root)
            }
        }
        func add(file: String, _ root: SystemRoot) {
            if let text = root.text(file) { sources.add(text, file: file) }
        }
        add("/usr/share/locationd/conf.d", root)
        let own = folder == nil ? root : SystemRoot()
        let folder = folder ?? "/etc/locationd"
        add(file: folder + "/locationd.toml", own)
        add(folder + "/conf.d", own)
        return sources
    }

    /// Reads the serial ports of a Raspberry Pi and its boot files, or returns `nil` on any other machine.
    static func raspberryPi(_ root: SystemRoot, _ configured: ConfiguredSources) -> RaspberryPiFacts? {
        // The kernel's device tree ends texts with a 0.
        let name = root.text("/proc/device-tree/model").map { String($0.prefix { $0 != "\0" && $0 != "\n" }) }
        guard let model = name.flatMap(RaspberryPiFacts.Model.init) else { return nil }
        var facts = RaspberryPiFacts(model: model)
        // Raspberry Pi OS before Debian 12 has it in /boot; later, the file there only refers to the new place.
        let folder = root.exists("/boot/firmware/config.txt") ? "/boot/firmware" : "/boot"
        facts.configurationFile = folder + "/config.txt"
        facts.commandLineFile = folder + "/cmdline.txt"
        facts.configuration = root.text(facts.configurationFile).map { text in
            BootConfiguration(text, filters: model.filters) { root.text("\(folder)/\($0)") }
        }
        facts.primary = root.resolved("/dev/serial0").flatMap(baseName)
        for name in root.names(in: "/sys/class/tty") where name.hasPrefix("ttyAMA") || name.hasPrefix("ttyS") {
            // The kernel reserves ttyS1 to ttyS3, which have no nodes.
            guard root.exists("/dev/\(name)") else { continue }
            facts.ports[name] = RaspberryPiFacts.UART(node: deviceTreeNode(of: name, root))
        }
        facts.consoles = RaspberryPiFacts.consoles(
            running: root.text("/proc/cmdline") ?? "", file: root.text(facts.commandLineFile) ?? "",
            primary: facts.primary)
        facts.loginPorts = Set(
            loginFolders.flatMap(root.names).compactMap(loginPort).map { $0 == "serial0" ? facts.primary ?? $0 : $0 })
        facts.isHCIUARTEnabled = root.names(in: "/etc/systemd/system/multi-user.target.wants")
            .contains("hciuart.service")
        if let device = configured.pulseDevice, !root.exists(device) { facts.missingPulseDevice = device }
        return facts
    }

    /// Returns the port of a unit `serial-getty@PORT.service`.
    private static func loginPort(_ unit: String) -> String? {
        let (start, end) = ("serial-getty@", ".service")
        guard unit.hasPrefix(start), unit.hasSuffix(end) else { return nil }
        return String(unit.dropFirst(start.count).dropLast(end.count))
    }

    /// Returns the name of a port's node in the device tree. Newer kernels have two more levels (serial-base) between
    /// the port and its device.
    private static func deviceTreeNode(of port: String, _ root: SystemRoot) -> String? {
        let device = "/sys/class/tty/\(port)/device"
        return ["", "/..", "/../.."].lazy.compactMap { root.target(ofLink: "\(device)\($0)/of_node") }.first
            .flatMap(baseName)
    }

    private static func baseName(_ path: String) -> String? { path.split(separator: "/").last.map(String.init) }
}
