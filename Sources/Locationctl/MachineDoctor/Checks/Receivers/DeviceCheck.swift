internal import Devices
internal import LocationctlSupport

/// The check of the devices that are plugged in: whether udev's rules were applied to receivers, and which other
/// serial ports may be receivers.
enum DeviceCheck {
    private static let replay = "`sudo udevadm control --reload && sudo udevadm trigger`"

    static func findings(in facts: Facts) -> [Finding] {
        rules(facts) + facts.devices.compactMap { finding(about: $0, facts) }
    }

    private static func rules(_ facts: Facts) -> [Finding] {
        guard facts.isInstalled else { return [] }
        guard facts.system.hasUdev else {
            return [
                .note(
                    translated("udev is not running"),
                    why: translated("receivers that are plugged in are not found automatically"),
                    advice: translated("add them to /etc/locationd/locationd.toml"))
            ]
        }
        guard facts.system.receiverRules == nil else { return [] }
        return [
            .problem(
                translated("udev has no rules for receivers (81-locationd.rules)"),
                why: translated("receivers that are plugged in are not found automatically"),
                advice: translated("install the package locationd again, then run {command}", ["command": replay]))
        ]
    }

    private static func finding(about device: DeviceFacts, _ facts: Facts) -> Finding? {
        let name = "\(device.node) (\(device.product))"
        guard device.isReceiver else {
            if device.isMeant(byOneOf: facts.receivers) { return nil }
            guard device.isInHardwareDatabase else { return unnamed(device, name, facts) }
            guard facts.system.receiverRules != nil else { return nil }
            return .problem(
                translated("udev has not marked {device} as a receiver, although its rules list it", ["device": name]),
                why: translated("locationd does not find it"),
                advice: replay)
        }
        guard
            let missing = device.links.filter({ $0.hasPrefix("/dev/gnss-") }).first(where: {
                !device.existingLinks.contains($0)
            })
        else {
            return .ok(translated("udev knows {device} as a receiver", ["device": name]))
        }
        return .note(
            translated("the link {link} to {device} is missing", ["link": missing, "device": name]),
            advice: replay)
    }

    /// Returns a note about a device that may be a receiver. A USB serial converter could be anything, and most do not
    /// report what is connected to them. If the daemon does not list its receivers, it is unknown whether the device is
    /// already configured.
    private static func unnamed(_ device: DeviceFacts, _ name: String, _ facts: Facts) -> Finding? {
        guard !device.isModemPort, facts.service.receivers != nil else { return nil }
        return .note(
            translated(
                "{device} may be a receiver; locationd does not open a serial port that is not configured",
                ["device": name]),
            advice: translated(
                """
                if it is one, add [[receiver]] with source = "{source}" to /etc/locationd/locationd.toml (with \
                discover = true at the top, to keep finding other receivers automatically), then run `sudo systemctl \
                reload locationd`
                """, ["source": device.source]))
    }
}
