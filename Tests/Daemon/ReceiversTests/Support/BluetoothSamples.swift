import Bus

@testable import Receivers

/// BlueZ's data about an adapter and a device.
enum BluetoothSamples {
    static let address = "10:C6:FC:12:34:56"
    static let adapterPath = "/org/bluez/hci0"
    static let devicePath = "/org/bluez/hci0/dev_10_C6_FC_12_34_56"

    static func adapter(
        path: String = adapterPath, isPowered: Bool = true, state: String? = nil
    ) -> BluetoothObject {
        var values: [String: BusValue] = ["Address": .string("00:AA:01:00:00:42"), "Powered": .boolean(isPowered)]
        values["PowerState"] = state.map { .string($0) }
        return object(path, BlueZ.adapter, values)
    }

    static func device(
        at adapter: String = adapterPath, services: [String] = [BlueZ.serialPort], isPaired: Bool = true,
        _ others: [String: BusValue] = [:]
    ) -> BluetoothObject {
        let values: [String: BusValue] = [
            "Address": .string(address), "Alias": .string("GLO #1"), "Adapter": .objectPath(adapter),
            "Paired": .boolean(isPaired), "UUIDs": .strings(services),
        ]
        return object(
            adapter + "/dev_10_C6_FC_12_34_56", BlueZ.device, values.merging(others) { $1 })
    }

    static func output(of device: String = devicePath) -> BluetoothObject {
        object(
            device + "/service0010/char0011", BlueZ.characteristic,
            ["UUID": .string(BlueZ.nordicUARTOutput.uppercased())])
    }

    static func object(_ path: String, _ interface: String, _ values: [String: BusValue]) -> BluetoothObject {
        var object = BluetoothObject(path: path)
        for (name, value) in values { object.set(name, of: interface, to: value) }
        return object
    }
}
