import Bus
import LocationModel

@testable import GeoClueFront

/// The surroundings of the objects: the authorizations of apps, and the actions so far.
struct Scene {
    static let maps = AppKey(uid: 1000, app: AppIdentity("app:org.gnome.Maps")!)
    static let redshift = AppKey(uid: 1000, app: AppIdentity("exe:/usr/bin/redshift")!)
    static let flatpak = AppKey(uid: 1000, app: AppIdentity("flatpak:org.example.Weather")!)

    var tree = ObjectTree(machineID: "0123456789abcdef0123456789abcdef")
    var authorizations: [ConnectionID: Authorization] = [:]
    var apps: [ConnectionID: AppKey] = [:]
    var hasReceiver = true
    /// All actions except the replies.
    private(set) var done: [Action] = []

    /// Returns the answer to a call: the reply's values, or the error.
    @discardableResult
    mutating func call(
        _ path: String, _ interface: String?, _ member: String, _ signature: String = "", _ arguments: [BusValue] = [],
        from connection: ConnectionID = 1
    ) -> Result<[BusValue], BusError> {
        let call = MethodCall(
            path: path, interface: interface, member: member, signature: signature, arguments: arguments)
        let actions = tree.handle(call, from: caller(connection))
        done += actions.dropFirst()
        switch actions.first {
        case .reply(let values)?: return .success(values)
        case .fail(let error)?: return .failure(error)
        default: fatalError("a call without a reply: \(actions)")
        }
    }

    private func caller(_ connection: ConnectionID) -> CallingApp {
        CallingApp(
            connection: connection, app: apps[connection] ?? Self.maps,
            authorization: authorizations[connection] ?? .notDetermined, canBeServed: hasReceiver)
    }

    /// Changes the authorization of a connection's app.
    mutating func authorize(_ authorization: Authorization, _ connection: ConnectionID = 1) {
        authorizations[connection] = authorization
        // The core ends the subscriptions of an app before it reports the change.
        if !authorization.status.isAuthorized {
            for client in openSubscriptions where tree.clients[client]?.connection == connection {
                done += tree.modify(client) { $0.subscriptionEnded(under: authorization) }
            }
        }
        done += tree.authorizationChanged(to: authorization, of: connection)
    }

    mutating func perform(_ change: (inout ObjectTree) -> [Action]) { done += change(&tree) }

    /// Returns the actions since the last call of this function.
    mutating func take() -> [Action] {
        defer { done = [] }
        return done
    }

    /// The clients that deliver, or are suspended.
    private var openSubscriptions: [ClientID] {
        (1...200).filter { [.delivering, .suspended].contains(tree.clients[$0]?.phase) }
    }
}

// MARK: - Calls

extension Scene {
    static let managerPath = "/org/freedesktop/GeoClue2/Manager"
    static let manager = "org.freedesktop.GeoClue2.Manager"
    static let client = "org.freedesktop.GeoClue2.Client"
    static let location = "org.freedesktop.GeoClue2.Location"
    static let properties = "org.freedesktop.DBus.Properties"

    /// Returns the path of a client of a connection.
    mutating func makeClient(_ method: String = "GetClient", from connection: ConnectionID = 1) -> String {
        guard let path = call(Self.managerPath, Self.manager, method, from: connection).text else {
            fatalError("no client")
        }
        return path
    }

    /// Returns the path of a client with only a DesktopId set.
    mutating func makeLabelledClient(from connection: ConnectionID = 1) -> String {
        let path = makeClient(from: connection)
        set("DesktopId", .string("maps"), path, from: connection)
        _ = take()
        return path
    }

    @discardableResult
    mutating func set(
        _ property: String, _ value: BusValue, _ path: String, _ interface: String = Scene.client,
        from connection: ConnectionID = 1
    ) -> Result<[BusValue], BusError> {
        call(
            path, Self.properties, "Set", "ssv", [.string(interface), .string(property), .variant(value)],
            from: connection)
    }

    mutating func get(
        _ property: String, _ path: String, _ interface: String = Scene.client, from connection: ConnectionID = 1
    ) -> Result<[BusValue], BusError> {
        call(path, Self.properties, "Get", "ss", [.string(interface), .string(property)], from: connection)
    }

    mutating func getAll(
        _ path: String, _ interface: String = Scene.client, from connection: ConnectionID = 1
    ) -> Result<[BusValue], BusError> {
        call(path, Self.properties, "GetAll", "s", [.string(interface)], from: connection)
    }

    @discardableResult
    mutating func start(_ path: String, from connection: ConnectionID = 1) -> Result<[BusValue], BusError> {
        call(path, Self.client, "Start", from: connection)
    }

    mutating func declinePrompt(_ client: ClientID = 1) { perform { $0.modify(client) { $0.promptDeclined() } } }

    mutating func stop(_ path: String) { call(path, Self.client, "Stop") }

    /// Passes a location to a client.
    mutating func deliver(_ location: Location = .berne, to client: ClientID = 1) {
        perform { $0.received(location, for: client) }
    }
}

extension Result<[BusValue], BusError> {
    /// The only value of a reply.
    var value: BusValue? { if case .success(let values) = self, values.count == 1 { values[0] } else { nil } }

    /// The only value of a reply, if it is a string or a path.
    var text: String? {
        switch value {
        case .string(let text), .objectPath(let text): text
        default: nil
        }
    }
}

extension Authorization {
    static let notDetermined = Authorization(status: .notDetermined, accuracy: .full, servicesEnabled: true)
    static let granted = Authorization(status: .authorizedWhenInUse, accuracy: .full, servicesEnabled: true)
    static let denied = Authorization(status: .denied, accuracy: .full, servicesEnabled: true)
    static let restricted = Authorization(status: .restricted, accuracy: .full, servicesEnabled: true)
    static let servicesOff = Authorization(status: .denied, accuracy: .full, servicesEnabled: false)
}

extension Location {
    static let berne = Location(
        timestamp: Timestamp(millisecondsSince1970: 1_800_000_000_250), latitude: 46.95, longitude: 7.45)

    /// Returns a location so many metres to the north, so many seconds later.
    func moved(north metres: Double = 0, after seconds: Double = 0) -> Location {
        var moved = self
        moved.latitude += metres / 111_180
        moved.timestamp.millisecondsSince1970 += Int64(seconds * 1000)
        return moved
    }
}

extension Action {
    /// The signal that reports a changed property of a client to connection 1.
    static func changed(_ name: String, _ value: BusValue, _ client: ClientID = 1, to connection: ConnectionID = 1)
        -> Action
    {
        changed([PropertyValue(name, value)], client, to: connection)
    }

    static func changed(_ properties: [PropertyValue], _ client: ClientID = 1, to connection: ConnectionID = 1)
        -> Action
    {
        .signal(.changed(properties, of: .client, at: .client(client)), to: connection)
    }

    /// The signal that reports a location to connection 1.
    static func updated(_ old: String, _ new: String, _ client: ClientID = 1) -> Action {
        .signal(
            BusSignal(
                path: "/org/freedesktop/GeoClue2/Client/\(client)", interface: Scene.client,
                member: "LocationUpdated", arguments: [.objectPath(old), .objectPath(new)]), to: 1)
    }
}
