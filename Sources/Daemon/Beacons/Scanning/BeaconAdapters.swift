internal import Bus
internal import NIOCore
internal import Receivers

/// The Bluetooth adapters that BlueZ knows, and the advertisements that they receive: BlueZ, doc/org.bluez.Adapter.rst
/// and doc/org.bluez.Device.rst. Confined to the event loop.
final class BeaconAdapters: BeaconRadio {
    /// The maximum number of adapters that are used.
    static let maximumCount = 8
    private static let timeout = TimeAmount.seconds(10)
    /// The maximum size of the description of BlueZ's root object, in bytes.
    private static let maximumDescription = 64 * 1024
    private static let root = "/org/bluez"
    private static let properties = "org.freedesktop.DBus.Properties"
    /// The strengths that an adapter measures, in dBm; 127 is an unknown one: Bluetooth Core Specification 5.4, volume
    /// 4, part E, 7.7.65.2.
    private static let strengths: ClosedRange<Int16> = -127...20

    var onEvent: ((BeaconScanStateMachine.Event) -> Void)?
    var onAdvertisement: ((BeaconAdvertisement, _ rssi: Double?) -> Void)?
    var onHint: ((BeaconPresences.Report, Set<BeaconPattern>) -> Void)?
    var isWanted: ((BeaconIdentity) -> Bool)?
    var monitored: Set<BeaconPattern> {
        get { monitors.patterns }
        set { monitors.patterns = newValue }
    }

    private let blueZ: BusService
    /// Has the signals about devices sent to ``blueZ``, which come in masses wherever anything scans.
    private let deviceSignals: BusService
    private let monitors: BeaconMonitors
    private var adapters: [String: BluetoothObject] = [:]
    private var devices = BeaconDevices()

    init(on bus: Bus, loop: any EventLoop) {
        let changes = "path_namespace='\(Self.root)',interface='\(Self.properties)',member='PropertiesChanged'"
        let objects = "interface='\(BusMessage.objectManager)'"
        let adapterPaths = (0..<Self.maximumCount).map { "\(Self.root)/hci\($0)" }
        blueZ = BusService(
            BlueZ.service, on: bus,
            signals: ["\(changes),arg0='\(BlueZ.adapter)'"] + adapterPaths.map { "\(objects),arg0path='\($0)'" })
        deviceSignals = BusService(
            BlueZ.service, on: bus, signals: [objects, "\(changes),arg0='\(BlueZ.device)'"])
        monitors = BeaconMonitors(blueZ, on: bus, loop: loop)
        monitors.onHint = { [unowned self] in onHint?($0, $1) }
        monitors.onChange = { [unowned self] in onEvent?(.monitored($0)) }
        blueZ.onEvent = { [unowned self] in handle($0) }
        blueZ.onSignal = { [unowned self] in receive($0) }
    }

    deinit {
        deviceSignals.close()
        blueZ.close()
    }

    func open() { blueZ.open() }

    func close() {
        (adapters, devices) = ([:], BeaconDevices())
        followAdapters()
        isExpecting = false
        blueZ.close()
    }

    var isExpecting = false {
        didSet {
            guard isExpecting != oldValue else { return }
            if isExpecting { deviceSignals.open() } else { deviceSignals.close() }
        }
    }

    func forgetUnwanted() { devices.keep { isWanted?($0) ?? false } }

    func forgetDevices() { devices = BeaconDevices() }

    private func followAdapters() { monitors.adapters = Set(adapters.values.filter(\.isPowered).map(\.path)) }

    private func handle(_ event: BusService.Event) {
        (adapters, devices) = ([:], BeaconDevices())
        switch event {
        case .absent(let reason), .disconnected(let reason): onEvent?(.absent(reason))
        case .found: onEvent?(.found)
        }
        // Afterwards: without monitors a window begins, and calls would go to adapters that are not there any more.
        monitors.forget()
    }

    // MARK: Calls

