internal import LocationctlSupport

/// The check for a console of the kernel on the port of a HAT.
enum ConsoleCheck {
    static func findings(in facts: Facts) -> [Finding] { facts.boardFindings(finding) }

    private static func finding(_ port: BoardPort, _ machine: RaspberryPiFacts) -> Finding? {
        guard let console = machine.consoles.first(where: { $0.port == port.name }) else { return nil }
        return port.finding(
            translated("the kernel's console is on {port}", ["port": port.description]),
            why: translated("the kernel and a login prompt write to the receiver, and read what it sends"),
            advice: translated(
                "remove {word} from the line in {file}, then restart the Raspberry Pi",
                ["word": console.word, "file": machine.commandLineFile]))
    }
}

/// The check for a login prompt that systemd starts on the port of a HAT although there is no console.
enum LoginPromptCheck {
    static func findings(in facts: Facts) -> [Finding] {
        facts.boardFindings { port, machine in
            // systemd starts a prompt at every console. `ConsoleCheck` reports the console, and `PortCheck` a running
            // prompt.
            guard machine.loginPorts.contains(port.name), !machine.consoles.contains(where: { $0.port == port.name }),
                !facts.ports.contains(where: { $0.path == port.path && $0.holder?.isLoginPrompt == true })
            else { return nil }
            let unit = "serial-getty@\(port.name).service"
            return port.finding(
                translated(
                    "a login prompt is started on {port}: {unit} is enabled", ["port": port.description, "unit": unit]),
                why: translated("it writes to the receiver, and reads what it sends"),
                advice: "`sudo systemctl disable --now \(unit)`")
        }
    }
}
