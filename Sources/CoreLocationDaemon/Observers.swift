/// The observers of a value, in the order in which they were added.
struct Observers<Value> {
    /// The identifier of an observer.
    struct Identifier: Hashable, Sendable {
        fileprivate let number: Int
    }

    private var bodies: [(identifier: Identifier, body: @Sendable (Value) -> Void)] = []
    private var count = 0

    /// A Boolean value indicating whether there are no observers.
    var isEmpty: Bool { bodies.isEmpty }
    /// The closures of all observers. The caller must not be in the middle of a change when it calls them.
    var all: [@Sendable (Value) -> Void] { bodies.map(\.body) }

    mutating func add(_ body: @escaping @Sendable (Value) -> Void) -> Identifier {
        count += 1
        let identifier = Identifier(number: count)
        bodies.append((identifier, body))
        return identifier
    }

    mutating func remove(_ identifier: Identifier) {
        bodies.removeAll { $0.identifier == identifier }
    }
}
