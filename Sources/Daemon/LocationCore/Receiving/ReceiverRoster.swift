internal import Bus
internal import Devices
internal import EventLoopSupport
internal import Logging
internal import NIOCore
internal import Receivers

/// The receivers of the service: first the configured ones, then udev's, then the ones in ModemManager's modems.
///
/// A receiver stays the same object while it is wanted, even if it is unplugged. Confined to the event loop.
final class ReceiverRoster {
    typealias Entry = ServiceSettings.ReceiverEntry

    /// A function that creates the receiver of an entry, at the port where it is plugged in.
    typealias Maker = (Entry, ReceiverPort?) -> Receiver

    private let control: ReceiverControl
    private let make: Maker
    private let bus: Bus
    private let poller: DescriptorPoller
    private let loop: any EventLoop
    private let log: Logger
    private var configured: [(entry: Entry, receiver: Receiver)] = []
    private var discovers = false
    private var discovered = DiscoveredReceivers()
    /// The receivers of the discovered entries, by their ids.
    private var receivers: [Int: Receiver] = [:]
    private var watch: DeviceWatch?
    private var modemWatch: ModemWatch?
    /// The receivers in modems, in the order they were found.
    private var modems: [(modem: FoundModem, receiver: Receiver)] = []
    private var nodes: Set<String> = []

    /// Creates a roster without receivers. `use(_:discovers:)` adds them.
    init(
        _ control: ReceiverControl, bus: Bus, poller: DescriptorPoller, on loop: any EventLoop, log: Logger,
        make: @escaping Maker
    ) {
        self.control = control
        self.bus = bus
        self.poller = poller
        self.loop = loop
        self.log = log
        self.make = make
    }

    /// Uses these receivers and, if `discovers` is `true`, every other one that is plugged in. Receivers whose
    /// entries stay are not interrupted.
    func use(_ entries: [Entry], discovers: Bool) {
        self.discovers = discovers
        let isWatchNeeded = discovers || entries.contains { $0.source.isAtPort }
        if isWatchNeeded, watch == nil { startWatch() }
        if discovers, modemWatch == nil { watchModems() }
        if !isWatchNeeded { stop() }
        if !discovers { stopWatchingModems() }
        var before = configured
        configured = entries.map { entry in
            if let index = before.firstIndex(where: { $0.entry == entry }) { return before.remove(at: index) }
            return (entry, make(entry, port(of: entry.source, current: nil)))
        }
        devicesChanged()
    }

    /// A Boolean value indicating whether ModemManager has not listed its modems yet.
    var isSearching: Bool { modemWatch?.isSearching ?? false }

    /// Stops watching devices and modems.
    func stop() {
        watch?.stop()
        watch = nil
        nodes = []
        stopWatchingModems()
    }

    private func watchModems() {
        modemWatch = ModemWatch(on: bus) { [unowned self] in devicesChanged() }
        modemWatch?.start()
    }

    private func stopWatchingModems() {
        modemWatch?.stop()
        modemWatch = nil
    }

    private func startWatch() {
        let watch = DeviceWatch(
            poller: poller, on: loop, onChange: { [unowned self] in devicesChanged() },
            onFailure: { [unowned self] reason in
                log.warning("newly plugged-in receivers are not detected: \(reason)")
            })
        watch.start()
        self.watch = watch
    }

    private func devicesChanged() {
        // The bus may have come later than this service.
        modemWatch?.start()
        let devices = watch?.devices ?? []
        let isNew = !devices.allSatisfy { nodes.contains($0.node) }
        nodes = Set(devices.map(\.node))
        for (entry, receiver) in configured {
            switch entry.source {
            case .usb:
                if let port = port(of: entry.source, current: receiver.port) {
                    receiver.attach(to: port)
                } else {
                    receiver.detach()
                }
            // The path may be a link, so it may lead to any new device.
            case .serial: if isNew { receiver.retry() }
            case .gpsd, .socket, .modem, .bluetooth, .fixed, .simulated, .replay: break
            }
        }
        if discovers {
            apply(discovered.update(devices.filter(\.isReceiver)))
            // A receiver that was unplugged and plugged in again between two reports is present as before, but may be
            // waiting for its next retry.
            for found in discovered.entries where found.isPresent { attachOrMake(found) }
        } else {
            discovered = DiscoveredReceivers()
            receivers = [:]
        }
        modemsChanged()
        control.replace(
            with: configured.map(\.receiver) + wanted.compactMap { receivers[$0.id] } + modems.map(\.receiver))
    }

