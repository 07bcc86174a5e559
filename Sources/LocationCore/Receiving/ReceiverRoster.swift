internal import Logging
internal import NIOCore
internal import Receivers

/// Which receivers there are: those that are configured, then those that udev tells of.
///
/// A receiver stays the same for as long as it is wanted, unplugged or not. Confined to the event loop.
final class ReceiverRoster {
    typealias Entry = ServiceSettings.ReceiverEntry

    /// Makes a receiver of an entry, at the port where it is plugged in.
    typealias Maker = (Entry, ReceiverPort?) -> Receiver

    private let control: ReceiverControl
    private let make: Maker
    private let loop: any EventLoop
    private let log: Logger
    private var configured: [(entry: Entry, receiver: Receiver)] = []
    private var discovers = false
    private var discovered = DiscoveredReceivers()
    /// The receivers of those, by their ids.
    private var receivers: [Int: Receiver] = [:]
    private var watch: DeviceWatch?
    private var nodes: Set<String> = []

    /// None is known before `use(_:discovers:)`.
    init(_ control: ReceiverControl, on loop: any EventLoop, log: Logger, make: @escaping Maker) {
        self.control = control
        self.loop = loop
        self.log = log
        self.make = make
    }

    /// Has these receivers, and with `discovers` every one that is plugged in besides. Those of an entry that stays go on.
    func use(_ entries: [Entry], discovers: Bool) {
        self.discovers = discovers
        let isWatchNeeded = discovers || entries.contains { $0.source.isAtPort }
        if isWatchNeeded, watch == nil { startWatch() }
        if !isWatchNeeded { stop() }
        var before = configured
        configured = entries.map { entry in
            if let index = before.firstIndex(where: { $0.entry == entry }) { return before.remove(at: index) }
            return (entry, make(entry, port(of: entry.source, current: nil)))
        }
        devicesChanged()
    }

    /// Listens for no devices any more.
    func stop() {
        watch?.stop()
        watch = nil
        nodes = []
    }

    private func startWatch() {
        let watch = DeviceWatch(
            on: loop, onChange: { [unowned self] in devicesChanged() },
            onFailure: { [unowned self] reason in
                log.warning("receivers that are plugged in from now on are not heard of: \(reason)")
            })
        watch.start()
        self.watch = watch
    }

    private func devicesChanged() {
        let devices = watch?.devices ?? []
        let isNew = !devices.allSatisfy { nodes.contains($0.node) }
        nodes = Set(devices.map(\.node))
        for (entry, receiver) in configured {
            switch entry.source {
            case .usb: receiver.attach(to: port(of: entry.source, current: receiver.port))
            // Its path may be a link: whatever came may be what it leads to.
            case .serial: if isNew { receiver.retry() }
            case .gpsd, .simulated, .replay: break
            }
        }
        if discovers {
            follow(discovered.update(devices.filter(\.isReceiver)))
            // One that went and came back between two looks is there as before, and may be waiting to be tried again.
            for found in discovered.entries where found.isPresent { place(found) }
        } else {
            discovered = DiscoveredReceivers()
            receivers = [:]
        }
        control.replace(with: configured.map(\.receiver) + wanted.compactMap { receivers[$0.id] })
    }

    /// The discovered ones that are used: not those that the configuration has by a name of their own.
    private var wanted: [DiscoveredReceivers.Entry] {
        discovered.entries.filter { found in
            !configured.contains { found.device.isMeant(by: $0.entry.source) }
        }
    }

    private func follow(_ changes: [DiscoveredReceivers.Change]) {
        for change in changes {
            switch change {
            case .came(let found):
                note(found, "plugged in at \(found.device.node)")
            case .changed: break
            case .went(let found):
                note(found, "unplugged")
                receivers[found.id]?.attach(to: nil)
            case .forgotten(let found): receivers[found.id] = nil
            }
        }
    }

    private func place(_ found: DiscoveredReceivers.Entry) {
        let port = ReceiverPort(node: found.device.node, device: found.key)
        if let receiver = receivers[found.id] {
            receiver.attach(to: port)
        } else {
            receivers[found.id] = make(Entry(source: found.device.specification, name: found.name), port)
        }
    }

    private func note(_ found: DiscoveredReceivers.Entry, _ what: String) {
        log.info("\(found.name): \(what)", metadata: ["RECEIVER": "\(found.name)"])
    }

    /// Where a device that the configuration has by its serial number is plugged in.
    private func port(of source: ReceiverSpecification, current: ReceiverPort?) -> ReceiverPort? {
        guard case .usb(let serial, _) = source else { return nil }
        return watch?.devices.meant(bySerial: serial, current: current?.node).map {
            ReceiverPort(node: $0.node, device: $0.identity)
        }
    }
}

extension ReceiverSpecification {
    /// A Boolean value indicating whether it is something that may be plugged in.
    fileprivate var isAtPort: Bool {
        switch self {
        case .serial, .usb: true
        case .gpsd, .simulated, .replay: false
        }
    }
}
