internal import EventLoopSupport
internal import NIOCore

/// Ends the daemon once it has had nothing to do for a while; the service manager starts it for the next client.
///
/// No timer runs but while there is nothing to do. Confined to the event loop.
final class IdleExit {
    private let wait: TimeAmount
    private let isIdle: () -> Bool
    private let onIdle: () -> Void
    private let timer: LoopTimer
    private var isStopped = false

    /// - Parameters:
    ///   - wait: how long there has to be nothing to do.
    ///   - isIdle: whether that is so now.
    ///   - onIdle: told on the loop, once, when it has been so for that long. What it does at once, without waiting for
    ///     anything, comes before the loop accepts another connection.
    init(
        after wait: TimeAmount, on loop: any EventLoop, isIdle: @escaping () -> Bool, onIdle: @escaping () -> Void
    ) {
        self.wait = wait
        timer = LoopTimer(on: loop)
        self.isIdle = isIdle
        self.onIdle = onIdle
    }

    /// To be called whenever the answer to `isIdle` may be another one.
    func check() {
        guard !isStopped, isIdle() else { return timer.cancel() }
        guard !timer.isSet else { return }
        timer.set(in: wait) {
            guard self.isIdle() else { return }
            self.isStopped = true
            self.onIdle()
        }
    }

    /// Nothing is told from now on.
    func stop() {
        isStopped = true
        timer.cancel()
    }
}
