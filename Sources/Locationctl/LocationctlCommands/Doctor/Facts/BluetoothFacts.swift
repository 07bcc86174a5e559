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
        (BusQuestion.objects(of: BlueZ.service, at: BlueZ.path, BluetoothObject.list) ?? []).compactMap(
            BluetoothFacts.init)
    }

    init?(_ object: BluetoothObject) {
        guard object.isPossibleReceiver else { return nil }
        self.init(address: object.address, name: object.name)
    }

    init(address: String, name: String) {
        (self.address, self.name) = (address, name)
    }
}
