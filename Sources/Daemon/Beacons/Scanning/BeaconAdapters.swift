internal import Bus
internal import NIOCore
internal import Receivers

/// The Bluetooth adapters that BlueZ knows, and the advertisements that they receive: BlueZ, doc/org.bluez.Adapter.rst
/// and doc/org.bluez.Device.rst. Confined to the event loop.
final class BeaconAdapters {
    /// The maximum number of adapters that are used.
    static let maximumCount = 8
    /// The maximum number of devices whose data is remembered, all of them beacons that are wanted.
    static let maximumDevices = 512
    private static let timeout = TimeAmount.seconds(10)
    /// The maximum size of the description of BlueZ's root object, in bytes.
    private static let maximumDescription = 64 * 1024
    private static let root = "/org/bluez"
    private static let properties = "org.freedesktop.DBus.Properties"
    /// The strength of an advertisement that the adapter has not measured: Bluetooth Core Specification 5.4, volume 4,
    /// part E, 7.7.65.2.
    private static let unknownStrength: Int16 = 127

    var onEvent: ((BeaconScanStateMachine.Event) -> Void)?
    var onAdvertisement: ((BeaconAdvertisement, _ rssi: Double?) -> Void)?
    /// Returns whether a beacon is wanted.
    var isWanted: ((BeaconIdentity) -> Bool)?

    private let blueZ: BusService
    private var adapters: [String: BluetoothObject] = [:]
    /// The wanted beacons by the paths of their devices. BlueZ reports strength and data in separate signals, too.
    private var devices: [String: BeaconAdvertisement] = [:]

    init(on bus: Bus) {
        blueZ = BusService(
            BlueZ.service, on: bus,
            signals: [
                "interface='\(BusMessage.objectManager)'",
                "path_namespace='\(Self.root)',interface='\(Self.properties)',member='PropertiesChanged'",
            ])
        blueZ.onEvent = { [unowned self] in handle($0) }
        blueZ.onSignal = { [unowned self] in receive($0) }
    }

    deinit { blueZ.close() }

    func open() { blueZ.open() }

    func close() {
        (adapters, devices) = ([:], [:])
        blueZ.close()
    }

    /// Forgets the devices that are no longer wanted.
    func forgetUnwanted() {
        devices = devices.filter { isWanted?($0.value.identity) ?? false }
    }

    private func handle(_ event: BusService.Event) {
        (adapters, devices) = ([:], [:])
        switch event {
        case .absent(let reason), .disconnected(let reason): onEvent?(.absent(reason))
        case .found:
            onEvent?(.found)
            listAdapters()
        }
    }

    // MARK: Calls

    /// Finds the adapters in the description of BlueZ's root object.
    ///
    /// Attack: ten thousand devices advertise nearby, and BlueZ has an object for each. To list all objects would stop
    /// the loop for as long as they take to read.
    private func listAdapters() {
        blueZ.call(
            "Introspect", of: "org.freedesktop.DBus.Introspectable", at: Self.root, timeout: Self.timeout
        ) { [unowned self] reply in
            guard case .message(let message) = reply else { return onEvent?(.adapters([])) ?? () }
            let text = message.readText(upTo: Self.maximumDescription) ?? ""
            onEvent?(.adapters(Self.adapterNames(in: text).map { "\(Self.root)/\($0)" }))
        }
    }

    /// Returns the names of the adapters, such as `hci0`, in the description of an object: D-Bus Specification,
    /// "Introspection Data Format".
    static func adapterNames(in description: String) -> [String] {
        let parts = description.split(separator: "<node name=").dropFirst()
        let names = parts.compactMap { $0.dropFirst().split(whereSeparator: { $0 == "\"" || $0 == "'" }).first }
        return names.filter { $0.hasPrefix("hci") && $0.count > 3 && $0.dropFirst(3).allSatisfy(\.isNumber) }.map(
            String.init
        )
        .prefix(maximumCount).map(\.self)
    }

    func read(_ path: String) {
        blueZ.call(
            "GetAll", of: Self.properties, at: path, [.string(BlueZ.adapter)], timeout: Self.timeout
        ) { [unowned self] reply in
            guard case .message(let message) = reply else { return onEvent?(.removed(path)) ?? () }
            set(BluetoothObject.readProperties(of: BlueZ.adapter, in: message), of: path)
        }
    }

