import Bus
import CLinux
import Glibc
import Linux

/// The connections to the bus and to the devices, on a ``BluetoothThread`` from its first session to its last. It
/// occupies the thread for that time.
final class BluetoothRun {
    /// A call whose reply is awaited.
    private enum Call {
        case session(BluetoothSessions.ID, BluetoothStateMachine.Call)
        case register
    }

    private let bus: String?
    private let entrance: BluetoothThread.Entrance
    private let wake: WakePipe
    /// `nil` before the first session, and if there is no bus.
    private var connection: DescriptorConnection?
    private var sessions = BluetoothSessions()
    private var devices: [BluetoothSessions.ID: BluetoothDevice] = [:]
    private var calls: [UInt64: Call] = [:]
    /// BlueZ's call that offers the connection in `offered`.
    private var offer: IncomingCall?
    /// A descriptor that BlueZ has passed and that no session reads yet, or -1.
    private var offered: CInt = -1

    /// Creates a run without sessions.
    ///
    /// - Parameter bus: The address of the bus, or `nil` for the system bus.
    init(on bus: String?, _ entrance: BluetoothThread.Entrance, _ wake: WakePipe) {
        self.bus = bus
        self.entrance = entrance
        self.wake = wake
    }

    /// Runs sessions until there are none.
    func run() {
        repeat {
            wake.clear()
            for session in entrance.removeWaiting() { begin(session) }
            guard let connection, !sessions.isEmpty else { continue }
            do throws(SystemCallError) {
                try step(connection)
            } catch {
                perform(sessions.lost(.busLost))
            }
            for (id, device) in devices where device.removeStop() { perform(sessions.handle(.stop, of: id)) }
            if sessions.isEmpty { self.connection = nil }
        } while !sessions.isEmpty || !entrance.close()
    }

    private func begin(_ session: BluetoothSession) {
        if connection == nil {
            connection = try? DescriptorConnection(address: bus)
            calls = [:]
            // Added first, so that no change is missed.
            connection?.addMatch(BusDriver.ownerChanges(of: BlueZ.service))
        }
        guard connection != nil else {
            session.handlers.failed(
                ReceiverFailure(.unreachable, "no connection to the system bus, where BlueZ is"))
            return session.handlers.ended()
        }
        let id = sessions.add(address: session.address)
        devices[id] = BluetoothDevice(session)
        perform(sessions.handle(.start, of: id))
    }

    /// Handles a message, or waits for one if none is pending, and reads the devices.
    ///
    /// Attack: a program sends messages without end, or of megabytes. The devices are read after each of them.
    private func step(_ connection: DescriptorConnection) throws(SystemCallError) {
        let isBusy = try connection.process { receive($0, on: connection) }
        // A descriptor that was not accepted within its own call is not read.
        drop(&offered)
        guard !sessions.isEmpty else { return }
        let awaited = try connection.awaited()
        let ids = devices.keys.sorted()
        var polled = [
            pollfd(fd: wake.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: awaited.descriptor, events: awaited.events, revents: 0),
        ]
        polled += ids.map { pollfd(fd: devices[$0]?.stream ?? -1, events: Int16(POLLIN), revents: 0) }
        let deadline = devices.values.reduce(awaited.deadline) { min($0, $1.deadline) }
        poll(&polled, nfds_t(polled.count), isBusy ? 0 : MonotonicTime.milliseconds(until: deadline))
        for (id, polled) in zip(ids, polled.dropFirst(2)) where polled.revents != 0 {
            if devices[id]?.read() == false { perform(sessions.handle(.streamEnded, of: id)) }
        }
        for id in ids where devices[id]?.removeTimeout(at: MonotonicTime.now) == true {
            perform(sessions.handle(.timeout, of: id))
        }
    }

    private func drop(_ descriptor: inout CInt) {
        if descriptor >= 0 { descriptor_close(descriptor) }
        descriptor = -1
    }

    // MARK: The bus

    private func receive(_ received: DescriptorConnection.Received, on connection: DescriptorConnection) {
        switch received {
        case .call(let message): receive(call: message, on: connection)
        case .signal(let message): receive(signal: message, on: connection)
        case .failure(let cookie, let failure):
            switch calls.removeValue(forKey: cookie) {
            case .register?: perform(sessions.registered(failure))
            case .session(let id, .getOwner)?: perform(sessions.handle(.owner(nil), of: id))
            case .session(let id, .getObjects)?: perform(sessions.handle(.objects(nil), of: id))
            case .session(let id, let call)?: perform(sessions.handle(.failed(call, failure), of: id))
            case nil: break
            }
        case .reply(let cookie, let message):
            switch calls.removeValue(forKey: cookie) {
            case .register?: perform(sessions.registered())
            case .session(let id, let call)?:
                perform(sessions.handle(event(call, message, devices[id], on: connection), of: id))
            case nil: break
            }
        }
    }

