internal import Bus
internal import LocationModel

/// The number of a client object in the daemon. Numbers are never reused.
typealias ClientID = UInt64

/// The client objects of all connections.
struct ClientTable {
    /// The maximum number of clients of one connection.
    static let maximumCount = 64
    /// The maximum number of clients of one app.
    ///
    /// Attack: an app that was granted the location starts a client on each of thousands of objects, and each fix costs
    /// a signal for each. So the limits for an app and a user are the same as for streams on the public socket.
    static let maximumCountPerApp = 128
    /// The maximum number of clients of one user.
    static let maximumCountPerUser = 256

    private var clients: [ClientID: ClientObject] = [:]
    private var connections: [ConnectionID: Owned] = [:]
    private var lastID: ClientID = 0

    /// The clients of a connection.
    private struct Owned {
        /// The clients in the order they were made.
        var clients: [ClientID] = []
        var lastNumber: ClientNumber = 0
    }

    /// A Boolean value indicating whether there is no client.
    var isEmpty: Bool { clients.isEmpty }

    /// Returns the path of the caller's newest client, or makes one if there is none.
    mutating func latest(of caller: CallingApp) throws(BusError) -> ObjectPath {
        if let latest = connections[caller.connection]?.clients.last, let client = clients[latest] {
            return client.path
        }
        return try make(for: caller)
    }

    /// Makes a client for the caller. Returns its path.
    mutating func make(for caller: CallingApp) throws(BusError) -> ObjectPath {
        try checkRoom(for: caller)
        var owned = connections[caller.connection] ?? Owned()
        lastID += 1
        owned.lastNumber += 1
        owned.clients.append(lastID)
        connections[caller.connection] = owned
        let client = ClientObject(id: lastID, number: owned.lastNumber, owner: caller)
        clients[lastID] = client
        return client.path
    }

    private func checkRoom(for caller: CallingApp) throws(BusError) {
        guard connections[caller.connection]?.clients.count ?? 0 < Self.maximumCount else {
            throw .limitExceeded("A connection has at most \(Self.maximumCount) clients")
        }
        let ofUser = clients.values.filter { $0.app.uid == caller.app.uid }
        guard ofUser.count < Self.maximumCountPerUser else {
            throw .limitExceeded("A user has at most \(Self.maximumCountPerUser) clients")
        }
        guard ofUser.count(where: { $0.app == caller.app }) < Self.maximumCountPerApp else {
            throw .limitExceeded("An app has at most \(Self.maximumCountPerApp) clients")
        }
    }

    /// Returns a client, or `nil` if it does not exist.
    subscript(id: ClientID) -> ClientObject? { clients[id] }

    /// Returns the client of a connection with that number, or `nil` if there is none.
    func client(_ number: ClientNumber, of connection: ConnectionID) -> ClientObject? {
        let path = ObjectPath.client(number)
        return connections[connection]?.clients.lazy.compactMap { clients[$0] }.first { $0.path == path }
    }

    /// Changes a client. Returns the result of `change`, or nothing if the client does not exist.
    mutating func modify<E: Error>(
        _ id: ClientID, _ change: (inout ClientObject) throws(E) -> [Action]
    ) throws(E) -> [Action] {
        guard var client = clients.removeValue(forKey: id) else { return [] }
        defer { clients[id] = client }
        return try change(&client)
    }

    /// Changes all clients of a connection.
    mutating func modifyAll(
        of connection: ConnectionID, _ change: (inout ClientObject) -> [Action]
    ) -> [Action] {
        (connections[connection]?.clients ?? []).flatMap { modify($0, change) }
    }

    /// Removes a client.
    mutating func remove(_ id: ClientID) -> [Action] {
        guard var client = clients.removeValue(forKey: id) else { return [] }
        connections[client.connection]?.clients.removeAll { $0 == id }
        return client.end()
    }

    /// Removes all clients of a closed connection.
    mutating func removeAll(of connection: ConnectionID) -> [Action] {
        defer { connections[connection] = nil }
        return (connections[connection]?.clients ?? []).flatMap { remove($0) }
    }
}
