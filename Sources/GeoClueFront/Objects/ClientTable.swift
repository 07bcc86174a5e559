internal import LocationModel

/// The client objects of all connections.
struct ClientTable {
    /// The maximum number of clients of one connection.
    static let maximumCount = 64

    private var clients: [ClientID: ClientObject] = [:]
    /// The clients of each connection, in the order in which they were made.
    private var connections: [ConnectionID: [ClientID]] = [:]
    private var lastID: ClientID = 0

    /// A Boolean value indicating whether there is no client.
    var isEmpty: Bool { clients.isEmpty }

    /// Returns the client of the caller that was made last, or makes one if there is none.
    mutating func latest(of caller: Caller) throws(BusError) -> ClientID {
        if let latest = connections[caller.connection]?.last { return latest }
        return try make(for: caller)
    }

    /// Makes a client for the caller.
    mutating func make(for caller: Caller) throws(BusError) -> ClientID {
        guard connections[caller.connection]?.count ?? 0 < Self.maximumCount else {
            throw .limitExceeded("A connection has at most \(Self.maximumCount) clients")
        }
        lastID += 1
        clients[lastID] = ClientObject(id: lastID, connection: caller.connection, app: caller.app)
        connections[caller.connection, default: []].append(lastID)
        return lastID
    }

    /// Returns a client, or `nil` if it does not exist.
    subscript(id: ClientID) -> ClientObject? { clients[id] }

    /// Changes a client. Returns what `change` returns, or nothing if the client does not exist.
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
        (connections[connection] ?? []).flatMap { modify($0, change) }
    }

    /// Removes a client.
    mutating func remove(_ id: ClientID) -> [Action] {
        guard var client = clients.removeValue(forKey: id) else { return [] }
        connections[client.connection]?.removeAll { $0 == id }
        if connections[client.connection]?.isEmpty == true { connections[client.connection] = nil }
        return client.end()
    }

    /// Removes all clients of a connection.
    mutating func removeAll(of connection: ConnectionID) -> [Action] {
        (connections[connection] ?? []).flatMap { remove($0) }
    }
}
