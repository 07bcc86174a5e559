import Bus

/// BlueZ on the system bus: the names of its API, and the services of a device that matter here.
package enum BlueZ {
    /// The name of the service.
    package static let service = "org.bluez"
    /// The object that lists all others.
    package static let path = "/"
    /// The interface of an adapter, this machine's end of Bluetooth.
    package static let adapter = "org.bluez.Adapter1"
    /// The interface of a device that was found or paired.
    package static let device = "org.bluez.Device1"
    /// The interface of a device whose battery is known.
    package static let battery = "org.bluez.Battery1"
    /// The interface of a characteristic of a device.
    static let characteristic = "org.bluez.GattCharacteristic1"
    /// The interface, and the object, for registering profiles.
    static let profileManager = "org.bluez.ProfileManager1"
    static let profileManagerPath = "/org/bluez"
    /// The interface that BlueZ calls on a profile, and the daemon's object with it.
    static let profile = "org.bluez.Profile1"
    static let profilePath = "/io/locationd/serial"

    /// The service class of the serial port profile: Bluetooth Assigned Numbers.
    static let serialPort = "00001101-0000-1000-8000-00805f9b34fb"
    /// Nordic's UART service, and the characteristic whose notifications carry the device's output: nRF Connect SDK.
    static let nordicUART = "6e400001-b5a3-f393-e0a9-e50e24dcca9e"
    static let nordicUARTOutput = "6e400003-b5a3-f393-e0a9-e50e24dcca9e"
}

/// The way a device sends sentences.
enum BluetoothLink: Equatable {
    /// The serial port profile.
    case serialPort
    /// Nordic's UART service, over Bluetooth Low Energy.
    case nordicUART
}

extension DescriptorConnection {
    /// Makes a call of a session. Returns its cookie, or `nil` if it cannot be made.
    func call(_ call: BluetoothStateMachine.Call) -> UInt64? {
        let service = service ?? ""
        switch call {
        case .getOwner:
            return self.call(
                BusDriver.getNameOwner, of: BusDriver.name, at: BusDriver.path, on: BusDriver.name,
                [.string(BlueZ.service)])
        case .getObjects:
            return self.call(
                BusMessage.getManagedObjects, of: BusMessage.objectManager, at: BlueZ.path, on: service, [])
        case .register:
            // Without AutoConnect, no connection is made to any other device that has a serial port, such as a printer.
            let options = [
                PropertyValue("Name", .string("locationd")), PropertyValue("Role", .string("client")),
                PropertyValue("RequireAuthentication", .boolean(true)), PropertyValue("AutoConnect", .boolean(false)),
            ]
            return self.call(
                "RegisterProfile", of: BlueZ.profileManager, at: BlueZ.profileManagerPath, on: service,
                [.objectPath(BlueZ.profilePath), .string(BlueZ.serialPort), .properties(options)])
        case .connectProfile(let device):
            return self.call(
                "ConnectProfile", of: BlueZ.device, at: device, on: service, [.string(BlueZ.serialPort)])
        case .connect(let device): return self.call("Connect", of: BlueZ.device, at: device, on: service, [])
        case .acquire(let characteristic):
            return self.call(
                "AcquireNotify", of: BlueZ.characteristic, at: characteristic, on: service, [.properties([])])
        case .disconnect(let device):
            return self.call("Disconnect", of: BlueZ.device, at: device, on: service, [])
        }
    }

    /// Gives the serial port profile back. The reply does not matter.
    func unregisterProfile() {
        _ = call(
            "UnregisterProfile", of: BlueZ.profileManager, at: BlueZ.profileManagerPath, on: service ?? "",
            [.objectPath(BlueZ.profilePath)])
    }
}
