import Bus
import LocationModel

@testable import GeoClueFront

/// Fuzzes the calls of three connections to GeoClue's objects, between everything else that can happen to them.
///
/// Each line is an event, with tabs between its fields: the connection's digit, a word, and arguments.
func fuzzGeoClue(_ bytes: [UInt8]) {
    var bus = FuzzedBus()
    for line in bytes.split(separator: UInt8(ascii: "\n")).prefix(512) {
        bus.handle(
            line.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false).map {
                String(decoding: $0, as: UTF8.self)
            })
    }
    bus.closeAll()
}

/// What a bus and a core would know of the objects.
private struct FuzzedBus {
    private var tree = ObjectTree(machineID: nil)
    private var authorizations: [ConnectionID: Authorization] = [:]
    private var subscriptions: Set<ClientID> = []
    private var prompts: Set<ClientID> = []
    private var steps: Int64 = 0

    mutating func handle(_ fields: [String]) {
        guard fields.count > 1, let connection = UInt64(fields[0]), connection < 3 else { return }
        steps += 1
        let arguments = fields.dropFirst(2)
        switch fields[1] {
        case "call": call(connection, Array(arguments))
        case "grant": authorize(.authorizedWhenInUse, true, connection)
        case "always": authorize(.authorizedAlways, true, connection)
        case "deny": authorize(.denied, true, connection)
        case "restrict": authorize(.restricted, true, connection)
        case "reset": authorize(.notDetermined, true, connection)
        case "dismiss":
            // The answer to a request that is not open any more does not arrive.
            for client in prompts where tree.clients[client]?.connection == connection {
                prompts.remove(client)
                perform(tree.modify(client) { $0.promptDeclined() })
            }
        case "lost":
            for connection in 0..<3 as Range<ConnectionID> { perform(tree.closed(connection)) }
        case "off": authorize(.denied, false, connection)
        case "close": perform(tree.closed(connection))
        case "changed": perform(tree.agentChanged(connection))
        case "level": perform(tree.agentAnswered(connection, arguments.first.flatMap { UInt32($0) }))
        default: change(fields[1], arguments.first.flatMap { UInt64($0) } ?? 1)
        }
    }

    mutating func closeAll() {
        for connection in 0..<3 as Range<ConnectionID> { perform(tree.closed(connection)) }
        precondition(subscriptions.isEmpty && prompts.isEmpty && tree.clients.isEmpty, "something is left open")
    }

    /// Something happens to the subscription of a client.
    private mutating func change(_ event: String, _ client: ClientID) {
        guard subscriptions.contains(client) else { return }
        switch event {
        case "location":
            let time = Timestamp(millisecondsSince1970: steps * 500)
            let location = Location(timestamp: time, latitude: Double(steps % 90), longitude: 0)
            perform(tree.received(location, for: client))
        case "suspend": perform(tree.modify(client) { $0.setSuspended(true) })
        case "resume": perform(tree.modify(client) { $0.setSuspended(false) })
        case "reduce": perform(tree.modify(client) { $0.accuracyReduced() })
        default: break
        }
    }

    private mutating func authorize(
        _ status: AuthorizationStatus, _ servicesEnabled: Bool, _ connection: ConnectionID
    ) {
        let authorization = Authorization(status: status, accuracy: .full, servicesEnabled: servicesEnabled)
        authorizations[connection] = authorization
        if !status.isAuthorized {
            for client in subscriptions where tree.clients[client]?.connection == connection {
                subscriptions.remove(client)
                perform(tree.modify(client) { $0.subscriptionEnded(under: authorization) })
            }
        }
        perform(tree.authorizationChanged(to: authorization, of: connection))
        guard !status.isAuthorized else { return }
        precondition(
            !subscriptions.contains { tree.clients[$0]?.connection == connection }, "open without an authorization")
    }

    // MARK: Calls

    /// Makes a call: path, interface, member, signature, arguments.
    private mutating func call(_ connection: ConnectionID, _ fields: [String]) {
        guard fields.count >= 4 else { return }
        let call = MethodCall(
            path: fields[0], interface: fields[1].isEmpty ? nil : fields[1], member: fields[2], signature: fields[3],
            arguments: fields.dropFirst(4).map(argument))
        let authorization =
            authorizations[connection]
            ?? Authorization(status: .notDetermined, accuracy: .full, servicesEnabled: true)
        let app = AppKey(uid: UInt32(connection), app: AppIdentity("exe:/usr/bin/fuzz")!)
        let actions = tree.handle(
            call,
            from: CallingApp(
                connection: connection, app: app, authorization: authorization,
                canBeServed: !steps.isMultiple(of: 8)))
        let replies = actions.count { action in
            switch action {
            case .reply, .fail: true
            default: false
            }
        }
        precondition(replies == 1, "one reply for each call")
        if case .fail = actions[0] { precondition(actions.count == 1, "an error changes nothing") }
        perform(actions)
    }

    /// Reads an argument: a letter for its type, then its value.
    private func argument(_ text: String) -> BusValue {
        let value = String(text.dropFirst())
        switch text.first {
        case "o": return .objectPath(value)
        case "u": return .variant(.uint32(UInt32(value) ?? 0))
        case "v": return .variant(.string(value))
        case "x": return .variant(.unread(signature: value))
        default: return .string(value)
        }
    }

    // MARK: Actions

    private mutating func perform(_ actions: [Action]) {
        for action in actions {
            switch action {
            case .subscribe(let client, _):
                let owner = tree.clients[client]?.connection
                precondition(owner.flatMap { authorizations[$0] }?.status.isAuthorized == true, "not authorized")
                subscriptions.insert(client)
            case .unsubscribe(let client): precondition(subscriptions.remove(client) != nil, "closed twice")
            case .prompt(let client, let request):
                precondition(prompts.insert(client).inserted, "prompted twice")
                precondition(request.ownWords.utf8.count < 300)
            case .cancelPrompt(let client): precondition(prompts.remove(client) != nil, "cancelled twice")
            case .signal(let signal, to: let connection): check(signal, connection)
            case .announce(let signal): precondition(signal.path == ObjectPath.manager.text)
            case .reply(let values): for value in values { check(value) }
            case .fail, .queryAgent, .setDesktopLimit: break
            }
        }
    }

    private mutating func check(_ signal: BusSignal, _ connection: ConnectionID) {
        guard case .client(let client) = ObjectPath(signal.path) else { fatalError("\(signal.path)") }
        precondition(tree.clients.client(client, of: connection) != nil, "a signal to another connection")
        for value in signal.arguments { check(value) }
    }

    /// Traps if a value cannot be sent.
    private func check(_ value: BusValue) {
        switch value {
        case .unread: fatalError("a value that was not read is sent")
        case .variant(let content): check(content)
        case .properties(let properties): for property in properties { check(property.value) }
        default: precondition(!value.signature.isEmpty)
        }
    }
}
