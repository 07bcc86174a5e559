internal import Devices
internal import LocationctlSupport

/// The check for ModemManager, which probes serial ports for modems by writing to them.
enum ModemManagerCheck {
    private static let file = "/etc/udev/rules.d/82-receiver.rules"
    private static var restart: String {
        translated(
            """
            `sudo udevadm trigger --settle && sudo systemctl restart ModemManager`, or unplug the receiver and \
            plug it in again
            """)
    }

    static func findings(in facts: Facts) -> [Finding] {
        guard facts.system.isModemManagerRunning else { return [] }
        return facts.devices.compactMap { device in
            guard !device.isIgnoredByModemManager, !device.isModemPort else { return nil }
            if device.isReceiver {
                return .problem(
                    translated(
                        "ModemManager is running, and is not configured to ignore {device} ({product})",
                        ["device": device.node, "product": device.product]),
                    why: translated("it writes AT commands to the receiver when you plug it in"),
                    advice: restart)
            }
            guard device.isMeant(byOneOf: facts.receivers) else { return nil }
            return .note(
                translated(
                    "ModemManager is running, and is not configured to ignore {device} ({product})",
                    ["device": device.node, "product": device.product]),
                why: translated("it may write AT commands to the receiver when you plug it in"),
                advice: translated(
                    "put {line} into {file}, then `sudo udevadm control --reload`, and plug it in again",
                    ["line": rule(for: device), "file": file]))
        }
    }

    /// Returns the advice for a port that ModemManager has open and must leave alone: a rule, if udev does not know the
    /// port as a receiver's.
    static func advice(for port: PortFacts, _ facts: Facts) -> String {
        let device = facts.devices.first { $0.node == port.node }
        guard device?.isReceiver != true else { return restart }
        let line = device.map { rule(for: $0) } ?? rule(forKernelName: port.node)
        return translated(
            """
            put {line} into {file}, then `sudo udevadm control --reload && sudo udevadm trigger --settle && sudo \
            systemctl restart ModemManager`
            """, ["line": line, "file": file])
    }

    private static func rule(forKernelName node: String) -> String {
        "KERNEL==\"\(node.split(separator: "/").last ?? "")\", ENV{ID_MM_DEVICE_IGNORE}=\"1\""
    }

    private static func rule(for device: DeviceFacts) -> String {
        let (key, value) =
            device.serialNumber.map { ("ENV{ID_SERIAL_SHORT}", $0) } ?? device.label.map { ("ENV{ID_SERIAL}", $0) }
            ?? ("KERNEL", device.node.split(separator: "/").last.map(String.init) ?? device.node)
        return "\(key)==\"\(value)\", ENV{ID_MM_DEVICE_IGNORE}=\"1\""
    }
}
