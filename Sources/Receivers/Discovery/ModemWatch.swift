package import Devices
internal import EventLoopSupport
internal import Logging
package import NIOCore
package import SystemBus

/// A modem with a receiver that ModemManager starts.
package struct FoundModem: Equatable, Sendable {
    /// The specification of the receiver, with what stays the same wherever the modem is plugged in.
    package let specification: ReceiverSpecification
    private let names: Set<String>
    private let device: String

    init(_ modem: Modem) {
        specification = .modem(modem.imei.isEmpty ? modem.device : modem.imei)
        names = [modem.imei, modem.path, modem.device]
        device = modem.device
    }

    /// Returns whether `specification` refers to this modem.
    package func isMeant(by specification: ReceiverSpecification) -> Bool {
        guard case .modem(let name) = specification else { return false }
        return name.map(names.contains) ?? true
    }

    /// Returns whether a port is one of the modem.
    package func has(_ port: Device) -> Bool { !device.isEmpty && port.place.hasPrefix(device + "/") }
}

/// The modems with a receiver that ModemManager knows, kept up to date through the system bus.
///
/// Confined to its event loop. It does nothing until ModemManager starts or ends, or a modem comes or goes.
package final class ModemWatch: BusConnectionDelegate {
    private static let manager = "org.freedesktop.DBus.ObjectManager"
    private static let properties = "org.freedesktop.DBus.Properties"
    private static let busName = "org.freedesktop.DBus"
    /// The time within which ModemManager lists its modems.
    private static let answerTime = TimeAmount.seconds(30)

    /// The modems. A receiver whose port is left to other programs is not among them.
    package private(set) var modems: [FoundModem] = []

    private let onChange: () -> Void
    private let poller: DescriptorPoller
    private let bus: BusConnection
    /// The unique name of ModemManager's connection, or `nil` if it does not run.
    private var service: String?
    private var isListing = false
    /// A Boolean value indicating whether something has changed since the modems were asked for.
    private var isOutdated = false

    /// Creates a watch that knows no modem, or returns `nil` if too many files are open.
    ///
    /// - Parameters:
    ///   - address: The address of the bus, or `nil` for the system bus.
    ///   - onChange: Called when modems have come or gone.
    package init?(address: String? = nil, on loop: any EventLoop, onChange: @escaping () -> Void) {
        guard let poller = try? DescriptorPoller(on: loop) else { return nil }
        self.poller = poller
        self.onChange = onChange
        bus = BusConnection(
            address: address, consequence: "the receivers in modems are not found", poller: poller, on: loop,
            // Not every machine has a bus.
            log: Logger(label: "modem") { _ in SwiftLogNoOpLogHandler() })
        bus.delegate = self
    }

    deinit { stop() }

    /// Connects, unless there is a connection. On a machine without a system bus, that is not tried again by itself.
    package func start() {
        bus.start()
        if !bus.isOpen { bus.disconnect() }
    }

    /// Stops watching for good.
    package func stop() {
        bus.delegate = nil
        bus.stop()
        poller.stop()
    }

    package func connected() {
        let sender = "type='signal',sender='\(ModemManager.service)'"
        for rule in [
            "type='signal',sender='\(Self.busName)',member='NameOwnerChanged',arg0='\(ModemManager.service)'",
            "\(sender),path='\(ModemManager.path)',interface='\(Self.manager)'",
            // The sources that are switched on.
            "\(sender),path_namespace='\(ModemManager.path)',interface='\(Self.properties)',arg0='\(ModemManager.location)'",
        ] { bus.call("AddMatch", [.string(rule)]) { _ in } }
        bus.call("GetNameOwner", [.string(ModemManager.service)]) { [unowned self] reply in
            guard case .message(let message) = reply else { return }
            use(message.readString())
        }
    }

    package func disconnected() { use(nil) }

    package func receive(_ call: IncomingCall) { bus.reply(to: call, .unknownObject) }

    /// Attack: any program on the bus sends signals to this connection. Only the bus's and ModemManager's count.
    package func receive(_ signal: BusMessage) {
        guard let sender = signal.sender else { return }
        if sender == Self.busName, signal.member == "NameOwnerChanged" {
            guard signal.readString() == ModemManager.service, signal.readString() != nil,
                let owner = signal.readString()
            else { return }
            use(owner.isEmpty ? nil : owner)
        } else if sender == service, signal.interface == Self.manager || signal.interface == Self.properties {
            list()
        }
    }

    private func use(_ service: String?) {
        self.service = service
        isListing = false
        if service == nil { set([]) } else { list() }
    }

    private func list() {
        guard let service else { return }
        isOutdated = isListing
        guard !isListing else { return }
        isListing = true
        bus.call(
            "GetManagedObjects", of: Self.manager, at: ModemManager.path, on: service, [], timeout: Self.answerTime
        ) { [unowned self] reply in
            guard self.service == service else { return }
            isListing = false
            if case .message(let message) = reply, let modems = Modem.list(message) {
                set(modems.filter { $0.hasReceiver && !$0.isUnmanaged }.map(FoundModem.init))
            }
            if isOutdated { list() }
        }
    }

    private func set(_ modems: [FoundModem]) {
        guard modems != self.modems else { return }
        self.modems = modems
        onChange()
    }
}
