internal import Foundation
internal import NIOConcurrencyHelpers

/// Where a manager's delegate is called: the thread that made the manager.
///
/// * Made on the main thread, the main queue or the main actor: the main queue, which is served by the main run loop, by `dispatchMain` and by the main actor.
/// * Made in a task that is not on the main thread: a serial queue of the manager's own, since the task's thread is only
///   borrowed.
/// * Made on any other thread: that thread's run loop, which has to be run, and has enough to do as long as the manager is
///   there.
enum CallbackThread: Sendable {
    case queue(DispatchQueue)
    case runLoop(RunLoopQueue)

    /// Marks the main queue. Once the main thread has given itself up, in `dispatchMain` or an asynchronous `main`, other
    /// threads serve that queue, and the main actor.
    private static let mainQueueMark = {
        let mark = DispatchSpecificKey<Void>()
        DispatchQueue.main.setSpecific(key: mark, value: ())
        return mark
    }()

    /// That of the calling thread.
    static var current: CallbackThread {
        let isOnMainQueue = DispatchQueue.getSpecific(key: mainQueueMark) != nil
        if isOnMainQueue || Thread.isMainThread { return .queue(.main) }
        let isTask = withUnsafeCurrentTask { $0 != nil }
        return isTask ? .queue(DispatchQueue(label: "CoreLocation")) : .runLoop(RunLoopQueue(.current))
    }

    /// Calls `body` after everything that is to be called already.
    func async(_ body: @escaping @Sendable () -> Void) {
        switch self {
        case .queue(let queue): queue.async(execute: body)
        case .runLoop(let queue): queue.async(body)
        }
    }

    /// Nothing is to be called any more.
    func end() {
        if case .runLoop(let queue) = self { queue.end() }
    }
}

/// Calls what it is given in the run loop of another thread, one after the other.
final class RunLoopQueue: @unchecked Sendable {
    private let runLoop: RunLoop
    /// A run loop that has nothing to wait for ends at once.
    private let occupation = Timer(fire: .distantFuture, interval: 0, repeats: false) { _ in }
    private let waiting = NIOLockedValueBox<[@Sendable () -> Void]>([])

    init(_ runLoop: RunLoop) {
        self.runLoop = runLoop
        runLoop.add(occupation, forMode: .common)
    }

    func async(_ body: @escaping @Sendable () -> Void) {
        let isFirst = waiting.withLockedValue {
            $0.append(body)
            return $0.count == 1
        }
        guard isFirst else { return }
        runLoop.perform(inModes: [.common]) { [self] in run() }
        // That does not wake up a run loop that waits; a timer that is due does.
        runLoop.add(Timer(fire: .distantPast, interval: 0, repeats: false) { _ in }, forMode: .common)
    }

    private func run() {
        for body in waiting.withLockedValue({ exchange(&$0, with: []) }) { body() }
        RunLoopReturn.calls.makeReturn(.current)
    }

    func end() {
        occupation.invalidate()
    }
}

/// Makes `run(mode:before:)` return, as it does on Apple's platforms after an event. Foundation has nothing else for it than
/// what it keeps for XCTest, which is deprecated; called through a protocol it does not warn.
private protocol RunLoopReturning {
    func makeReturn(_ runLoop: RunLoop)
}

private struct RunLoopReturn: RunLoopReturning {
    static var calls: any RunLoopReturning { RunLoopReturn() }

    @available(*, deprecated)
    func makeReturn(_ runLoop: RunLoop) { runLoop._stop() }
}
