internal import AuthorizationPolicy
package import Bus
package import EventLoopSupport
package import LocationCore
internal import LocationModel
package import Logging
package import NIOCore

/// GeoClue's D-Bus interfaces in front of the core: `org.freedesktop.GeoClue2` on the system bus.
///
/// ``ObjectTree`` decides how a call is answered. This class identifies the caller and performs the tree's actions.
/// Confined to the event loop.
package final class GeoClueFront: BusConnectionDelegate {
    let core: Core
    let loop: any EventLoop
    let bus: BusConnection
    let log: Logger
    var tree: ObjectTree
    var senders: [String: Sender] = [:]
    var sendersByID: [ConnectionID: Sender] = [:]
    var leavingRules = LeavingRules()
    var subscriptions: [ClientID: ClientSubscriber] = [:]
    /// The pending prompts, with their apps.
    var prompts: [ClientID: (id: AuthorizationBroker.RequestID, app: AppKey)] = [:]
    private var name = NameOwnershipStateMachine(
        name: InterfaceDefinition.serviceName, served: "apps that use GeoClue are served",
        remedy: "stop it, or disable geoclue.service")
    private let nameTimer: LoopTimer
    private var observation: Changes.Observation?
    private var lastID: ConnectionID = 0

    /// Creates the front. It is not connected yet.
    ///
    /// - Parameters:
    ///   - address: The address of the bus, or `nil` for the system bus: DBUS_SYSTEM_BUS_ADDRESS, or else the
    ///     machine's.
    ///   - poller: Waits for the bus.
    package init(
        _ core: Core, address: String? = nil, poller: DescriptorPoller, on loop: any EventLoop, log: Logger
    ) {
        self.core = core
        self.loop = loop
        self.log = log
        bus = BusConnection(
            address: address, reading: InterfaceDefinition.callSignatures, poller: poller, on: loop)
        tree = ObjectTree(machineID: BusConnection.machineID)
        nameTimer = LoopTimer(on: loop)
    }

    /// Connects to the bus and requests the name. Retries both until they succeed.
    package func start() {
        bus.delegate = self
        observation = core.changes.observe([.inUse, .services, .receivers]) { [unowned self] in updateManager() }
        updateManager()
        bus.start()
    }

    /// Disconnects from the bus.
    package func stop() {
        observation?.end()
        nameTimer.cancel()
        bus.stop()
    }

    /// Updates the manager's public properties.
    private func updateManager() {
        let isAvailable = !core.receivers.members.isEmpty && core.broker.table.servicesEnabledOnMachine
        perform(tree.manager.setInUse(core.history.indicator.isInUse))
        perform(tree.manager.setAvailable(isAvailable))
    }

    // MARK: The name

    private func requestName() {
        // Flags 0: does not replace an owner, cannot be replaced, and waits in the queue.
        bus.call("RequestName", [.string(InterfaceDefinition.serviceName), .uint32(0)]) { [unowned self] reply in
            switch reply {
            case .message(let message):
                let code = message.readUInt32() ?? 0
                handle(.replied(.init(code) ?? .refused("reply \(code)")))
            case .failure(let failure): handle(.replied(.refused(failure.text)))
            case .none: handle(.replied(.refused("no answer")))
            }
        }
    }

    private func handle(_ event: NameOwnershipStateMachine.Event) {
        for action in name.handle(event) { perform(action) }
    }

    private func perform(_ action: NameOwnershipStateMachine.Action) {
        switch action {
        case .log(let text): log.log(level: name.isOwner ? .info : .warning, "\(text)")
        case .retry(let seconds): nameTimer.set(in: .clamping(seconds: seconds)) { [unowned self] in requestName() }
        }
    }

    package func connected() { requestName() }

    package func disconnected(_ reason: String?) {
        handle(.disconnected(reason.map { "apps that use GeoClue are not served: \($0)" }))
        nameTimer.cancel()
        for sender in Array(senders.values) { left(sender) }
    }

    // MARK: Calls and signals

    package func receive(_ call: IncomingCall) {
        guard let sender = senders[call.sender] ?? makeSender(call.sender) else {
            bus.reply(to: call, .limitExceeded("The service has too many callers"))
            return
        }
        switch sender.state {
        case .ended: return reply(to: call, of: sender, .accessDenied)
        case .refused(let error, let end) where loop.now < end: return reply(to: call, of: sender, error)
        case .refused: identify(sender)
        case .identifying, .admitted: break
        }
        guard sender.queue.append(call, size: call.size) else {
            return reply(to: call, of: sender, .limitExceeded("Too many calls wait for their replies"))
        }
        proceed(sender)
    }

    private func makeSender(_ name: String) -> Sender? {
        if senders.count >= Self.maximumSenders { forgetRefused() }
        guard senders.count < Self.maximumSenders else { return nil }
        lastID += 1
        let sender = Sender(name, id: lastID, front: self)
        senders[name] = sender
        identify(sender)
        return sender
    }

    /// The maximum number of connections that have called and have not left the bus. Debian's system bus has no more in
    /// total.
    private static let maximumSenders = 2048

    package func receive(_ signal: BusMessage) {
        guard let sender = signal.sender, let member = signal.member else { return }
        guard sender == "org.freedesktop.DBus" else {
            guard let agent = senders[sender], member == "PropertiesChanged", signal.path == ObjectPath.agent,
                signal.interface == InterfaceDefinition.properties.name
            else { return }
            return perform(tree.agentChanged(agent.id))
        }
        guard let name = signal.readString() else { return }
        switch member {
        case "NameOwnerChanged": if let sender = senders[name] { left(sender) }
        case "NameAcquired" where name == InterfaceDefinition.serviceName: handle(.acquired)
        case "NameLost" where name == InterfaceDefinition.serviceName: handle(.lost)
        default: break
        }
    }
}
