internal import Devices
internal import LocationProtocol
internal import LocationctlSupport
internal import Receivers

/// A serial port or receiver, and the programs that may use it.
@dynamicMemberLookup
struct DeviceFacts: Sendable, Equatable {
    var device: Device
    /// The existing links to the node.
    var existingLinks: Set<String> = []
    /// A Boolean value indicating whether udev's hardware database lists the device's USB ids as a receiver's.
    var isInHardwareDatabase = false
    /// A Boolean value indicating whether udev's rules make ModemManager ignore the device.
    var isIgnoredByModemManager = false
    /// A Boolean value indicating whether the port is a modem's, which ModemManager may use.
    var isModemPort = false
    /// A Boolean value indicating whether gpsd's rules hand the device to gpsd.
    var isClaimedByGPSD = false

    subscript<Value>(dynamicMember property: WritableKeyPath<Device, Value>) -> Value {
        get { device[keyPath: property] }
        set { device[keyPath: property] = newValue }
    }

    /// The `source` that names the device in the configuration.
    var source: String { device.specification.description }

    /// Returns whether one of the daemon's receivers is this device.
    func isMeant(byOneOf receivers: [ReceiverSummary]) -> Bool {
        receivers.contains { receiver in
            if let port = receiver.port, port == device.node || device.links.contains(port) { return true }
            return receiver.source.map { device.isMeant(by: $0) } ?? false
        }
    }
}

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

/// A switch that blocks Bluetooth on a machine: rfkill(8).
///
/// BlueZ distinguishes a blocked adapter from an adapter that is off only since version 5.65.
struct BluetoothSwitch: Sendable, Equatable {
    /// A Boolean value indicating whether an adapter is blocked by software.
    var isBlockedBySoftware = false
    /// A Boolean value indicating whether an adapter is blocked by a switch or the firmware.
    var isBlockedByHardware = false

    /// Reads the kernel's state of the adapters: Documentation/ABI/stable/sysfs-class-rfkill.
    static func of(_ root: SystemRoot) -> BluetoothSwitch {
        let folder = "/sys/class/rfkill"
        func value(_ file: String, of name: String) -> String? {
            root.text("\(folder)/\(name)/\(file)")?.split(separator: "\n").first.map(String.init)
        }
        var result = BluetoothSwitch()
        for name in root.names(in: folder) where value("type", of: name) == "bluetooth" {
            if value("soft", of: name) == "1" { result.isBlockedBySoftware = true }
            if value("hard", of: name) == "1" { result.isBlockedByHardware = true }
        }
        return result
    }
}

/// A modem that ModemManager knows.
struct ModemFacts: Sendable, Equatable {
    /// The model, such as `EC25`.
    var model = ""
    /// A Boolean value indicating whether the modem has a receiver that ModemManager can start now, and whose sentences
    /// it passes on. Otherwise the modem is off, has no SIM, or has no receiver.
    var hasReceiver = false
    /// The names that a receiver's source can use for it: its IMEI, its path on the bus, and its path in sysfs.
    var names: Set<String> = []

    /// Returns the modems that ModemManager knows, without starting it.
    static func all() -> [ModemFacts] {
        (BusQuestion.objects(of: ModemManager.service, at: ModemManager.path, Modem.list) ?? []).map(ModemFacts.init)
    }

    init(_ modem: Modem) {
        self.init(
            model: modem.model, hasReceiver: modem.hasReceiver && modem.state >= ModemManager.enabled,
            names: Set([modem.imei, modem.device, modem.path]).subtracting([""]))
    }

    init(model: String, hasReceiver: Bool, names: Set<String> = []) {
        (self.model, self.hasReceiver, self.names) = (model, hasReceiver, names)
    }
}
