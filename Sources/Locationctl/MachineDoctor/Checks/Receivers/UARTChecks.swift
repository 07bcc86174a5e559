internal import LocationctlSupport

/// The check that the UART on the pins 8 and 10 of a Raspberry Pi is enabled.
enum UARTCheck {
    static func findings(in facts: Facts) -> [Finding] { facts.boardFindings(finding) }

    static func finding(_ port: BoardPort, _ machine: RaspberryPiFacts) -> Finding? {
        guard port.isOnHeader, machine.headerPort == nil, BluetoothPortCheck.finding(port, machine) == nil,
            let configuration = machine.configuration
        else { return nil }
        let why = translated("without it there is no port for a receiver on these pins")
        guard !isEnabled(configuration, machine) else {
            return port.finding(
                translated(
                    "the UART on the pins 8 and 10 is enabled in {file}, but there is no such port",
                    ["file": machine.configurationFile]),
                why: why,
                advice: translated("restart the Raspberry Pi: the file is read when it starts"))
        }
        return port.finding(
            translated("the UART on the pins 8 and 10 is not enabled"),
            why: why,
            advice: translated(
                "add the line {line} below [all] at the end of {file}, then restart the Raspberry Pi",
                ["line": machine.enablingLine, "file": machine.configurationFile]))
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
        return port.finding(
            translated(
                "{port} is connected to the Bluetooth chip, not to the pins 8 and 10", ["port": port.description]),
            why: translated("the Raspberry Pi gives its good UART to Bluetooth by default"),
            advice: machine.isHCIUARTEnabled
                ? translated(
                    """
                    add the line dtoverlay=disable-bt (or dtoverlay=miniuart-bt, which leaves a slower Bluetooth) \
                    below [all] at the end of {file}, run `sudo systemctl disable hciuart`, then restart the \
                    Raspberry Pi
                    """, ["file": machine.configurationFile])
                : translated(
                    """
                    add the line dtoverlay=disable-bt (or dtoverlay=miniuart-bt, which leaves a slower Bluetooth) \
                    below [all] at the end of {file}, then restart the Raspberry Pi
                    """, ["file": machine.configurationFile]))
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
            translated(
                "the baud rate of {port} changes with the clock of the Raspberry Pi's core",
                ["port": port.description]),
            why: translated("the mini UART is clocked by the core, which is slowed down while there is little to do"),
            advice: translated(
                """
                add the line enable_uart=1, which fixes that clock, below [all] at the end of {file}, then restart the \
                Raspberry Pi
                """, ["file": machine.configurationFile]))
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
        let advice = translated(
            """
            write source = "serial:/dev/{port}" in {file}, then run `sudo systemctl reload locationd`
            """, ["port": stable, "file": file])
        if !port.exists {
            return port.finding(
                translated(
                    "there is no {path}: the port on the pins 8 and 10 is called /dev/{port} now",
                    ["path": port.path, "port": header]),
                why: translated("kernels have given it different names"),
                advice: advice)
        }
        guard machine.ports[port.name] == .debug else { return nil }
        return port.finding(
            translated(
                "{port} is the port of the debug connector, not of the pins 8 and 10", ["port": port.description]),
            why: translated("a receiver on these pins is at /dev/{port}", ["port": header]),
            advice: advice)
    }
}

/// The check for the device of a HAT's pulses.
enum PulseDeviceCheck {
    static func findings(in facts: Facts) -> [Finding] {
        guard let machine = facts.raspberryPi, let device = machine.missingPulseDevice else { return [] }
        let why = translated("[time] names it as pps, and chrony gets no pulses")
        if machine.configuration?.overlays.contains("pps-gpio") == true {
            return [
                .problem(
                    translated(
                        "there is no {device}, although {file} has dtoverlay=pps-gpio",
                        ["device": device, "file": machine.configurationFile]),
                    why: why,
                    advice: translated(
                        "restart the Raspberry Pi; then `ls /dev/pps*` and `sudo dmesg | grep pps` show the devices"))
            ]
        }
        return [
            .problem(
                translated("there is no {device}", ["device": device]),
                why: why,
                advice: translated(
                    """
                    add the line dtoverlay=pps-gpio,gpiopin=18 below [all] at the end of {file}, with the pin of your \
                    HAT (many have 18, some 4), then restart the Raspberry Pi
                    """, ["file": machine.configurationFile]))
        ]
    }
}
