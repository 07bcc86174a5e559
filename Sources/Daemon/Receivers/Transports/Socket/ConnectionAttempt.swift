import EventLoopSupport
import Glibc
import Linux
import NIOCore

/// Connects on threads of their own, because connecting may wait for a file system or a resolver that never answers.
///
/// There is at most one thread, however often an attempt is begun and given up in the meantime. Confined to the event
/// loop.
final class ConnectionAttempt {
    /// The blocking part. Returns a connected descriptor, which does not block and which the caller owns.
    typealias Connect = @Sendable () -> Result<CInt, ReceiverFailure>

    private let connect: Connect
    private let eventLoop: any EventLoop
    /// Created with the first connection, and kept. Until then, there are no threads for it.
    private var sockets: StreamSockets?
    /// A Boolean value indicating whether a thread connects.
    private var isConnecting = false
    /// A Boolean value indicating whether that thread connects for an attempt that was given up.
    private var isOutdated = false
    private var completion: ((Result<(CInt, StreamSockets), ReceiverFailure>) -> Void)?

    init(on eventLoop: any EventLoop, connect: @escaping Connect) {
        self.eventLoop = eventLoop
        self.connect = connect
    }

    deinit { sockets?.stop() }

    /// Begins to connect, in place of any earlier attempt. If a thread still connects for that one, this attempt follows
    /// it.
    ///
    /// - Parameter completion: Called on the loop with the connection, unless the attempt is given up.
    func begin(_ completion: @escaping (Result<(CInt, StreamSockets), ReceiverFailure>) -> Void) {
        self.completion = completion
        if isConnecting { isOutdated = true } else { start() }
    }

    /// Gives up the attempt.
    func cancel() { completion = nil }

    private func start() {
        let (loop, bound) = (eventLoop, NIOLoopBound(self, eventLoop: eventLoop))
        do throws(SystemCallError) {
            try DetachedThread.start { [connect] in
                let result = connect()
                loop.execute { bound.value.didFinish(result) }
            }
            isConnecting = true
        } catch {
            finish(.failure(ReceiverFailure(.unusable, "cannot connect: \(error)")))
        }
    }

    private func didFinish(_ result: Result<CInt, ReceiverFailure>) {
        let isCurrent = !isOutdated && completion != nil
        (isConnecting, isOutdated) = (false, false)
        guard isCurrent else {
            // This connection is out of date, and is no longer wanted.
            if case .success(let descriptor) = result {
                if let sockets = startedSockets() {
                    sockets.closer.close(descriptor)
                } else {
                    _ = Glibc.close(descriptor)
                }
            }
            if completion != nil { start() }
            return
        }
        finish(
            result.flatMap { descriptor in
                if let sockets = startedSockets() { return .success((descriptor, sockets)) }
                // The process has no descriptors left, and nothing has been received on this one yet.
                _ = Glibc.close(descriptor)
                return .failure(ReceiverFailure(.unusable, "cannot connect: too many files are open"))
            })
    }

    private func finish(_ result: Result<(CInt, StreamSockets), ReceiverFailure>) {
        let completion = self.completion
        self.completion = nil
        completion?(result)
    }

    private func startedSockets() -> StreamSockets? {
        if sockets == nil { sockets = try? StreamSockets(on: eventLoop) }
        return sockets
    }
}
