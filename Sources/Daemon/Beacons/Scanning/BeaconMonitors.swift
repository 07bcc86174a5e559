internal import Bus
internal import EventLoopSupport
internal import NIOCore

/// BlueZ's advertisement monitors, on each adapter that offers them, up to BlueZ 5.82 where bluetoothd runs
/// experimental: BlueZ, doc/org.bluez.AdvertisementMonitorManager.rst and doc/org.bluez.AdvertisementMonitor.rst.
///
/// With a monitor, the adapter listens all the time without sending, and passes on each advertisement during a scan.
/// BlueZ reports a beacon that comes or goes. The report is a hint to scan, and nothing more: BlueZ measures by the
/// wall clock, and monitors miss what is sent while a device is being connected. Confined to the event loop.
final class BeaconMonitors {
    /// The maximum number of monitors of an adapter: the kernel has 32 for all programs
    /// (HCI_MAX_ADV_MONITOR_NUM_HANDLES). If more are wanted, there are none: one monitor for all beacons would report
    /// each beacon of others too, and the adapter would scan where many are.
    static let maximumCount = 16
    /// The time in seconds that a beacon has to be heard, or to be silent, until BlueZ reports it.
    static let seconds = (heard: UInt16(1), silent: UInt16(10))
    /// The least time between two changes of the monitors for the sake of apps.
    static let changeInterval = TimeAmount.seconds(1)
    private static let timeout = TimeAmount.seconds(10)
    private static let root = "/io/locationd/beacons"
    private static let manager = "org.bluez.AdvertisementMonitorManager1"
    private static let monitor = "org.bluez.AdvertisementMonitor1"
    /// The type of an advertisement's part for manufacturer data: Bluetooth Assigned Numbers.
    private static let manufacturerData: UInt8 = 0xFF

    /// Called when a beacon with these patterns has come or gone, or is no longer watched for.
    var onHint: ((BeaconPresences.Report, Set<BeaconPattern>) -> Void)?
    /// Called when ``isActive`` has changed.
    var onChange: ((Bool) -> Void)?
    /// The constraints of the beacons that are reported.
    var patterns: Set<BeaconPattern> = [] { didSet { if patterns != oldValue { followSoon() } } }
    /// The paths of the adapters that have power. A change takes effect at once: BlueZ may be closed afterwards.
    var adapters: Set<String> = [] { didSet { if adapters != oldValue { follow() } } }
    /// A Boolean value indicating whether all monitors on all adapters are active.
    private(set) var isActive = false

    private let bus: Bus
    private let blueZ: BusService
    private let loop: any EventLoop
    private let changes: LoopTimer
    private let retry: Retry
    /// The time of the last change for the sake of apps.
    private var changed: NIODeadline?
    /// The registrations by the paths of their adapters.
    private var registrations: [String: Registration] = [:]
    /// The number of objects so far. None gets the path of an earlier one, so late calls reach nothing.
    private var count = 0

    private struct Registration {
        /// `unsupported`: BlueZ has no monitors on this adapter.
        enum State { case sent, accepted, refused, unsupported }

        let root: String
        var state = State.sent
        /// The monitors by their paths: the data that they look for, and whether they are active.
        var monitors: [String: (data: [UInt8], isActive: Bool)] = [:]

        var isActive: Bool { state == .accepted && !monitors.isEmpty && monitors.values.allSatisfy(\.isActive) }
    }

    init(_ blueZ: BusService, on bus: Bus, loop: any EventLoop) {
        self.blueZ = blueZ
        self.bus = bus
        self.loop = loop
        changes = LoopTimer(on: loop)
        // An adapter that has refused monitors is asked again in ten minutes.
        retry = Retry(Backoff(first: 600, greatest: 600), on: loop)
        bus.onCall = { [weak self] in self?.receive($0) }
    }

    /// Forgets the registrations, since BlueZ has left the bus.
    func forget() {
        let ended = registrations.values.flatMap { $0.monitors.values.map(\.data) }
        registrations = [:]
        adapters = []
        changes.cancel()
        retry.cancel()
        tell(.lost, ended)
        report()
    }

    /// Changes the monitors at most once a second.
    ///
    /// Attack: an app replaces its regions without end, and each change would be many messages to bluetoothd, which
    /// serves all other programs too.
    private func followSoon() {
        guard !changes.isSet else { return }
        let now = loop.now
        changes.set(at: max(now, changed.map { $0 + Self.changeInterval } ?? now)) { [weak self] in
            guard let self else { return }
            changed = loop.now
            follow()
        }
    }

    private func follow() {
        let wanted = patterns.isEmpty ? [] : adapters
        // With new adapters or none, there is nothing left to be done later.
        changes.cancel()
        if wanted.isEmpty { retry.cancel() }
        for adapter in registrations.keys where !wanted.contains(adapter) {
            if let registration = registrations.removeValue(forKey: adapter) { unregister(registration, adapter) }
        }
        for adapter in wanted.sorted() {
            if registrations[adapter] == nil { register(adapter) } else { export(on: adapter) }
        }
        report()
    }

    private func report() {
        let isActive = !registrations.isEmpty && registrations.values.allSatisfy(\.isActive)
        guard isActive != self.isActive else { return }
        self.isActive = isActive
        onChange?(isActive)
    }

    private func nextPath(below path: String) -> String {
        count += 1
        return "\(path)/\(count)"
    }

    // MARK: Calls

