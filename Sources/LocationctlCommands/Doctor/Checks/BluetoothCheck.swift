/// The check for a Bluetooth device that may be a receiver, where locationd has no other.
enum BluetoothCheck {
    static func findings(in facts: Facts) -> [Finding] {
        guard facts.receivers.isEmpty else { return [] }
        return facts.bluetooth.map { device in
            .note(
                "the Bluetooth device \(device.name) may be a receiver that locationd does not use",
                advice: "`sudo locationctl setup --port bluetooth:\(device.address)` has locationd read it")
        }
    }
}
