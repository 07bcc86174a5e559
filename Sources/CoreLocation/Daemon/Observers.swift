/// Who wants to be told of something, in the order in which they came.
struct Observers<Value> {
    /// Names one of them.
    struct Identifier: Hashable, Sendable {
        fileprivate let number: Int
    }

    private var bodies: [(identifier: Identifier, body: @Sendable (Value) -> Void)] = []
    private var count = 0

    /// A Boolean value indicating whether there is nobody.
    var isEmpty: Bool { bodies.isEmpty }
    /// Each one's body, to be called when nothing is being changed.
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
