package import NIOCore

/// A service on a bus. Its owner is looked up, watched, lost and found again.
///
/// Only the calls and signals of the current owner count, not those of other connections or of earlier owners. So a
/// client consists of nothing but its calls. Confined to the event loop.
package final class BusService {
    /// A change of the service.
    package enum Event {
        /// The service has an ``BusService/owner``, which differs from the previous one.
        case found
        /// No connection owns the name. The reason is for users.
        case absent(String)
        /// There is no connection to the bus. The reason is for users. The bus retries on its own.
        case disconnected(String)
    }

    private static let noOwner = "it does not have its name on the system bus"

    private let name: String
    private let bus: Bus
    private let isStarted: Bool
    /// The match rules for the received signals.
    private let rules: [String]
    /// Handles a change. Called on the loop, never within a call by the client.
    package var onEvent: ((Event) -> Void)?
    /// Handles a signal of the owner.
    package var onSignal: ((BusMessage) -> Void)?
    /// The unique name of the owner's connection, which no other connection ever gets, or `nil` if there is no owner.
    package private(set) var owner: String?
    private var isOpen = false
    /// A number that changes when the connection or the client's interest ends. Answers from an earlier generation do
    /// not count.
    private var generation = 0
    /// A Boolean value indicating whether there is a connection and the match rules are set.
    private var isConnected = false
    private var isSearching = false

    /// Creates a client of a service. It does nothing until ``open()``.
    ///
    /// - Parameters:
    ///   - name: The well-known name.
    ///   - isStarted: `true` to have the bus start the service if it is not running.
    ///   - signals: The sets of signals to receive, each as the part of a match rule that its signals have in common,
    ///     such as `path='/org/example'`. An empty text stands for all signals of the service.
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

    /// Connects to the bus and looks for the owner, unless the owner is known. Looks for an absent owner again, and has
    /// it started again.
    package func open() {
        if isOpen, isConnected { return search() }
        isOpen = true
        bus.open(self)
    }

    /// Ends the connection, unless other services need it. No answer or event arrives afterwards.
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
            // The answer does not name the owner.
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
                // Not absent: the state of the service is unknown.
                case .none:
                    isSearching = false
                    onEvent?(.disconnected("the system bus does not answer"))
                }
            })
    }

    private func found(_ owner: String?, _ reason: String = noOwner) {
        isSearching = false
        // A signal may have arrived before the answer.
        if let owner { set(owner) } else if self.owner == nil { onEvent?(.absent(reason)) }
    }

    private func set(_ owner: String) {
        guard owner != self.owner else { return }
        self.owner = owner
        onEvent?(.found)
    }

    /// Returns a function that calls `body`, unless the connection or the client's interest has ended in the meantime.
    private func current<Value>(_ body: @escaping (Value) -> Void) -> (Value) -> Void {
        let generation = generation
        return { [weak self] in if self?.generation == generation { body($0) } }
    }

    // MARK: Calls and signals

    /// Calls a method of the owner. `answer` is called once, unless the service is closed or the connection to the bus
    /// is lost first.
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

    /// Requests the objects: D-Bus specification, "org.freedesktop.DBus.ObjectManager".
    ///
    /// - Parameters:
    ///   - path: The path of the manager.
    ///   - read: Reads the reply, with ``BusMessage/readObjects(upTo:_:_:)``.
    ///   - body: Called with the objects, or with `nil` if no answer arrives or the answer cannot be read.
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
    /// Attack: any program on the bus sends signals to this connection. Only signals of the bus and of the owner count.
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
