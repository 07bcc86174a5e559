internal import Bus
internal import Bytewise
internal import LocationModel

/// GeoClue's objects: calls and events in, actions out.
///
/// A client object and its location objects exist only for the connection that owns them.
struct ObjectTree {
    var manager = ManagerProperties()
    private(set) var clients = ClientTable()
    private(set) var agents = AgentTable()
    /// The machine's ID, or `nil` if it has none.
    let machineID: String?

    init(machineID: String?) {
        self.machineID = machineID
    }

    /// Handles a call. Exactly one of the actions replies to it, and comes first.
    mutating func handle(_ call: MethodCall, from caller: CallingApp) -> [Action] {
        do throws(BusError) {
            // Every path has this interface: D-Bus specification, org.freedesktop.DBus.Peer.
            let isOfPeer = call.interface?.isBytewiseEqual(to: InterfaceDefinition.peer.name) == true
            let object = isOfPeer ? .manager : try object(at: call.path, for: caller)
            let (interface, method) = try object.method(call)
            guard call.signature == method.signature, call.arguments.count == method.input.count else {
                throw .invalidArguments(expected: method.signature)
            }
            return switch interface {
            case InterfaceDefinition.manager.name: try callManager(method.name, call.arguments, caller)
            case InterfaceDefinition.client.name: callClient(method.name, object, caller)
            case InterfaceDefinition.properties.name: try callProperties(method.name, call.arguments, object)
            case InterfaceDefinition.peer.name: try callPeer(method.name)
            default: [.reply([.string(object.introspection)])]
            }
        } catch {
            return [.fail(error)]
        }
    }

    /// Returns the caller's object at that path.
    ///
    /// Attack: an app reads the objects of other apps, or learns from errors and from its own numbers how many clients
    /// they have, when they make one and how many locations they receive. So a path always means an object of the
    /// caller, numbered by the caller's own count, and no other objects exist for the caller.
    private func object(at path: String, for caller: CallingApp) throws(BusError) -> BusObject {
        guard let path = ObjectPath(path) else { throw .unknownObject }
        switch path {
        case .manager: return .manager
        case .parent(let child): return .parent(child: child)
        case .client(let number):
            guard let client = clients.client(number, of: caller.connection) else { throw .unknownObject }
            return .client(client)
        case .location(let client, let number):
            guard let location = clients.client(client, of: caller.connection)?.locations.object(number) else {
                throw .unknownObject
            }
            return .location(location)
        }
    }

    private mutating func callManager(
        _ method: String, _ arguments: [BusValue], _ caller: CallingApp
    ) throws(BusError) -> [Action] {
        switch (method, arguments.first) {
        case ("GetClient", _): [.reply([.objectPath(try clients.latest(of: caller).text)])]
        case ("CreateClient", _): [.reply([.objectPath(try clients.make(for: caller).text)])]
        case ("DeleteClient", .objectPath(let path)): deleteClient(at: path, of: caller)
        case ("AddAgent", .string(let id)): agents.add(id, caller)
        default: throw .unknownMethod
        }
    }

    /// Deletes a client of the caller. A client of another connection, or one that does not exist, causes no error.
    private mutating func deleteClient(at path: String, of caller: CallingApp) -> [Action] {
        guard case .client(let number) = ObjectPath(path),
            let client = clients.client(number, of: caller.connection)
        else { return [.reply([])] }
        return [.reply([])] + clients.remove(client.id)
    }

    private mutating func callClient(_ method: String, _ object: BusObject, _ caller: CallingApp) -> [Action] {
        guard case .client(let client) = object else { return [.fail(.unknownMethod)] }
        return clients.modify(client.id) {
            method == "Start" ? $0.start(under: caller.authorization, canBeServed: caller.canBeServed) : $0.stop()
        }
    }
}

// MARK: - Standard interfaces

extension ObjectTree {
    private func callPeer(_ method: String) throws(BusError) -> [Action] {
        if method == "Ping" { return [.reply([])] }
        guard let machineID else { throw BusError(.failed, "The machine has no id") }
        return [.reply([.string(machineID)])]
    }

    private mutating func callProperties(
        _ method: String, _ arguments: [BusValue], _ object: BusObject
    ) throws(BusError) -> [Action] {
        guard case .string(let interfaceName)? = arguments.first else { throw .unknownMethod }
        let interface = try object.interface(ofProperties: interfaceName)
        guard arguments.count > 1 else {
            let isOwn = interface?.name == object.interface?.name
            return [.reply([.properties(isOwn ? properties(of: object) : [])])]
        }
        guard case .string(let name) = arguments[1], let property = interface?.property(name) else {
            throw .unknownProperty
        }
        guard method == "Set" else {
            guard let value = properties(of: object).first(where: { $0.name == property.name })?.value else {
                throw .unknownProperty
            }
            return [.reply([.variant(value)])]
        }
        return try set(property, to: arguments[2], of: object)
    }

    private mutating func set(
        _ property: InterfaceDefinition.Property, to value: BusValue, of object: BusObject
    ) throws(BusError) -> [Action] {
        guard property.isWritable, case .client(let client) = object else { throw .readOnly }
        guard case .variant(let value) = value, value.signature == property.signature else {
            throw .invalidArguments(expected: property.signature)
        }
        return try clients.modify(client.id) { (client: inout ClientObject) throws(BusError) in
            try client.set(PropertyValue(property.name, value))
        }
    }

    private func properties(of object: BusObject) -> [PropertyValue] {
        switch object {
        case .manager: manager.all
        case .client(let client): client.properties
        case .location(let location): location.properties
        case .parent: []
        }
    }
}

// MARK: - Events

extension ObjectTree {
    /// Removes all objects and the agent of a closed connection.
    mutating func closed(_ connection: ConnectionID) -> [Action] {
        agents.remove(connection)
        return clients.removeAll(of: connection)
    }

    /// Handles a location for a client.
    mutating func received(_ location: Location, for client: ClientID) -> [Action] {
        clients.modify(client) { $0.receive(location) }
    }

    /// Handles a change of the authorization of a connection's app.
    mutating func authorizationChanged(to authorization: Authorization, of connection: ConnectionID) -> [Action] {
        clients.modifyAll(of: connection) { $0.authorizationChanged(to: authorization) }
    }

    /// Handles any other event of a client's subscription.
    mutating func modify(_ client: ClientID, _ change: (inout ClientObject) -> [Action]) -> [Action] {
        clients.modify(client, change)
    }

    /// Handles an agent's signal that its properties have changed.
    mutating func agentChanged(_ connection: ConnectionID) -> [Action] { agents.changed(connection) }

    /// Handles an agent's answer, or `nil` for an error or a timeout.
    mutating func agentAnswered(_ connection: ConnectionID, _ level: UInt32?) -> [Action] {
        agents.answered(connection, level)
    }
}
