import Bus

/// The sessions of all devices, which share a connection to the bus, without their I/O.
///
/// BlueZ accepts one registration of the serial port profile. So it is made for the first session that needs it, and
/// kept until no session needs it.
struct BluetoothSessions {
    typealias ID = Int

    enum Step: Equatable {
        /// An action of one session. It is neither `watch` nor the call `register`.
        case session(ID, BluetoothStateMachine.Action)
        /// Start or stop receiving the changes of an object's properties and interfaces.
        case watch(path: String)
        case unwatch(path: String)
        /// Register the serial port profile, and report `registered`.
        case register
        case unregister
    }

    private enum Registration { case none, pending, done }

    private var machines: [ID: BluetoothStateMachine] = [:]
    private var lastID = 0
    private var registration = Registration.none
    /// The sessions that need the registration.
    private var users: Set<ID> = []
    /// The sessions that watch an object, by its path.
    private var watchers: [String: Set<ID>] = [:]

    var isEmpty: Bool { machines.isEmpty }

    /// Adds a session, which has not begun.
    mutating func add(address: String) -> ID {
        lastID += 1
        machines[lastID] = BluetoothStateMachine(address: address)
        return lastID
    }

    /// Handles an event of one session. Nothing follows if it has ended.
    mutating func handle(_ event: BluetoothStateMachine.Event, of id: ID) -> [Step] {
        guard let actions = machines[id]?.handle(event) else { return [] }
        var steps: [Step] = []
        for action in actions { steps += perform(action, of: id) }
        return steps
    }

    /// Handles the registration of the profile, or its failure.
    mutating func registered(_ failure: BusFailure? = nil) -> [Step] {
        registration = failure == nil ? .done : .none
        return handle(failure.map { .failed(.register, $0) } ?? .done(.register), of: users) + unregisterIfUnused()
    }

    /// Returns the session that waits for a connection of the device at this path, by the registered profile.
    func session(awaiting device: String) -> ID? {
        machines.filter { $1.awaitsConnection(of: device) }.keys.min()
    }

    /// Handles BlueZ's request to close the connection of a device, or its release of the profile.
    mutating func revoked(device: String?) -> [Step] {
        if device == nil { registration = .none }
        return handle(.revoked(device: device), of: users)
    }

    /// Handles a change of an object's properties.
    mutating func changed(
        path: String, interface: String, _ properties: [(name: String, value: BusValue)]
    ) -> [Step] {
        handle(.changed(path: path, interface: interface, properties), of: watchers[path] ?? [])
    }

    /// Handles the loss of BlueZ or the bus, and of the registration with it.
    mutating func lost(_ event: BluetoothStateMachine.Event) -> [Step] {
        registration = .none
        return handle(event, of: Set(machines.keys))
    }

    private mutating func handle(_ event: BluetoothStateMachine.Event, of ids: Set<ID>) -> [Step] {
        var steps: [Step] = []
        for id in ids.sorted() { steps += handle(event, of: id) }
        return steps
    }

    private mutating func perform(_ action: BluetoothStateMachine.Action, of id: ID) -> [Step] {
        switch action {
        case .watch(let path):
            watchers[path, default: []].insert(id)
            return watchers[path]?.count == 1 ? [.watch(path: path)] : []
        case .call(.register):
            users.insert(id)
            switch registration {
            case .none:
                registration = .pending
                return [.register]
            case .pending: return []
            case .done: return handle(.done(.register), of: id)
            }
        case .end: return [.session(id, .end)] + remove(id)
        default: return [.session(id, action)]
        }
    }

    private mutating func remove(_ id: ID) -> [Step] {
        machines[id] = nil
        users.remove(id)
        var steps: [Step] = []
        for (path, ids) in watchers.sorted(by: { $0.key < $1.key }) where ids.contains(id) {
            watchers[path] = ids.count > 1 ? ids.subtracting([id]) : nil
            if ids.count == 1 { steps.append(.unwatch(path: path)) }
        }
        return steps + unregisterIfUnused()
    }

    /// Unregisters the profile when no device is read by it, so that other programs may have it.
    private mutating func unregisterIfUnused() -> [Step] {
        guard users.isEmpty, registration == .done else { return [] }
        registration = .none
        return [.unregister]
    }
}
