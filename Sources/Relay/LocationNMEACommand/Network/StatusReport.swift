internal import EventLoopSupport
internal import NIOCore

/// Reports the state in words to the service manager, at most once a second. Confined to the event loop.
///
/// Attack: a reader or a sender connects and leaves a thousand times a second. Each change costs the service manager,
/// and every program watching it, more than the attacker.
final class StatusReport {
    /// The shortest time between two reports.
    static let interval = TimeAmount.seconds(1)

    private let send: (String) -> Void
    private let timer: LoopTimer
    /// The state to report next, unless it was reported last.
    private var waiting: String?
    private var reported: String?

    /// - Parameter send: Sends a report.
    init(on loop: any EventLoop, send: @escaping (String) -> Void) {
        timer = LoopTimer(on: loop)
        self.send = send
    }

    /// Reports a state now, or the latest state once the interval has passed.
    func report(_ status: String) {
        waiting = status
        if !timer.isSet { sendWaiting() }
    }

    private func sendWaiting() {
        guard let status = waiting, status != reported else { return }
        (waiting, reported) = (nil, status)
        send(status)
        timer.set(in: Self.interval) { [weak self] in self?.sendWaiting() }
    }
}
