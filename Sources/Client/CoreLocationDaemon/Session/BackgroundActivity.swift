internal import LocationClient
internal import NIOCore

/// The number of sessions that keep updates going in the background. Confined to the event loop.
final class BackgroundActivity: Sendable {
    private let sessions: NIOLoopBoundBox<Int>
    private let observers: Observers<Bool>

    init(on loop: any EventLoop) {
        sessions = NIOLoopBoundBox.makeBoxSendingValue(0, eventLoop: loop)
        observers = Observers(on: loop)
    }

    /// A Boolean value indicating whether at least one session is active.
    var isActive: Bool { sessions.value > 0 }

    func begin() { change(by: 1) }

    func end() { change(by: -1) }

    private func change(by number: Int) {
        let before = isActive
        sessions.value += number
        guard isActive != before else { return }
        observers.notify(isActive)
    }

    /// Calls `body` whenever `isActive` changes.
    func observe(_ body: @escaping @Sendable (Bool) -> Void) -> CancellationHandle { observers.add(body) }
}
