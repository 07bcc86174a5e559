internal import NIOCore

/// Ends the daemon once it has had nothing to do for a while; the service manager starts it for the next client.
///
/// No timer runs but while there is nothing to do. Confined to the event loop.
final class IdleExit {
    private let loop: any EventLoop
    private let wait: TimeAmount
    private let isIdle: () -> Bool
    private let onIdle: () -> Void
    private var timer: Scheduled<Void>?
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
        self.loop = loop
        self.isIdle = isIdle
        self.onIdle = onIdle
    }

    /// To be called whenever the answer to `isIdle` may be another one.
    func check() {
        guard !isStopped, isIdle() else { return cancel() }
        guard timer == nil else { return }
        timer = loop.assumeIsolated().scheduleTask(in: wait) {
            self.timer = nil
            guard self.isIdle() else { return }
            self.isStopped = true
            self.onIdle()
        }
    }

    /// Nothing is told from now on.
    func stop() {
        isStopped = true
        cancel()
    }

    private func cancel() {
        timer?.cancel()
        timer = nil
    }
}
