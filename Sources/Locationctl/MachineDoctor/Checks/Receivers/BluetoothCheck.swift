internal import LocationProtocol
internal import LocationctlSupport

/// The checks for configured Bluetooth receivers and, if locationd has no other receiver, for Bluetooth devices that
/// may be receivers; and for beacons.
enum BluetoothCheck {
    /// The charge below which a battery is reported, in percent.
    static let leastCharge = 15

    static func findings(in facts: Facts) -> [Finding] {
        let beacons = facts.service.missingBeacons.map { [missingBeacons($0)] } ?? []
        guard !facts.receivers.isEmpty else { return facts.bluetooth.map(candidate) + beacons }
        let isBluetoothUsed = facts.receivers.contains { $0.specification.hasPrefix("bluetooth:") }
        return (isBluetoothUsed ? blocked(facts.bluetoothSwitch) : []) + facts.receivers.compactMap(battery) + beacons
    }

    private static func missingBeacons(_ reason: String) -> Finding {
        .problem(
            translated("Bluetooth beacons cannot be found: {reason}", ["reason": reason]),
            why: translated("an app ranges beacons, or monitors beacon regions"),
            advice: translated("see `bluetoothctl show` for the state of the adapter"))
    }

    private static func candidate(_ device: BluetoothFacts) -> Finding {
        .note(
            translated(
                "the Bluetooth device {device} may be a receiver that locationd does not use", ["device": device.name]),
            advice: translated(
                "`sudo locationctl setup --port bluetooth:{address}` makes locationd read it",
                ["address": device.address]))
    }

    private static func blocked(_ state: BluetoothSwitch) -> [Finding] {
        if state.isBlockedByHardware {
            return [
                .problem(
                    translated("Bluetooth is blocked by a switch of this machine"),
                    why: translated("no Bluetooth receiver can be read"),
                    advice: translated("use that switch or its key, or enable Bluetooth in the firmware's settings"))
            ]
        }
        guard state.isBlockedBySoftware else { return [] }
        return [
            .problem(
                translated("Bluetooth is blocked on this machine, as in flight mode"),
                why: translated("no Bluetooth receiver can be read"),
                advice: translated("run `sudo rfkill unblock bluetooth`, or leave flight mode"))
        ]
    }

    private static func battery(_ receiver: ReceiverSummary) -> Finding? {
        guard let battery = receiver.battery, battery < leastCharge else { return nil }
        return .note(
            translated(
                "the battery of {receiver} is at {percent} %", ["receiver": receiver.name, "percent": "\(battery)"]),
            why: translated("the receiver is lost when it is empty"),
            advice: translated("charge it"))
    }
}
