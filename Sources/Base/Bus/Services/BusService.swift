package import NIOCore

/// A service on a bus: its owner is found, watched, lost and found again.
///
/// Calls and signals are the owner's alone: those of another connection, or of an owner before it, do not count. A
/// client is what it calls. Confined to the event loop.
package final class BusService {
    /// A change of the service.
    package enum Event {
        /// It is there, with another ``BusService/owner`` than before.
        case found
        /// Nobody has its name. The reason is for users.
        case absent(String)
        /// There is no connection to the bus. The reason is for users. The connection is made again.
        case disconnected(String)
    }

    private static let noOwner = "it does not have its name on the system bus"

    private let name: String
    private let bus: Bus
    private let isStarted: Bool
    /// The rules for the signals that are received.
    private let rules: [String]
    /// Handles a change. Called on the loop, never within a call of the client's.
    package var onEvent: ((Event) -> Void)?
    /// Handles a signal of the owner's.
    package var onSignal: ((BusMessage) -> Void)?
    /// The unique name of its connection, which no other connection ever gets, or `nil` if it is not there.
    package private(set) var owner: String?
    private var isOpen = false
    /// The number of the connection to the bus and of the client's interest: answers from before do not count.
    private var generation = 0
    /// A Boolean value indicating whether there is a connection, with the rules.
    private var isConnected = false
    private var isSearching = false

    /// Creates a client of a service, which does nothing until ``open()``.
    ///
    /// - Parameters:
    ///   - name: The well-known name.
    ///   - isStarted: Whether the bus is to start the service if it does not run.
    ///   - signals: What the signals that are received have in common, as in a match rule, such as
    ///     `path='/org/example'`; empty for all. Several sets of signals may be received.
    package init(_ name: String, on bus: Bus, isStarted: Bool = false, signals: [String] = []) {
        self.name = name
        self.bus = bus
        self.isStarted = isStarted
        rules =
            [BusDriver.ownerChanges(of: name)]
            + signals.map { "type='signal',sender='\(name)'" + ($0.isEmpty ? "" : "," + $0) }
    }

    /// The id of the bus.
    package var busID: String { bus.id ?? "" }

    // MARK: The owner

    /// Connects to the bus and looks for the owner. Does nothing if it is known. One that was absent is looked for, and
    /// started, again.
    package func open() {
        if isOpen, isConnected { return search() }
        isOpen = true
        bus.open(self)
    }

    /// Ends the connection, unless others need it. No answer or event arrives any more.
    package func close() {
        guard isOpen else { return }
        if isConnected { for rule in rules { callBus("RemoveMatch", rule) } }
        (isOpen, owner) = (false, nil)
        lose()
        bus.close(self)
    }

    private func lose() {
        generation += 1
        (isConnected, isSearching) = (false, false)
    }

    func connected() {
        guard isOpen, !isConnected else { return }
        isConnected = true
        for rule in rules { callBus("AddMatch", rule) }
        search()
    }

    func disconnected(_ reason: String) {
        guard isOpen else { return }
        owner = nil
        lose()
        onEvent?(.disconnected(reason))
    }

    private func callBus(_ method: String, _ rule: String) { bus.connection.call(method, [.string(rule)]) { _ in } }

    private func search() {
        guard owner == nil, !isSearching else { return }
        isSearching = true
        findOwner { [unowned self] owner in
            guard owner == nil, isStarted, self.owner == nil else { return found(owner) }
            // The answer does not say who it is.
            bus.connection.call(
                "StartServiceByName", [.string(name), .uint32(0)],
                current { [unowned self] reply in
                    if case .failure(let failure) = reply { return found(nil, failure.text) }
                    findOwner { [unowned self] in found($0) }
                })
        }
    }

    private func findOwner(_ body: @escaping (String?) -> Void) {
        bus.connection.call(
            BusDriver.getNameOwner, [.string(name)],
            current { [unowned self] reply in
                switch reply {
                case .message(let message): body(message.readString())
                case .failure: body(nil)
                // Not absent: nothing is known of it.
                case .none:
                    isSearching = false
                    onEvent?(.disconnected("the system bus does not answer"))
                }
            })
    }

    private func found(_ owner: String?, _ reason: String = noOwner) {
        isSearching = false
        // A signal may have come before the answer.
        if let owner { set(owner) } else if self.owner == nil { onEvent?(.absent(reason)) }
    }

    private func set(_ owner: String) {
        guard owner != self.owner else { return }
        self.owner = owner
        onEvent?(.found)
    }

    /// Returns a function that calls `body`, unless the connection, or the client's interest, has ended meanwhile.
    private func current<Value>(_ body: @escaping (Value) -> Void) -> (Value) -> Void {
        let generation = generation
        return { [weak self] in if self?.generation == generation { body($0) } }
    }

    // MARK: Calls and signals

    /// Calls a method of the owner. `answer` is called once, unless the service is closed or the connection to the bus
    /// is lost before.
    ///
    /// - Parameter timeout: The time after which the call counts as unanswered. With `nil`, it waits until the owner
    ///   answers or leaves the bus.
    package func call(
        _ method: String, of interface: String, at path: String, _ arguments: [BusValue] = [], timeout: TimeAmount?,
        _ answer: @escaping (CallReply) -> Void
    ) {
        guard let owner else {
            return answer(.failure(BusFailure(name: BusDriver.name + ".Error.NameHasNoOwner", text: Self.noOwner)))
        }
        bus.connection.call(method, of: interface, at: path, on: owner, arguments, timeout: timeout, current(answer))
    }

    /// Asks for the objects: D-Bus specification, "org.freedesktop.DBus.ObjectManager".
    ///
    /// - Parameters:
    ///   - path: The path of the manager.
    ///   - read: Reads the reply, with ``BusMessage/readObjects(upTo:_:_:)``.
    ///   - body: Called with the objects, or `nil` if there is no answer or it cannot be read.
    package func objects<Object>(
        at path: String, timeout: TimeAmount, _ read: @escaping (BusMessage) -> [Object]?,
        _ body: @escaping ([Object]?) -> Void
    ) {
        call(BusMessage.getManagedObjects, of: BusMessage.objectManager, at: path, timeout: timeout) { reply in
            if case .message(let message) = reply { body(read(message)) } else { body(nil) }
        }
    }

    /// Handles a signal on the connection.
    ///
    /// Attack: any program on the bus sends signals to this connection. Only the bus's and the owner's count.
    func receive(_ signal: BusMessage) {
        guard isConnected, let sender = signal.sender else { return }
        if sender == owner { return onSignal?(signal) ?? () }
        guard let owner = signal.newOwner(of: name) else { return }
        if !owner.isEmpty { return set(owner) }
        guard self.owner != nil else { return }
        self.owner = nil
        onEvent?(.absent("it has left the system bus"))
    }
}