    /// Finds the adapters in the description of BlueZ's root object.
    ///
    /// Attack: ten thousand devices advertise nearby, and BlueZ has an object for each. To list all objects would stop
    /// the loop for as long as they take to read.
    func listAdapters() {
        blueZ.call(
            "Introspect", of: "org.freedesktop.DBus.Introspectable", at: Self.root, timeout: Self.timeout
        ) { [unowned self] reply in
            guard case .message(let message) = reply else { return onEvent?(.adapters(nil)) ?? () }
            let text = message.readText(upTo: Self.maximumDescription) ?? ""
            onEvent?(.adapters(Self.adapterNames(in: text).map { "\(Self.root)/\($0)" }))
        }
    }

    /// Returns the names of the adapters, such as `hci0`, in the description of an object: D-Bus Specification,
    /// "Introspection Data Format".
    static func adapterNames(in description: String) -> [String] {
        let parts = description.split(separator: "<node name=").dropFirst()
        let names = parts.compactMap { $0.dropFirst().split(whereSeparator: { $0 == "\"" || $0 == "'" }).first }
        return names.filter { $0.hasPrefix("hci") && $0.dropFirst(3).allSatisfy(\.isNumber) }.map(String.init)
            .prefix(maximumCount).map(\.self)
    }

    func read(_ path: String) {
        blueZ.call(
            "GetAll", of: Self.properties, at: path, [.string(BlueZ.adapter)], timeout: Self.timeout
        ) { [unowned self] reply in
            guard case .message(let message) = reply else {
                return onEvent?(Self.isAbsent(reply) ? .removed(path) : .unread(path)) ?? ()
            }
            let values = BluetoothObject.readProperties(of: BlueZ.adapter, in: message)
            if values.isEmpty { onEvent?(.unread(path)) } else { set(values, of: path) }
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
            onEvent?(.answered(call, adapter: path, failure: Self.failure(of: call, in: reply)))
        }
    }

    /// Returns the reason of a failed call, for users, or `nil` if the call has succeeded.
    ///
    /// No adapter, one without power, and one that does not scan do not have to be stopped: BlueZ, src/adapter.c,
    /// stop_discovery().
    private static func failure(of call: BeaconScanStateMachine.Call, in reply: CallReply) -> String? {
        let isStop = call == .stopDiscovery
        switch reply {
        case .message: return nil
        case .failure(let failure) where isStop && failure.isOne(of: "NotReady"): return nil
        case .failure(let failure) where isStop && failure.text.contains("No discovery started"): return nil
        case .failure where isStop && isAbsent(reply): return nil
        case .failure(let failure) where failure.isOne(of: "InProgress"):
            return "the Bluetooth adapter is busy with another operation, and is tried again"
        case .failure(let failure):
            return "the Bluetooth adapter does not \(isStop ? "end its scan" : "scan"): \(failure.text)"
        case .none:
            return "the Bluetooth adapter does not \(isStop ? "end its scan" : "scan"): BlueZ does not answer"
        }
    }

    /// Returns whether a call has failed since there is no such adapter: D-Bus Specification, "Errors".
    private static func isAbsent(_ reply: CallReply) -> Bool {
        guard case .failure(let failure) = reply else { return false }
        return failure.isOne(of: "UnknownObject", "UnknownInterface", "UnknownMethod")
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
            devices.set(nil, of: path)
            guard adapters.removeValue(forKey: path) != nil else { return }
            followAdapters()
            onEvent?(.removed(path))
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
        followAdapters()
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
            devices.set(BeaconAdvertisement(data).flatMap { isWanted?($0.identity) == true ? $0 : nil }, of: path)
        }
        guard data != nil || rssi != nil, let advertisement = devices[path] else { return }
        onAdvertisement?(advertisement, rssi.flatMap { Self.strengths.contains($0) ? Double($0) : nil })
    }

    /// Returns the data under Apple's company identifier, or an empty list if there is none.
    private static func readData(_ message: BusMessage) -> [UInt8] {
        let values = message.readDictionary(of: "qv", key: { message.readUInt16() }) { _ -> [UInt8]? in
            message.readVariant { _ in message.readBytes() } ?? []
        }
        return values?[BeaconAdvertisement.company] ?? []
    }
}
