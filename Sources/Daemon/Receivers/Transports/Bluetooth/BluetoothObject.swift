package import Bus

/// An object of BlueZ: an adapter, a device, or a device's characteristic, with the properties used here.
package struct BluetoothObject: Equatable, Sendable {
    /// The maximum number of objects that are read. A machine that searches for devices in a crowd knows many, and each
    /// device has several for its services.
    static let maximumCount = 8192
    /// The maximum length of a device's name in a message, in characters.
    private static let maximumNameLength = 40

    package let path: String
    /// The address of an adapter or a device, with capital letters, or an empty string.
    package private(set) var address = ""
    /// The name of a device, or an empty string.
    private(set) var alias = ""
    /// The path of a device's adapter, or an empty string for other objects.
    private(set) var adapter = ""
    /// A Boolean value indicating whether it is an adapter.
    private(set) var isAdapter = false
    package private(set) var isPowered = false
    /// The detailed state of an adapter, compared with ``isPowered``, or an empty string before BlueZ 5.65.
    private(set) var powerState = ""
    private(set) var isPaired = false
    private(set) var isTrusted = false
    private(set) var isConnected = false
    /// A Boolean value indicating whether the services of a connected device are known.
    private(set) var isResolved = false
    /// The charge of a device's battery in percent, or `nil` if BlueZ does not know it.
    private(set) var battery: Int?
    /// The service UUIDs of a device, or the UUID of a characteristic, in lower case.
    private(set) var identifiers: Set<String> = []

    package init(path: String) { self.path = path }

    /// Returns the objects in a reply of GetManagedObjects, or `nil` if it cannot be read.
    package static func list(_ reply: BusMessage) -> [BluetoothObject]? {
        reply.readObjects(upTo: maximumCount, BluetoothObject.init(path:)) { object, interface, property in
            guard isRead(property, of: interface) else { return false }
            if let value = reply.readVariant({ _ in reply.readValue() }) {
                object.set(property, of: interface, to: value)
            }
            return true
        }
    }

    /// Returns the properties in the next argument that are used here.
    package static func readProperties(of interface: String, in message: BusMessage) -> [(
        name: String, value: BusValue
    )] {
        var properties: [(name: String, value: BusValue)] = []
        message.readProperties { name in
            guard isRead(name, of: interface) else { return false }
            if let value = message.readVariant({ _ in message.readValue() }) { properties.append((name, value)) }
            return true
        }
        return properties
    }

    /// Returns the properties in the next argument, a dictionary of interfaces, that are used here.
    static func readInterfaces(in message: BusMessage) -> [String: [(name: String, value: BusValue)]] {
        message.readDictionary(of: "sa{sv}", key: { message.readString() }) { readProperties(of: $0, in: message) }
            ?? [:]
    }

    private static let properties: [String: Set<String>] = [
        BlueZ.adapter: ["Address", "Powered", "PowerState"],
        BlueZ.device: [
            "Address", "Alias", "Adapter", "Paired", "Trusted", "Connected", "ServicesResolved", "UUIDs",
        ],
        BlueZ.battery: ["Percentage"], BlueZ.characteristic: ["UUID"],
    ]

    /// Returns whether a property is used here.
    static func isRead(_ property: String, of interface: String) -> Bool {
        properties[interface]?.contains(property) == true
    }

    /// Sets a property. A value of the wrong type is ignored.
    package mutating func set(_ property: String, of interface: String, to value: BusValue) {
        guard Self.isRead(property, of: interface) else { return }
        if interface == BlueZ.adapter { isAdapter = true }
        switch (property, value) {
        case ("Address", .string(let text)): address = text.uppercased()
        case ("Alias", .string(let text)): alias = text
        case ("Adapter", .objectPath(let path)): adapter = path
        case ("Powered", .boolean(let flag)): isPowered = flag
        case ("PowerState", .string(let text)): powerState = text
        case ("Paired", .boolean(let flag)): isPaired = flag
        case ("Trusted", .boolean(let flag)): isTrusted = flag
        case ("Connected", .boolean(let flag)): isConnected = flag
        case ("ServicesResolved", .boolean(let flag)): isResolved = flag
        case ("UUIDs", .strings(let texts)): identifiers = Set(texts.map { $0.lowercased() })
        case ("Percentage", .byte(let percent)): battery = percent <= 100 ? Int(percent) : nil
        case ("UUID", .string(let text)): identifiers = [text.lowercased()]
        default: break
        }
    }

    /// A Boolean value indicating whether it is a device.
    package var isDevice: Bool { !adapter.isEmpty }

    /// The name of a device for users, or its address.
    package var name: String { alias.isEmpty ? address : String(alias.prefix(Self.maximumNameLength)) }

    /// The way a device sends sentences, or `nil` if it is not supported.
    var link: BluetoothLink? {
        if identifiers.contains(BlueZ.serialPort) { return .serialPort }
        return identifiers.contains(BlueZ.nordicUART) ? .nordicUART : nil
    }

    /// A Boolean value indicating whether it is a device that may be a receiver and can be read.
    package var isPossibleReceiver: Bool { isDevice && link != nil && mayBeRead }

    /// A Boolean value indicating whether the user has decided that this machine exchanges data with the device.
    ///
    /// Attack: a person nearby has a device with the receiver's address. Only pairing proves that it is the receiver.
    /// Many devices with Nordic's service cannot be paired; for them, it suffices that the user trusts the address.
    var mayBeRead: Bool { isPaired || link == .nordicUART && isTrusted }
}

