internal import Foundation
internal import NIOConcurrencyHelpers

/// The thread for calling a manager's delegate: the one that created the manager.
///
/// * For a manager created on the main thread, the main queue or the main actor: the main queue, which is served by
///   the main run loop, by `dispatchMain` and by the main actor.
/// * For a manager created in a task off the main thread: a serial queue of its own, because a task only borrows its
///   thread.
/// * For a manager created on any other thread: the run loop of that thread, which the app must run. The run loop does
///   not run out of work while the manager exists.
enum CallbackContext: Sendable {
    case queue(DispatchQueue)
    case runLoop(RunLoopQueue)

    /// The key that marks the main queue. Once the main thread has ended, in `dispatchMain` or an asynchronous `main`,
    /// other threads serve that queue and the main actor.
    private static let mainQueueKey = {
        let key = DispatchSpecificKey<Void>()
        DispatchQueue.main.setSpecific(key: key, value: ())
        return key
    }()

    /// The callback thread for a manager created on the calling thread.
    static var current: CallbackContext {
        let isOnMainQueue = DispatchQueue.getSpecific(key: mainQueueKey) != nil
        if isOnMainQueue || Thread.isMainThread { return .queue(.main) }
        let isTask = withUnsafeCurrentTask { $0 != nil }
        return isTask ? .queue(DispatchQueue(label: "CoreLocation")) : .runLoop(RunLoopQueue(.current))
    }

    /// Calls `body` after all queued work.
    func async(_ body: @escaping @Sendable () -> Void) {
        switch self {
        case .queue(let queue): queue.async(execute: body)
        case .runLoop(let queue): queue.async(body)
        }
    }

    /// Ends the callbacks.
    func end() {
        if case .runLoop(let queue) = self { queue.end() }
    }
}

/// A queue of closures to call, in order, in another thread's run loop.
final class RunLoopQueue: @unchecked Sendable {
    private let runLoop: RunLoop
    /// A timer that never fires. Without it, a run loop with nothing to wait for would end at once.
    private let keepAlive = Timer(fire: .distantFuture, interval: 0, repeats: false) { _ in }
    private let waiting = NIOLockedValueBox<[@Sendable () -> Void]>([])

    init(_ runLoop: RunLoop) {
        self.runLoop = runLoop
        runLoop.add(keepAlive, forMode: .common)
    }

    func async(_ body: @escaping @Sendable () -> Void) {
        let isFirst = waiting.withLockedValue {
            $0.append(body)
            return $0.count == 1
        }
        guard isFirst else { return }
        runLoop.perform(inModes: [.common]) { [self] in run() }
        // `perform` does not wake a waiting run loop; a due timer does.
        runLoop.add(Timer(fire: .distantPast, interval: 0, repeats: false) { _ in }, forMode: .common)
    }

    private func run() {
        for body in waiting.withLockedValue({ exchange(&$0, with: []) }) { body() }
        RunLoopReturn.calls.makeReturn(.current)
    }

    func end() {
        keepAlive.invalidate()
    }
}

/// Makes `run(mode:before:)` return, as it does on Apple's platforms after an event. Foundation offers only a
/// deprecated function for this, which it keeps for XCTest. Calling it through a protocol avoids the warning.
private protocol RunLoopReturning {
    func makeReturn(_ runLoop: RunLoop)
}

private struct RunLoopReturn: RunLoopReturning {
    static var calls: any RunLoopReturning { RunLoopReturn() }

    @available(*, deprecated)
    func makeReturn(_ runLoop: RunLoop) { runLoop._stop() }
}
