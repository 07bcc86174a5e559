internal import Receivers

/// A Bluetooth device that may be a receiver: it is paired, and offers the serial port profile or Nordic's UART
/// service.
struct BluetoothFacts: Sendable, Equatable {
    /// The address, such as `10:C6:FC:12:34:56`.
    var address: String
    /// The name, or the address if it has none.
    var name: String

    /// Returns the devices that BlueZ knows, without starting it.
    static func all() -> [BluetoothFacts] {
        ManagedObjects(of: BlueZ.service, at: BlueZ.path).map(devices) ?? []
    }

    /// Returns the devices in the output of `busctl --json=short call`, in the order of their paths.
    static func parse(_ text: String) -> [BluetoothFacts] { ManagedObjects(parsing: text).map(devices) ?? [] }

    private static func devices(_ reply: ManagedObjects) -> [BluetoothFacts] {
        reply.objects.compactMap { path, interfaces in
            var object = BluetoothObject(path: path)
            for (interface, properties) in interfaces {
                for (name, value) in properties {
                    if let value = value.bus { object.set(name, of: interface, to: value) }
                }
            }
            guard object.isPossibleReceiver else { return nil }
            return BluetoothFacts(address: object.address, name: object.name)
        }
    }
}
