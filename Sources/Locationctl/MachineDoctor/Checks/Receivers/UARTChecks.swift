/// The check that the UART on the pins 8 and 10 of a Raspberry Pi is enabled.
enum UARTCheck {
    static func findings(in facts: Facts) -> [Finding] { facts.boardFindings(finding) }

    static func finding(_ port: BoardPort, _ machine: RaspberryPiFacts) -> Finding? {
        guard port.isOnHeader, machine.headerPort == nil, BluetoothPortCheck.finding(port, machine) == nil,
            let configuration = machine.configuration
        else { return nil }
        let why = "without it there is no port for a receiver on these pins"
        guard !isEnabled(configuration, machine) else {
            return port.finding(
                "the UART on the pins 8 and 10 is enabled in \(machine.configurationFile), but there is no such port",
                why: why, advice: "restart the Raspberry Pi: the file is read when it starts")
        }
        return port.finding(
            "the UART on the pins 8 and 10 is not enabled", why: why,
            advice: """
                add the line \(machine.enablingLine) below [all] at the end of \(machine.configurationFile), then \
                restart the Raspberry Pi
                """)
    }

    /// Raspberry Pi documentation, "config.txt", enable_uart: the default is 1 where Bluetooth does not have the PL011.
    private static func isEnabled(_ configuration: BootConfiguration, _ machine: RaspberryPiFacts) -> Bool {
        if let value = configuration.values["enable_uart"] { return value == "1" }
        if ["uart0", "uart1"].contains(where: configuration.isOn) { return true }
        if !configuration.overlays.isDisjoint(with: ["uart0", "uart0-pi5", "uart1"]) { return true }
        return !machine.model.isPi5 && (!machine.model.hasBluetooth || machine.isBluetoothMoved)
    }
}

/// The check for a receiver configured at the UART that a Raspberry Pi uses for its Bluetooth chip.
enum BluetoothPortCheck {
    static func findings(in facts: Facts) -> [Finding] { facts.boardFindings(finding) }

    static func finding(_ port: BoardPort, _ machine: RaspberryPiFacts) -> Finding? {
        guard port.isConfigured, port.name == "ttyAMA0", machine.model.hasBluetooth, machine.primary != "ttyAMA0",
            machine.configuration != nil, !machine.isBluetoothMoved
        else { return nil }
        let service = machine.isHCIUARTEnabled ? ", run `sudo systemctl disable hciuart`" : ""
        return port.finding(
            "\(port.description) is connected to the Bluetooth chip, not to the pins 8 and 10",
            why: "the Raspberry Pi gives its good UART to Bluetooth by default",
            advice: """
                add the line dtoverlay=disable-bt (or dtoverlay=miniuart-bt, which leaves a slower Bluetooth) below \
                [all] at the end of \(machine.configurationFile)\(service), then restart the Raspberry Pi
                """)
    }
}

/// The check that the clock of the mini UART is fixed.
enum CoreClockCheck {
    static func findings(in facts: Facts) -> [Finding] { facts.boardFindings(finding) }

    private static func finding(_ port: BoardPort, _ machine: RaspberryPiFacts) -> Finding? {
        guard port.isConfigured, machine.ports[port.name] == .mini, let configuration = machine.configuration,
            configuration.values["enable_uart"] != "1", configuration.values["core_freq"] == nil,
            configuration.values["force_turbo"] != "1"
        else { return nil }
        return port.finding(
            "the baud rate of \(port.description) changes with the clock of the Raspberry Pi's core",
            why: "the mini UART is clocked by the core, which is slowed down while there is little to do",
            advice: """
                add the line enable_uart=1, which fixes that clock, below [all] at the end of \
                \(machine.configurationFile), then restart the Raspberry Pi
                """)
    }
}

/// The check for a receiver that is configured by a port's former name, or by the name of a port that is not on the
/// pins 8 and 10.
enum PortNameCheck {
    static func findings(in facts: Facts) -> [Finding] {
        facts.boardFindings { finding($0, $1, facts.configured) }
    }

    static func finding(_ port: BoardPort, _ machine: RaspberryPiFacts, _ configured: ConfiguredSources) -> Finding? {
        guard port.isConfigured, port.isOnHeader, let header = machine.headerPort, header != port.name,
            BluetoothPortCheck.finding(port, machine) == nil
        else { return nil }
        let stable = machine.primary == header ? "serial0" : header
        let file = configured.file(ofPort: port.path) ?? "/etc/locationd/locationd.toml"
        let advice = """
            write source = "serial:/dev/\(stable)" in \(file), then run `sudo systemctl reload locationd`
            """
        if !port.exists {
            return port.finding(
                "there is no \(port.path): the port on the pins 8 and 10 is called /dev/\(header) now",
                why: "kernels have given it different names", advice: advice)
        }
        guard machine.ports[port.name] == .debug else { return nil }
        return port.finding(
            "\(port.description) is the port of the debug connector, not of the pins 8 and 10",
            why: "a receiver on these pins is at /dev/\(header)", advice: advice)
    }
}

/// The check for the device of a HAT's pulses.
enum PulseDeviceCheck {
    static func findings(in facts: Facts) -> [Finding] {
        guard let machine = facts.raspberryPi, let device = machine.missingPulseDevice else { return [] }
        let why = "[time] names it as pps, and chrony gets no pulses"
        if machine.configuration?.overlays.contains("pps-gpio") == true {
            return [
                .problem(
                    "there is no \(device), although \(machine.configurationFile) has dtoverlay=pps-gpio", why: why,
                    advice:
                        "restart the Raspberry Pi; then `ls /dev/pps*` and `sudo dmesg | grep pps` show the devices")
            ]
        }
        return [
            .problem(
                "there is no \(device)", why: why,
                advice: """
                    add the line dtoverlay=pps-gpio,gpiopin=18 below [all] at the end of \
                    \(machine.configurationFile), with the pin of your HAT (many have 18, some 4), then restart the \
                    Raspberry Pi
                    """)
        ]
    }
}