    private func register(_ adapter: String) {
        let root = nextPath(below: Self.root)
        registrations[adapter] = Registration(root: root)
        blueZ.call(
            "RegisterMonitor", of: Self.manager, at: adapter, [.objectPath(root)], timeout: Self.timeout
        ) { [unowned self] reply in
            guard registrations[adapter]?.root == root else { return }
            if case .message = reply {
                registrations[adapter]?.state = .accepted
                export(on: adapter)
            } else {
                refuse(adapter, Self.isUnsupported(reply) ? .unsupported : .refused)
            }
            report()
        }
    }

    private func unregister(_ registration: Registration, _ adapter: String) {
        guard registration.state == .sent || registration.state == .accepted else { return }
        blueZ.call(
            "UnregisterMonitor", of: Self.manager, at: adapter, [.objectPath(registration.root)], timeout: Self.timeout
        ) { _ in }
        tell(.lost, registration.monitors.values.map(\.data))
    }

    /// Returns whether a call has failed since BlueZ does not offer monitors: D-Bus Specification, "Errors".
    private static func isUnsupported(_ reply: CallReply) -> Bool {
        guard case .failure(let failure) = reply else { return false }
        return failure.isOne(of: "UnknownMethod", "UnknownInterface", "UnknownObject")
    }

    /// Gives up the monitors of an adapter until it gets power again or nobody wants a beacon: BlueZ does not offer
    /// them. Or, if the kernel refuses them or BlueZ is busy, for a while.
    private func refuse(_ adapter: String, _ state: Registration.State) {
        guard let registration = registrations[adapter] else { return }
        registrations[adapter] = Registration(root: registration.root, state: state)
        unregister(registration, adapter)
        guard state == .refused, !retry.isScheduled else { return }
        retry.schedule { [weak self] in
            guard let self else { return }
            registrations = registrations.filter { $0.value.state != .refused }
            follow()
        }
    }

    /// Passes on a report of the monitors with this data, or their end: they will not report when a beacon leaves.
    private func tell(_ report: BeaconPresences.Report, _ data: [[UInt8]]) {
        let reported = patterns.filter { data.contains(BeaconAdvertisement.beginning(of: $0)) }
        if !reported.isEmpty { onHint?(report, reported) }
    }

    /// Announces new monitors to BlueZ, and the end of those that are not wanted any more. BlueZ wants none before it
    /// has answered the registration.
    ///
    /// Attack: a program receives all signals on the bus, and learns which beacons the apps of all users look for. So
    /// these are sent to BlueZ alone.
    private func export(on adapter: String) {
        guard var registration = registrations[adapter], registration.state == .accepted else { return }
        let exact = Set(patterns.map { BeaconAdvertisement.beginning(of: $0) })
        let wanted = exact.count <= Self.maximumCount ? exact : []
        var ended: [[UInt8]] = []
        for (path, monitor) in registration.monitors where !wanted.contains(monitor.data) {
            registration.monitors[path] = nil
            ended.append(monitor.data)
            announce("InterfacesRemoved", [.objectPath(path), .strings([Self.monitor])], from: registration)
        }
        let known = Set(registration.monitors.values.map(\.data))
        for data in wanted where !known.contains(data) {
            let path = nextPath(below: registration.root)
            registration.monitors[path] = (data, false)
            announce(
                "InterfacesAdded", [.objectPath(path), .interfaces([Self.monitor: Self.properties(data)])],
                from: registration)
        }
        registrations[adapter] = registration
        tell(.lost, ended)
    }

    private func announce(_ member: String, _ arguments: [BusValue], from registration: Registration) {
        guard let owner = blueZ.owner else { return }
        let signal = BusSignal(
            path: registration.root, interface: BusMessage.objectManager, member: member, arguments: arguments)
        bus.connection.send(signal, to: owner)
    }

    private static func properties(_ data: [UInt8]) -> [PropertyValue] {
        let bytes = BusValue.array(of: "y", data.map { BusValue.byte($0) })
        let pattern = BusValue.structure([.byte(0), .byte(manufacturerData), bytes])
        return [
            PropertyValue("Type", .string("or_patterns")), PropertyValue("Patterns", .array(of: "(yyay)", [pattern])),
            PropertyValue("RSSIHighTimeout", .uint16(seconds.heard)),
            PropertyValue("RSSILowTimeout", .uint16(seconds.silent)),
        ]
    }

    /// Handles a call.
    ///
    /// Attack: another program on the bus calls as BlueZ does, and keeps the adapters scanning.
    private func receive(_ call: IncomingCall) {
        let path = call.call.path
        let found = registrations.first { $0.value.root == path || $0.value.monitors[path] != nil }
        guard call.sender == blueZ.owner, let (adapter, registration) = found else {
            bus.connection.reply(to: call, .unknownObject)
            return
        }
        let data = registration.monitors[path].map { [$0.data] } ?? []
        var values: [BusValue] = []
        switch (call.call.interface ?? "", call.call.member) {
        case (BusMessage.objectManager, BusMessage.getManagedObjects) where path == registration.root:
            values = [.array(of: "{oa{sa{sv}}}", [])]
        case (Self.monitor, "Activate"): registrations[adapter]?.monitors[path]?.isActive = true
        case (Self.monitor, "Release"): refuse(adapter, .refused)
        case (Self.monitor, "DeviceFound"): tell(.found, data)
        case (Self.monitor, "DeviceLost"): tell(.lost, data)
        default:
            bus.connection.reply(to: call, .unknownMethod)
            return
        }
        bus.connection.reply(to: call, values)
        report()
    }
}
