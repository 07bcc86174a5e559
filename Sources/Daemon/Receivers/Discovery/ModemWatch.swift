package import Bus
package import Devices
internal import NIOCore

/// A modem with a receiver that ModemManager starts.
package struct FoundModem: Equatable, Sendable {
    /// The specification of the receiver, by an identifier that stays the same wherever the modem is plugged in.
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

    /// Returns whether a port belongs to the modem.
    package func has(_ port: Device) -> Bool { !device.isEmpty && port.place.hasPrefix(device + "/") }
}

/// The modems with a receiver that ModemManager knows, kept up to date through the system bus.
///
/// Confined to its event loop. It does nothing until ModemManager starts or ends, or a modem comes or goes.
package final class ModemWatch {
    /// The timeout for ModemManager's list of modems.
    private static let answerTime = TimeAmount.seconds(30)

    /// The modems, except those whose receiver's port is left to other programs.
    package private(set) var modems: [FoundModem] = []
    /// A Boolean value indicating whether it is not known yet if there are modems.
    package private(set) var isSearching = true

    private let onChange: () -> Void
    private let modemManager: BusService
    private var hasConnected = false
    private var isListing = false
    /// A Boolean value indicating whether something has changed since the modems were requested.
    private var isOutdated = false

    /// Creates a watch that knows no modem.
    ///
    /// - Parameter onChange: Called when modems have come or gone.
    package init(on bus: Bus, onChange: @escaping () -> Void) {
        self.onChange = onChange
        modemManager = BusService(
            ModemManager.service, on: bus,
            signals: [
                "path='\(ModemManager.path)',interface='\(BusMessage.objectManager)'",
                // The enabled location sources.
                "path_namespace='\(ModemManager.path)',interface='org.freedesktop.DBus.Properties',"
                    + "arg0='\(ModemManager.location)'",
            ])
        modemManager.onEvent = { [unowned self] in handle($0) }
        modemManager.onSignal = { [unowned self] _ in list() }
    }

    deinit { stop() }

    /// Connects, unless there is a connection. On a machine without a system bus, there is no retry.
    package func start() { modemManager.open() }

    /// Stops watching.
    package func stop() { modemManager.close() }

    private func handle(_ event: BusService.Event) {
        isListing = false
        switch event {
        case .found:
            hasConnected = true
            return list()
        case .absent: hasConnected = true
        case .disconnected: if !hasConnected { stop() }
        }
        isSearching = false
        set([])
    }

    private func list() {
        isOutdated = isListing
        guard !isListing else { return }
        isListing = true
        let owner = modemManager.owner
        modemManager.objects(at: ModemManager.path, timeout: Self.answerTime, Modem.list) { [unowned self] modems in
            guard modemManager.owner == owner else { return }
            (isListing, isSearching) = (false, false)
            if let modems { set(modems.filter { $0.hasReceiver && !$0.isUnmanaged }.map(FoundModem.init)) }
            if isOutdated { list() }
        }
    }

    private func set(_ modems: [FoundModem]) {
        guard modems != self.modems else { return }
        self.modems = modems
        onChange()
    }
}
