internal import LocationctlSupport

/// A Raspberry Pi: the facts from its kernel and its boot files.
struct RaspberryPiFacts: Sendable, Equatable {
    var model: Model
    /// The path of `config.txt`, which is in another folder since Debian 12.
    var configurationFile = "/boot/firmware/config.txt"
    /// The settings in `config.txt`, or `nil` if the file cannot be read.
    var configuration: BootConfiguration?
    /// The path of `cmdline.txt`, the kernel's command line from the next start on.
    var commandLineFile = "/boot/firmware/cmdline.txt"
    /// The kernel's consoles on serial ports.
    var consoles: [Console] = []
    /// The serial ports on the board by name, such as `ttyAMA0`.
    var ports: [String: UART] = [:]
    /// The name of the port that `/dev/serial0` leads to, or `nil` if there is no such link.
    var primary: String?
    /// The names of the ports with a login prompt started by systemd.
    var loginPorts: Set<String> = []
    /// A Boolean value indicating whether the service that attaches a Bluetooth chip to the UART is enabled.
    var isHCIUARTEnabled = false
    /// The PPS device in locationd's configuration if it does not exist, otherwise `nil`.
    var missingPulseDevice: String?

    /// A UART of the board, by its node in the device tree.
    enum UART: Sendable, Equatable {
        /// The PL011 that can be on the pins 8 and 10, with a clock of its own.
        case full
        /// The mini UART, whose baud rate follows the core clock.
        case mini
        /// The UART of the Pi 5's debug connector.
        case debug
        /// Another UART, or a UART with an unknown node.
        case other

        /// Identifies the UART by the name of its node in the device tree: bcm283x.dtsi, bcm2712.dtsi, rp1.dtsi.
        init(node: String?) {
            self =
                switch node {
                case "serial@7e201000", "serial@30000", "serial@40030000": .full
                case "serial@7e215040": .mini
                case "serial@7d001000": .debug
                default: .other
                }
        }
    }

    /// A console of the kernel.
    struct Console: Sendable, Equatable {
        /// The name of the port.
        var port: String
        /// The word in `cmdline.txt` that makes the port a console.
        var word: String
    }

    /// The model, by the name that the firmware gives it.
    struct Model: Sendable, Equatable {
        /// The name, such as `Raspberry Pi 4 Model B Rev 1.4`.
        var name: String

        /// Creates the model from its name, or `nil` if it is not a Raspberry Pi.
        init?(_ name: String) {
            guard name.hasPrefix("Raspberry Pi ") else { return nil }
            self.name = name
        }

        private func isNamed(_ beginnings: String...) -> Bool {
            let rest = name.dropFirst("Raspberry Pi ".count)
            return beginnings.contains { beginning in
                rest == beginning || rest.hasPrefix(beginning + " ")
            }
        }

        /// A Boolean value indicating whether the board has the UARTs of a Pi 5.
        var isPi5: Bool { isNamed("5", "500", "Compute Module 5") }

        /// A Boolean value indicating whether the board has a Bluetooth chip, which uses the better UART by default.
        var hasBluetooth: Bool {
            isNamed("3", "4", "400", "Compute Module 4", "Zero W", "Zero 2 W")
        }

        /// The names of the sections of `config.txt` that apply.
        var filters: Set<String> {
            let table: [(Bool, Set<String>)] = [
                (isNamed("5"), ["pi5"]), (isNamed("500"), ["pi5", "pi500"]),
                (isNamed("Compute Module 5"), ["pi5", "cm5"]),
                (isNamed("4"), ["pi4"]), (isNamed("400"), ["pi4", "pi400"]),
                (isNamed("Compute Module 4", "Compute Module 4S"), ["pi4", "cm4", "cm4s"]),
                (isNamed("3", "Compute Module 3"), ["pi3", "pi3+", "cm3"]),
                (isNamed("2"), ["pi2"]), (isNamed("Zero", "Zero W", "Zero 2 W"), ["pi0", "pi0w", "pi02"]),
                (isNamed("Model", "Compute Module"), ["pi1", "cm1"]),
            ]
            return table.first { $0.0 }?.1 ?? []
        }
    }
}

