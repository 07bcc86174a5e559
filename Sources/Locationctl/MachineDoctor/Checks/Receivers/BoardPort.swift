internal import Devices
internal import LocationctlSupport

/// A serial port on the board of a Raspberry Pi that has a receiver, or may have one.
struct BoardPort {
    /// The path as it is configured, such as `/dev/serial0`.
    let path: String
    /// The kernel's name of the port that the path leads to, such as `ttyS0`.
    let name: String
    /// A Boolean value indicating whether there is such a port.
    let exists: Bool
    /// A Boolean value indicating whether a receiver is configured there. Otherwise there is no receiver anywhere, and
    /// a HAT may be waiting on the pins 8 and 10.
    let isConfigured: Bool

    /// A Boolean value indicating whether the port can be on the pins 8 and 10.
    var isOnHeader: Bool { ["serial0", "ttyAMA0", "ttyAMA10", "ttyS0"].contains(name) }

    /// The path, and the port's own name if the path is a link.
    var description: String { path.hasSuffix("/" + name) ? path : "\(path) (\(name))" }

    /// Returns a finding about the port.
    func finding(_ what: String, why: String, advice: String) -> Finding {
        isConfigured
            ? .problem(what, why: why, advice: advice)
            : .note(
                what,
                why: translated("if there is a receiver on the pins 8 and 10: {reason}", ["reason": why]),
                advice: advice)
    }
}

extension Facts {
    /// The serial ports on the board with a configured receiver or, if there is no receiver at all, the port of a HAT.
    /// Empty if the machine is not a Raspberry Pi.
    var boardPorts: [BoardPort] {
        guard let raspberryPi else { return [] }
        let configured = ports.compactMap { port -> BoardPort? in
            guard let name = port.node.split(separator: "/").last.map(String.init),
                ["ttyAMA", "ttyS", "serial"].contains(name.prefix { !$0.isNumber })
            else { return nil }
            return BoardPort(path: port.path, name: name, exists: port.file != nil, isConfigured: true)
        }
        let hasReceiver =
            !receivers.isEmpty || !self.configured.receivers.isEmpty || devices.contains { $0.isReceiver }
        guard !hasReceiver else { return configured }
        let name = raspberryPi.headerPort
        return [
            BoardPort(
                path: "/dev/serial0", name: name ?? "serial0", exists: name != nil, isConfigured: false)
        ]
    }

    /// Returns the findings of a check of one port of a Raspberry Pi, for all such ports.
    func boardFindings(_ check: (BoardPort, RaspberryPiFacts) -> Finding?) -> [Finding] {
        guard let raspberryPi else { return [] }
        return boardPorts.compactMap { check($0, raspberryPi) }
    }

    /// Returns whether a check of the Raspberry Pi explains the absence of a port.
    func isAbsenceExplained(of path: String) -> Bool {
        guard let raspberryPi, let port = boardPorts.first(where: { $0.path == path }) else { return false }
        return UARTCheck.finding(port, raspberryPi) != nil || BluetoothPortCheck.finding(port, raspberryPi) != nil
            || PortNameCheck.finding(port, raspberryPi, configured) != nil
    }
}