    func call(_ call: BeaconScanStateMachine.Call, _ path: String) {
        var (method, arguments): (String, [BusValue]) = ("SetDiscoveryFilter", [])
        switch call {
        case .setFilter:
            arguments = [
                .properties([
                    PropertyValue("Transport", .string("le")), PropertyValue("DuplicateData", .boolean(true)),
                ])
            ]
        case .startDiscovery: method = "StartDiscovery"
        case .stopDiscovery: method = "StopDiscovery"
        }
        blueZ.call(method, of: BlueZ.adapter, at: path, arguments, timeout: Self.timeout) { [unowned self] reply in
            onEvent?(.answered(call, adapter: path, failure: Self.failure(in: reply)))
        }
    }

    /// Returns the reason of a failed call, for users, or `nil` if the call has succeeded.
    private static func failure(in reply: CallReply) -> String? {
        switch reply {
        case .message: nil
        case .failure(let failure) where failure.isOne(of: "InProgress"):
            "the Bluetooth adapter is busy with another operation, and is tried again"
        case .failure(let failure): "the Bluetooth adapter does not scan: \(failure.text)"
        case .none: "the Bluetooth adapter does not scan: BlueZ does not answer"
        }
    }

    // MARK: Signals

    private func receive(_ signal: BusMessage) {
        guard let path = signal.path else { return }
        switch signal.member {
        case "PropertiesChanged":
            switch signal.readString() {
            case BlueZ.device: receiveDevice(path, signal)
            case BlueZ.adapter: set(BluetoothObject.readProperties(of: BlueZ.adapter, in: signal), of: path)
            default: break
            }
        case "InterfacesAdded":
            guard let path = signal.readString("o") else { return }
            _ = signal.readDictionary(of: "sa{sv}", key: { signal.readString() }) { [self] interface -> Bool? in
                switch interface {
                case BlueZ.device: receiveDevice(path, signal)
                case BlueZ.adapter: set(BluetoothObject.readProperties(of: interface, in: signal), of: path)
                default: signal.readProperties { _ in false }
                }
                return true
            }
        case "InterfacesRemoved":
            guard let path = signal.readString("o") else { return }
            devices[path] = nil
            if adapters.removeValue(forKey: path) != nil { onEvent?(.removed(path)) }
        default: break
        }
    }

    private func set(_ values: [(name: String, value: BusValue)], of path: String) {
        guard !values.isEmpty, adapters[path] != nil || adapters.count < Self.maximumCount else { return }
        var adapter = adapters[path] ?? BluetoothObject(path: path)
        for value in values { adapter.set(value.name, of: BlueZ.adapter, to: value.value) }
        guard adapter != adapters[path] else { return }
        adapters[path] = adapter
        let obstacle = adapter.isPowered ? nil : ReceiverFailure.switchedOff(adapter).message
        onEvent?(.adapter(path, obstacle: obstacle))
    }

    /// Receives properties of a device. Nothing else about devices is read: no name and no address.
    private func receiveDevice(_ path: String, _ message: BusMessage) {
        var (data, rssi): ([UInt8]?, Int16?) = (nil, nil)
        message.readProperties { name in
            switch name {
            case "RSSI": rssi = message.readVariant { _ in message.readInt16() }
            case "ManufacturerData": data = message.readVariant { _ in Self.readData(message) }
            default: return false
            }
            return true
        }
        if let data {
            let advertisement = BeaconAdvertisement(data)
            remember(advertisement.flatMap { isWanted?($0.identity) == true ? $0 : nil }, of: path)
        }
        guard data != nil || rssi != nil, let advertisement = devices[path] else { return }
        onAdvertisement?(advertisement, rssi.flatMap { $0 < Self.unknownStrength ? Double($0) : nil })
    }

    /// Returns the data under Apple's company identifier, or an empty list if there is none.
    private static func readData(_ message: BusMessage) -> [UInt8] {
        let values = message.readDictionary(of: "qv", key: { message.readUInt16() }) { _ -> [UInt8]? in
            message.readVariant { _ in message.readBytes() } ?? []
        }
        return values?[BeaconAdvertisement.company] ?? []
    }

    /// Attack: a device nearby advertises under thousands of addresses. So another one makes room for each of them: a
    /// beacon that is really there is remembered again with its next advertisement.
    private func remember(_ advertisement: BeaconAdvertisement?, of path: String) {
        if advertisement != nil, devices[path] == nil, devices.count == Self.maximumDevices {
            devices.remove(at: devices.startIndex)
        }
        devices[path] = advertisement
    }
}
