internal import LocationClient
internal import NIOCore

/// The observers of a value, in the order they were added. Confined to the event loop.
final class Observers<Value>: Sendable {
    private struct State {
        var bodies: [(number: Int, body: @Sendable (Value) -> Void)] = []
        var count = 0
    }

    private let state: NIOLoopBoundBox<State>

    init(on loop: any EventLoop) {
        state = NIOLoopBoundBox.makeBoxSendingValue(State(), eventLoop: loop)
    }

    /// A Boolean value indicating whether there are no observers.
    var isEmpty: Bool { state.value.bodies.isEmpty }

    /// Adds an observer.
    ///
    /// - Returns: The handle that removes it, on the event loop.
    func add(_ body: @escaping @Sendable (Value) -> Void) -> CancellationHandle {
        state.value.count += 1
        let number = state.value.count
        state.value.bodies.append((number, body))
        return CancellationHandle { [state] in state.value.bodies.removeAll { $0.number == number } }
    }

    /// Calls all current observers. The caller must not be in the middle of a change.
    func notify(_ value: Value) {
        for (_, body) in state.value.bodies { body(value) }
    }
}

/// Replaces `value` by `new`, and returns the old value.
func exchange<Value>(_ value: inout Value, with new: Value) -> Value {
    let old = value
    value = new
    return old
}
