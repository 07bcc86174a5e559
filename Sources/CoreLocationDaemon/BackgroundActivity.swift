internal import NIOCore

/// The count of sessions during which updates continue in the background. Confined to the event loop.
final class BackgroundActivity: Sendable {
    private struct State {
        var sessions = 0
        var observers = Observers<Bool>()
    }

    private let state: NIOLoopBoundBox<State>

    init(on loop: any EventLoop) {
        state = NIOLoopBoundBox.makeBoxSendingValue(State(), eventLoop: loop)
    }

    /// A Boolean value indicating whether at least one session is active.
    var isActive: Bool { state.value.sessions > 0 }

    func begin() { change(by: 1) }

    func end() { change(by: -1) }

    private func change(by number: Int) {
        let before = isActive
        state.value.sessions += number
        guard isActive != before else { return }
        for body in state.value.observers.all { body(isActive) }
    }

    /// Calls `body` whenever `isActive` changes.
    func observe(_ body: @escaping @Sendable (Bool) -> Void) -> Observers<Bool>.Identifier {
        state.value.observers.add(body)
    }

    func remove(_ identifier: Observers<Bool>.Identifier) {
        state.value.observers.remove(identifier)
    }
}
