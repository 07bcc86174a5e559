import TestSupport
import Testing

@testable import LocationctlSupport
@testable import MachineDoctor

/// The doctor on folders that imitate a Raspberry Pi, each with one cause for a silent HAT.
@Suite struct DoctorBoardTests {
    /// A machine with one cause.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let model: SampleBoard.Model
        let release: Int
        let source: String
        /// The whole finding.
        let what: String
        let advice: String
        let change: @Sendable (SampleBoard) throws -> Void

        init(
            _ name: String, _ model: SampleBoard.Model, debian release: Int, source: String = "serial:/dev/serial0",
            _ what: String, _ advice: String, _ change: @escaping @Sendable (SampleBoard) throws -> Void
        ) {
            (testDescription, self.model, self.release, self.source) = (name, model, release, source)
            (self.what, self.advice, self.change) = (what, advice, change)
        }
    }

    @Test(arguments: SampleBoard.Model.allCases, [11, 12, 13])
    func aHealthyBoardHasNoFindings(_ model: SampleBoard.Model, release: Int) throws {
        let findings = try SampleBoard(model, debian: release).findings
        #expect(findings.allSatisfy { $0.verdict == .ok }, "\(findings.text)")
        #expect(findings.contains(.ok("/dev/serial0 exists")))
    }

    @Test(arguments: causes) func oneCauseIsNamedAndNoOther(_ example: Case) throws {
        let board = try SampleBoard(example.model, debian: example.release, source: example.source)
        try example.change(board)
        let findings = board.findings.filter { $0.verdict != .ok }
        #expect(findings.map(\.what) == [example.what], "\(findings.text)")
        #expect(findings.first?.advice?.contains(example.advice) == true, "\(findings.text)")
        #expect(findings.first?.verdict == .problem)
    }

    static let causes = [
        Case(
            "console", .pi4, debian: 12, "the kernel's console is on /dev/serial0 (ttyS0)",
            "remove console=serial0,115200 from the line in /boot/firmware/cmdline.txt"
        ) {
            try $0.set(consoles: "console=serial0,115200 console=tty1")
            // systemd starts a login prompt at every console, by its generator.
            try $0.link(
                "/run/systemd/generator/getty.target.wants/serial-getty@ttyS0.service",
                to: "/lib/systemd/system/serial-getty@.service")
            try $0.add(
                process: 512, "agetty", port: "ttyS0",
                group: "/system.slice/system-serial\\x2dgetty.slice/serial-getty@ttyS0.service")
        },
        Case(
            "console by the port's name", .pi5, debian: 13, "the kernel's console is on /dev/serial0 (ttyAMA0)",
            "remove console=ttyAMA0,115200 from the line in /boot/firmware/cmdline.txt"
        ) { try $0.set(consoles: "console=ttyAMA0,115200 console=tty1") },
        Case(
            "console on Debian 11", .pi3, debian: 11, "the kernel's console is on /dev/serial0 (ttyS0)",
            "remove console=serial0,115200 from the line in /boot/cmdline.txt"
        ) { try $0.set(consoles: "console=serial0,115200 console=tty1") },
        Case(
            "login prompt", .pi3, debian: 13,
            "a login prompt is started on /dev/serial0 (ttyS0): serial-getty@ttyS0.service is enabled",
            "`sudo systemctl disable --now serial-getty@ttyS0.service`"
        ) {
            try $0.link(
                "/etc/systemd/system/getty.target.wants/serial-getty@ttyS0.service",
                to: "/lib/systemd/system/serial-getty@.service")
        },
        Case(
            "no UART", .pi4, debian: 13, "the UART on the pins 8 and 10 is not enabled",
            "add the line enable_uart=1 below [all] at the end of /boot/firmware/config.txt"
        ) {
            try $0.set(configuration: "dtparam=i2c_arm=on")
            try $0.remove("/dev/serial0", "/dev/ttyS0", "/sys/class/tty/ttyS0")
        },
        Case(
            "no UART on a Pi 5", .pi5, debian: 13, "the UART on the pins 8 and 10 is not enabled",
            "add the line dtparam=uart0=on below [all] at the end of /boot/firmware/config.txt"
        ) {
            try $0.set(configuration: "")
            try $0.remove("/dev/serial0", "/dev/ttyAMA0", "/sys/class/tty/ttyAMA0")
            // The debug connector's port is the first then.
            try $0.link("/dev/serial0", to: "ttyAMA10")
        },
        Case(
            "not restarted", .pi4, debian: 12,
            "the UART on the pins 8 and 10 is enabled in /boot/firmware/config.txt, but there is no such port",
            "restart the Raspberry Pi"
        ) { try $0.remove("/dev/serial0", "/dev/ttyS0", "/sys/class/tty/ttyS0") },
        Case(
            "Bluetooth", .pi3, debian: 12, source: "serial:/dev/ttyAMA0@9600",
            "/dev/ttyAMA0 is connected to the Bluetooth chip, not to the pins 8 and 10",
            "add the line dtoverlay=disable-bt (or dtoverlay=miniuart-bt, which leaves a slower Bluetooth) below [all] "
                + "at the end of /boot/firmware/config.txt, run `sudo systemctl disable hciuart`, then restart"
        ) {
            try $0.link("/etc/systemd/system/multi-user.target.wants/hciuart.service", to: "/lib/x")
        },
        Case(
            "Bluetooth has it without a port", .pi4, debian: 13, source: "serial:/dev/ttyAMA0",
            "/dev/ttyAMA0 is connected to the Bluetooth chip, not to the pins 8 and 10", "dtoverlay=disable-bt"
        ) { try $0.remove("/dev/ttyAMA0", "/dev/serial1", "/sys/class/tty/ttyAMA0") },
        Case(
            "core clock", .pi3, debian: 12,
            "the baud rate of /dev/serial0 (ttyS0) changes with the clock of the Raspberry Pi's core",
            "add the line enable_uart=1, which fixes that clock, below [all] at the end of /boot/firmware/config.txt"
        ) { try $0.set(configuration: "dtparam=uart1=on") },
        Case(
            "renamed", .pi5, debian: 13, source: "serial:/dev/ttyAMA10@9600",
            "there is no /dev/ttyAMA10: the port on the pins 8 and 10 is called /dev/ttyAMA0 now",
            "write source = \"serial:/dev/serial0\" in /etc/locationd/conf.d/10-receiver.toml"
        ) { try $0.remove("/dev/ttyAMA10", "/sys/class/tty/ttyAMA10") },
        Case(
            "debug connector", .pi5, debian: 12, source: "serial:/dev/ttyAMA10",
            "/dev/ttyAMA10 is the port of the debug connector, not of the pins 8 and 10",
            "write source = \"serial:/dev/serial0\" in /etc/locationd/conf.d/10-receiver.toml"
        ) { _ in },
        Case(
            "no pulses", .pi4, debian: 13, "there is no /dev/pps0",
            "add the line dtoverlay=pps-gpio,gpiopin=18 below [all] at the end of /boot/firmware/config.txt"
        ) {
            try $0.set(
                source: "serial:/dev/serial0",
                more: "[time]\nchrony-socket = \"/run/chrony.locationd.sock\"\npps = \"/dev/pps0\"\n")
        },
        Case(
            "ModemManager", .pi4, debian: 12, "ModemManager (process 700, ModemManager.service) has /dev/serial0 open",
            "put KERNEL==\"ttyS0\", ENV{ID_MM_DEVICE_IGNORE}=\"1\" into /etc/udev/rules.d/82-receiver.rules"
        ) {
            try $0.add(
                process: 700, "ModemManager", port: "ttyS0", group: "/system.slice/ModemManager.service")
        },
        Case(
            "gpsd", .pi5, debian: 12, "gpsd (process 701, gpsd.service) has /dev/serial0 open",
            "`sudo systemctl disable --now gpsd.socket gpsd.service`"
        ) { try $0.add(process: 701, "gpsd", port: "ttyAMA0", group: "/system.slice/gpsd.service") },
        Case(
            "minicom", .pi3, debian: 13, "minicom (process 702, session-3.scope) has /dev/serial0 open",
            "`sudo kill 702`"
        ) {
            try $0.add(
                process: 702, "minicom", port: "ttyS0", group: "/user.slice/user-1000.slice/session-3.scope")
        },
        Case(
            "a login prompt that runs", .pi4, debian: 13,
            "agetty (process 703, serial-getty@ttyS0.service) has /dev/serial0 open",
            "`sudo systemctl disable --now serial-getty@ttyS0.service`"
        ) {
            try $0.link(
                "/etc/systemd/system/getty.target.wants/serial-getty@ttyS0.service",
                to: "/lib/systemd/system/serial-getty@.service")
            try $0.add(
                process: 703, "agetty", port: "ttyS0",
                group: "/system.slice/system-serial\\x2dgetty.slice/serial-getty@ttyS0.service")
        },
    ]

    /// The same files on a PC cause no finding: its ports are different.
    @Test(arguments: causes.filter { !$0.what.contains("process") && !$0.what.contains("/dev/ttyAMA") })
    func nothingIsSaidOnAnotherMachine(_ example: Case) throws {
        let board = try SampleBoard(example.model, debian: example.release, source: "serial:/dev/ttyUSB0")
        try example.change(board)
        try board.write("", to: "/dev/ttyUSB0")
        try board.set(source: "serial:/dev/ttyUSB0")
        for model in ["", "Pine64 RockPro64\0"] {
            try board.write(model, to: "/proc/device-tree/model")
            let findings = board.findings.filter { $0.verdict != .ok }
            #expect(findings.isEmpty, "\(findings.text)")
        }
    }

    /// A Raspberry Pi comes with a console on the pins, which does not disturb a receiver on USB.
    @Test func aReceiverElsewhereIsNotConcerned() throws {
        let board = try SampleBoard(.pi4, debian: 13, source: "serial:/dev/ttyUSB0")
        try board.write("", to: "/dev/ttyUSB0")
        try board.set(consoles: "console=serial0,115200 console=tty1")
        #expect(board.findings.allSatisfy { $0.verdict == .ok }, "\(board.findings.text)")
    }

    /// Without any receiver, there may be an unconfigured HAT.
    @Test func aHATMayBeThereThatNobodyHasConfigured() throws {
        let board = try SampleBoard(.pi4, debian: 13)
        try board.set(consoles: "console=serial0,115200 console=tty1")
        try board.remove("/etc/locationd/conf.d/10-receiver.toml")
        let findings = board.findings.filter { $0.verdict != .ok }
        #expect(findings.map(\.verdict) == [.problem, .note], "\(findings.text)")
        #expect(findings[0].what == "no receiver is configured or found")
        #expect(findings[1].what == "the kernel's console is on /dev/serial0 (ttyS0)")
        #expect(findings[1].why?.hasPrefix("if there is a receiver on the pins 8 and 10: ") == true)
    }

    /// Users need no group for a receiver: the daemon's user has it.
    @Test func groupsOfTheUserDoNotMatter() throws {
        let board = try SampleBoard(.pi4, debian: 13)
        #expect(!board.findings.text.contains("dialout"))
    }
}