    private func modemsChanged() {
        let found = (modemWatch?.modems ?? []).filter(isWanted)
        // A running receiver stays until it stops: a modem disappears for some seconds after the machine has slept.
        modems.removeAll { known in
            let isPresent = found.contains { $0.specification == known.modem.specification }
            return !isPresent && (known.receiver.state == .stopped || modemWatch == nil || !isWanted(known.modem))
        }
        for modem in found {
            if let index = modems.firstIndex(where: { $0.modem.specification == modem.specification }) {
                modems[index].modem = modem
                modems[index].receiver.retry()
            } else {
                let receiver = make(Entry(source: modem.specification, name: unusedName), nil)
                log.info("\(receiver.name): found by ModemManager", metadata: ["RECEIVER": "\(receiver.name)"])
                modems.append((modem, receiver))
            }
        }
    }

    /// Returns whether a modem's receiver is used: neither it nor a port of the modem is configured.
    private func isWanted(_ modem: FoundModem) -> Bool {
        !configured.contains { entry, _ in
            modem.isMeant(by: entry.source)
                || watch?.devices.contains { modem.has($0) && $0.isMeant(by: entry.source) } == true
        }
    }

    /// A name for another receiver in a modem. Apps see it, so it does not identify the modem.
    private var unusedName: String {
        let names = Set(modems.map(\.receiver.name))
        return names.contains("modem") ? (2...).lazy.map { "modem \($0)" }.first { !names.contains($0) } ?? "" : "modem"
    }

    /// The discovered receivers that are used: all that are not configured, except for ports of modems whose receivers
    /// ModemManager starts.
    private var wanted: [DiscoveredReceivers.Entry] {
        discovered.entries.filter { found in
            !configured.contains { found.device.isMeant(by: $0.entry.source) }
                && modemWatch?.modems.contains { $0.has(found.device) } != true
        }
    }

    private func apply(_ changes: [DiscoveredReceivers.Change]) {
        for change in changes {
            switch change {
            case .pluggedIn(let found):
                logChange(found, "plugged in at \(found.device.node)")
            case .changed: break
            case .unplugged(let found):
                logChange(found, "unplugged")
                receivers[found.id]?.detach()
            case .forgotten(let found): receivers[found.id] = nil
            }
        }
    }

    private func attachOrMake(_ found: DiscoveredReceivers.Entry) {
        let port = ReceiverPort(node: found.device.node, device: found.key)
        if let receiver = receivers[found.id] {
            receiver.attach(to: port)
        } else {
            receivers[found.id] = make(Entry(source: found.device.specification, name: found.name), port)
        }
    }

    private func logChange(_ found: DiscoveredReceivers.Entry, _ what: String) {
        log.info("\(found.name): \(what)", metadata: ["RECEIVER": "\(found.name)"])
    }

    /// Returns the port of a device that is configured by its serial number, or `nil` if it is not plugged in.
    private func port(of source: ReceiverSpecification, current: ReceiverPort?) -> ReceiverPort? {
        guard case .usb(let serial, _) = source else { return nil }
        return watch?.devices.meant(bySerial: serial, current: current?.node).map {
            ReceiverPort(node: $0.node, device: $0.identity)
        }
    }
}

extension ReceiverSpecification {
    /// A Boolean value indicating whether the receiver may be plugged into a port.
    fileprivate var isAtPort: Bool {
        switch self {
        case .serial, .usb: true
        case .gpsd, .socket, .modem, .bluetooth, .fixed, .simulated, .replay: false
        }
    }
}
