internal import Devices
internal import LocationProtocol
internal import LocationctlSupport

extension SetupPort {
    /// The kinds of serial ports that may have a receiver.
    private static let kinds: Set<Substring> = ["ttyACM", "ttyUSB", "ttyS", "ttyAMA"]

    /// Returns the serial ports of the machine: ports on USB and receivers on any bus, as udev knows them, and ports of
    /// the board.
    ///
    /// - Parameters:
    ///   - receivers: The daemon's receivers.
    ///   - named: A port that the user named, which is added if it is not among the others.
    static func all(_ root: SystemRoot, receivers: [ReceiverSummary], named: String?) -> [SetupPort] {
        var ports = root.isMachine ? DeviceFacts.all().map(SetupPort.init) : []
        for name in root.names(in: "/sys/class/tty") where kinds.contains(name.prefix { !$0.isNumber }) {
            guard isPresent(name, root), !ports.contains(where: { $0.names.contains("/dev/\(name)") }) else { continue }
            ports.append(SetupPort(onBoard: name, root))
        }
        if root.isMachine, let modem = SetupPort(ModemFacts.all(), named: named) { ports.append(modem) }
        if root.isMachine { ports += BluetoothFacts.all().map(SetupPort.init) }
        if let named, !ports.contains(where: { $0.names.contains(named) || $0.source == named }) {
            let node = root.resolved(named)
            if let index = node.flatMap({ node in ports.firstIndex { $0.names.contains(node) } }) {
                ports[index].names.insert(named)
            } else if node != nil {
                ports.append(SetupPort(path: named, names: [named], source: "serial:\(named)"))
            }
        }
        return ports.map { $0.withUser(receivers, root) }
    }

    /// Returns whether there is hardware behind a port: the kernel reserves some ports, with type 0 (PORT_UNKNOWN,
    /// linux/serial_core.h).
    private static func isPresent(_ name: String, _ root: SystemRoot) -> Bool {
        let folder = "/sys/class/tty/\(name)"
        return root.exists("/dev/\(name)") && root.exists(folder + "/device")
            && root.text(folder + "/type").map { $0.prefix { $0.isNumber } } != "0"
    }

    private init(_ device: DeviceFacts) {
        self.init(
            path: device.node, names: Set(device.links).union([device.node]), product: device.product,
            source: device.source)
        if device.isModemPort, !device.isReceiver {
            obstacle = translated("a modem's port, which is left to ModemManager")
        }
    }

    /// Returns the receiver in the named modem or, if none is named, in any modem.
    init?(_ modems: [ModemFacts], named: String?) {
        let source = named.flatMap { $0.hasPrefix("modem:") ? $0 : nil } ?? "modem:"
        let name = String(source.dropFirst("modem:".count))
        guard let modem = modems.first(where: { $0.hasReceiver && (name.isEmpty || $0.names.contains(name)) }) else {
            return nil
        }
        self.init(path: source, names: [source], product: modem.model, source: source, service: "ModemManager")
    }

    private init(_ device: BluetoothFacts) {
        let source = "bluetooth:\(device.address)"
        self.init(path: source, names: [source], product: device.name, source: source, service: "BlueZ")
    }

    private init(onBoard name: String, _ root: SystemRoot) {
        let node = root.path("/dev/\(name)")
        let stable = root.path("/dev/serial0")
        // The stable name, whatever the kernel calls the port.
        let path = root.resolved("/dev/serial0") == root.resolved("/dev/\(name)") ? stable : node
        self.init(path: path, names: [path, node], source: "serial:\(path)")
    }

    /// Returns the port with the program that has it open.
    private func withUser(_ receivers: [ReceiverSummary], _ root: SystemRoot) -> SetupPort {
        var port = self
        let reader = receivers.first { receiver in
            guard [.connecting, .searching, .running].contains(receiver.state) else { return false }
            if let node = receiver.port, names.contains(node) { return true }
            return receiver.specification == source
        }
        if let reader {
            port.obstacle = translated("locationd reads it")
            port.isDaemons = true
            port.heard = reader
        } else if service == nil, let holder = PortFacts(path: path).holder {
            // Translators: A serial port is in use by another program.
            port.obstacle = translated("in use by {program}", ["program": holder.description])
        }
        return port
    }
}