extension RaspberryPiFacts {
    /// Returns the kernel's consoles on serial ports.
    ///
    /// - Parameters:
    ///   - running: The command line of the running kernel. The firmware writes the port for `serial0` there.
    ///   - file: The text of `cmdline.txt`, which names the word to remove.
    ///   - primary: The port to which `/dev/serial0` leads.
    static func consoles(running: String, file: String, primary: String?) -> [Console] {
        func consoles(_ text: String) -> [Console] {
            text.split(whereSeparator: \.isWhitespace).compactMap { word in
                guard word.hasPrefix("console=") else { return nil }
                let name = word.dropFirst("console=".count).prefix { $0 != "," }
                guard name.hasPrefix("serial") || name.hasPrefix("ttyAMA") || name.hasPrefix("ttyS") else { return nil }
                return Console(
                    port: name == "serial0" ? primary ?? "serial0" : String(name), word: String(word))
            }
        }
        let written = consoles(file)
        return consoles(running).map { console in
            written.first { $0.port == console.port } ?? written.first { $0.word.hasPrefix("console=serial") }
                .map { Console(port: console.port, word: $0.word) } ?? console
        }
    }

    /// The name of the port on the pins 8 and 10, which HATs use, or `nil` if there is no such port.
    var headerPort: String? {
        if model.isPi5 {
            return ports.first { $0.value == .full }?.key ?? (ports["ttyAMA0"] == .other ? "ttyAMA0" : nil)
        }
        return primary ?? (ports["ttyS0"] == .mini ? "ttyS0" : nil)
    }

    /// The line of `config.txt` that enables the UART on the pins 8 and 10.
    var enablingLine: String { model.isPi5 ? "dtparam=uart0=on" : "enable_uart=1" }

    /// A Boolean value indicating whether `config.txt` keeps Bluetooth off the better UART, by disabling it or by
    /// giving it the other UART.
    var isBluetoothMoved: Bool {
        configuration.map { !$0.overlays.isDisjoint(with: Self.bluetoothOverlays) } ?? false
    }

    private static let bluetoothOverlays: Set = [
        "disable-bt", "pi3-disable-bt", "miniuart-bt", "pi3-miniuart-bt", "disable-bt-pi5",
    ]
}

/// The settings in a Raspberry Pi's `config.txt`, as the firmware reads them.
///
/// Sources: the Raspberry Pi documentation, "config.txt" (conditional filters, `include`), and the firmware's
/// `overlays/README`.
struct BootConfiguration: Sendable, Equatable {
    /// The last value of each key, apart from `dtparam` and `dtoverlay`.
    private(set) var values: [String: String] = [:]
    /// The values of the device tree's parameters; `on` for a parameter without a value.
    private(set) var parameters: [String: String] = [:]
    /// The names of the device tree overlays.
    private(set) var overlays: Set<String> = []

    /// The maximum depth of includes, since files can include each other.
    private static let maximumDepth = 8

    /// Parses the text of the file.
    ///
    /// - Parameters:
    ///   - filters: The names of the sections that apply to the machine, such as `pi4`. A section with a condition
    ///     other than a model counts as applicable, so that no setting is reported as missing that may be present.
    ///   - include: Returns the text of an included file, or `nil` if it cannot be read.
    init(_ text: String, filters: Set<String>, include: (String) -> String? = { _ in nil }) {
        parse(text, filters, include, depth: 0)
    }

    private mutating func parse(
        _ text: String, _ filters: Set<String>, _ include: (String) -> String?, depth: Int
    ) {
        guard depth < Self.maximumDepth else { return }
        var applies = true
        for line in text.split(whereSeparator: \.isNewline) {
            let line = line.prefix { $0 != "#" }.trimmed
            if line.hasPrefix("["), line.hasSuffix("]") {
                applies = Self.applies(line.dropFirst().dropLast().lowercased(), filters)
            } else if applies, line.hasPrefix("include "), let included = include(String(line.dropFirst(8).trimmed)) {
                parse(included, filters, include, depth: depth + 1)
            } else if applies, let equals = line.firstIndex(of: "=") {
                set(String(line[..<equals].trimmed), line[line.index(after: equals)...].trimmed)
            }
        }
    }

    private static func applies(_ filter: String, _ filters: Set<String>) -> Bool {
        guard filter != "none" else { return false }
        return !(filter.hasPrefix("pi") || filter.hasPrefix("cm")) || filters.contains(filter)
    }

    private mutating func set(_ key: String, _ value: Substring) {
        switch key {
        case "dtoverlay", "device_tree_overlay": overlays.insert(String(value.prefix { $0 != "," }.trimmed))
        case "dtparam", "device_tree_param":
            for parameter in value.split(separator: ",") {
                let parts = parameter.split(separator: "=", maxSplits: 1)
                guard let name = parts.first else { continue }
                parameters[String(name.trimmed)] = parts.count > 1 ? String(parts[1].trimmed) : "on"
            }
        default: values[key] = String(value)
        }
    }

    /// Returns whether a parameter of the device tree is switched on.
    func isOn(_ parameter: String) -> Bool {
        parameters[parameter].map { ["on", "1", "true", "yes", "okay"].contains($0) } ?? false
    }
}
