internal import EventLoopSupport
internal import NIOCore

/// A timer that ends the daemon once it has been idle for a while. The service manager starts it for the next client.
///
/// The timer runs only while the daemon is idle. Confined to the event loop.
final class IdleExit {
    private let wait: TimeAmount
    private let isIdle: () -> Bool
    private let onIdle: () -> Void
    private let timer: LoopTimer
    private var isStopped = false

    /// Creates a timer that is not running.
    ///
    /// - Parameters:
    ///   - wait: The idle time that ends the daemon.
    ///   - isIdle: Returns whether the daemon is idle now.
    ///   - onIdle: Called once, on the event loop, when the daemon has been idle for that time. Everything that it does
    ///     before returning happens before the loop accepts another connection.
    init(
        after wait: TimeAmount, on loop: any EventLoop, isIdle: @escaping () -> Bool, onIdle: @escaping () -> Void
    ) {
        self.wait = wait
        timer = LoopTimer(on: loop)
        self.isIdle = isIdle
        self.onIdle = onIdle
    }

    /// Starts or cancels the timer. Must be called whenever the result of `isIdle` may have changed.
    func check() {
        guard !isStopped, isIdle() else { return timer.cancel() }
        guard !timer.isSet else { return }
        timer.set(in: wait) {
            guard self.isIdle() else { return }
            self.isStopped = true
            self.onIdle()
        }
    }

    /// Stops the timer permanently.
    func stop() {
        isStopped = true
        timer.cancel()
    }
}