    /// Returns the event that a reply means to a session's state machine.
    private func event(
        _ call: BluetoothStateMachine.Call, _ message: BusMessage, _ device: BluetoothDevice?,
        on connection: DescriptorConnection
    ) -> BluetoothStateMachine.Event {
        switch call {
        case .getOwner:
            connection.service = message.readString()
            return .owner(connection.service)
        case .getObjects: return .objects(BluetoothObject.list(message))
        case .acquire:
            offered = message.readDescriptor() ?? -1
            return .acquired(isAcceptable: device?.accepts(offered, for: .nordicUART) == true)
        default: return .done(call)
        }
    }

    private func receive(call message: BusMessage, on connection: DescriptorConnection) {
        guard let call = message.callWithoutArguments else { return }
        guard call.call.path == BlueZ.profilePath, call.call.interface == BlueZ.profile else {
            return connection.reply(to: call, .unknownObject)
        }
        switch call.call.member {
        case "NewConnection":
            let path = message.readString("o") ?? ""
            offered = message.readDescriptor() ?? -1
            // Attack: another device connects by the same profile, and moves this machine.
            guard let id = sessions.session(awaiting: path) else { return connection.reply(to: call, .accessDenied) }
            offer = call
            let isAcceptable = devices[id]?.accepts(offered, for: .serialPort) == true
            perform(sessions.handle(.offered(device: path, isAcceptable: isAcceptable), of: id))
            offer = nil
        case "RequestDisconnection":
            connection.reply(to: call)
            perform(sessions.revoked(device: message.readString("o") ?? ""))
        case "Release":
            connection.reply(to: call)
            perform(sessions.revoked(device: nil))
        default: connection.reply(to: call, .unknownMethod)
        }
    }

    private func receive(signal message: BusMessage, on connection: DescriptorConnection) {
        switch (message.interface, message.member) {
        case ("org.freedesktop.DBus", "NameOwnerChanged"):
            guard connection.service != nil, message.readString() == BlueZ.service else { return }
            connection.service = nil
            perform(sessions.lost(.serviceLost))
        case ("org.freedesktop.DBus.Properties", "PropertiesChanged"):
            guard let path = message.path, let interface = message.readString() else { return }
            changed(path, interface, BluetoothObject.readProperties(of: interface, in: message))
        case ("org.freedesktop.DBus.ObjectManager", "InterfacesAdded"):
            guard message.path == BlueZ.path, let path = message.readString("o") else { return }
            for (interface, properties) in BluetoothObject.readInterfaces(in: message) {
                changed(path, interface, properties)
            }
        default: break
        }
    }

    private func changed(_ path: String, _ interface: String, _ properties: [(name: String, value: BusValue)]) {
        guard !properties.isEmpty else { return }
        perform(sessions.changed(path: path, interface: interface, properties))
    }

    // MARK: Steps

    private func perform(_ steps: [BluetoothSessions.Step]) {
        for step in steps { perform(step) }
    }

    private func perform(_ step: BluetoothSessions.Step) {
        switch step {
        case .session(let id, let action):
            if let device = devices[id] { perform(action, of: id, device) }
        case .watch(let path): for rule in rules(path) { connection?.addMatch(rule) }
        case .unwatch(let path): for rule in rules(path) { connection?.removeMatch(rule) }
        case .register:
            if let cookie = connection?.call(.register) { calls[cookie] = .register }
        case .unregister: connection?.unregisterProfile()
        }
    }

    private func rules(_ path: String) -> [String] {
        let sender = "type='signal',sender='\(connection?.service ?? "")'"
        return [
            "\(sender),path='\(path)',interface='org.freedesktop.DBus.Properties',member='PropertiesChanged'",
            // The battery of a device appears with the connection.
            "\(sender),interface='org.freedesktop.DBus.ObjectManager',member='InterfacesAdded',arg0path='\(path)'",
        ]
    }

    private func perform(
        _ action: BluetoothStateMachine.Action, of id: BluetoothSessions.ID, _ device: BluetoothDevice
    ) {
        switch action {
        case .call(let call):
            if let cookie = connection?.call(call) { calls[cookie] = .session(id, call) }
        case .wait(let seconds): device.wait(seconds: seconds)
        case .accept: if let offer { connection?.reply(to: offer) }
        case .refuse: if let offer { connection?.reply(to: offer, .accessDenied) }
        case .read:
            device.open(offered)
            offered = -1
        case .close: device.close()
        case .charge(let percent): device.session.handlers.charged(percent)
        case .report(let failure): device.session.handlers.failed(failure)
        case .end:
            device.close()
            devices[id] = nil
            device.session.handlers.ended()
        case .watch: break
        }
    }
}