extension BluetoothObject {
    /// Returns the device with an address and its adapter, or the reason why it cannot be read.
    static func find(
        _ address: String, in objects: [BluetoothObject]
    ) -> Result<(device: BluetoothObject, adapter: BluetoothObject), ReceiverFailure> {
        let adapters = objects.filter(\.isAdapter)
        guard !adapters.isEmpty else {
            return .failure(ReceiverFailure(.missing, "this machine has no Bluetooth adapter that BlueZ can use"))
        }
        let found = objects.filter { $0.isDevice && $0.address == address }.compactMap { device in
            adapters.first { $0.path == device.adapter }.map { (device: device, adapter: $0) }
        }
        // A machine with two adapters may know the device at both.
        func rank(_ found: (device: BluetoothObject, adapter: BluetoothObject)) -> Int {
            (found.device.mayBeRead ? 2 : 0) + (found.adapter.isPowered ? 1 : 0)
        }
        guard let best = found.max(by: { rank($0) < rank($1) }) else {
            if let off = adapters.first(where: { !$0.isPowered }), adapters.count == 1 {
                return .failure(.switchedOff(off))
            }
            return .failure(
                ReceiverFailure(
                    .missing,
                    """
                    BlueZ does not know the device \(address): switch it on, and pair it in the desktop's settings or \
                    by `bluetoothctl --timeout 30 scan on` and `bluetoothctl pair \(address)`
                    """))
        }
        if !best.adapter.isPowered { return .failure(.switchedOff(best.adapter)) }
        if let obstacle = best.device.obstacle { return .failure(obstacle) }
        return .success(best)
    }

    /// The reason why a device cannot be read, or `nil` if there is none.
    private var obstacle: ReceiverFailure? {
        guard isPaired || isTrusted else {
            return ReceiverFailure(
                .unusable,
                "\(name) is not paired: pair it in the desktop's settings, or by `bluetoothctl pair \(address)`")
        }
        guard link != nil else {
            return ReceiverFailure(
                .unusable,
                """
                \(name) offers neither the serial port profile nor Nordic's UART service: if it is a phone, start its \
                program that sends NMEA 0183, and pair it again
                """)
        }
        guard mayBeRead else {
            return ReceiverFailure(.unusable, "\(name) is trusted, but not paired: `bluetoothctl pair \(address)`")
        }
        return nil
    }
}

extension ReceiverFailure {
    /// Returns the failure for an adapter that is off.
    package static func switchedOff(_ adapter: BluetoothObject) -> ReceiverFailure {
        if adapter.powerState == "off-blocked" {
            return ReceiverFailure(
                .unusable, "Bluetooth is blocked on this machine: run `sudo rfkill unblock bluetooth`")
        }
        return ReceiverFailure(
            .unusable,
            """
            the Bluetooth adapter is off: run `bluetoothctl power on`, after `sudo rfkill unblock bluetooth` if it is \
            blocked
            """)
    }
}

extension BusMessage {
    /// Returns the next argument if it is a string, a path, a Boolean value, a byte or a list of strings.
    func readValue() -> BusValue? {
        if let text = readString() { return .string(text) }
        if let path = readString("o") { return .objectPath(path) }
        if let flag = readBoolean() { return .boolean(flag) }
        if let byte = readByte() { return .byte(byte) }
        return readArray(of: "s") { readString() }.map { .strings($0) }
    }
}
