internal import CLinux
internal import Glibc
internal import NIOCore

/// A listening stream socket. Confined to the event loop.
package final class StreamListener {
    /// The number of connections that are accepted in a row before the loop does something else.
    private static let acceptedAtOnce = 8
    /// The number of connections of TCP that are dropped in a row before the loop does something else.
    private static let droppedAtOnce = 64
    /// The time for which the listener rests after it has dropped a connection, if the socket is of Unix.
    private static let rest = TimeAmount.microseconds(100)
    /// The time for which connections of TCP wait to be accepted, so that those that are over by then are dropped.
    private static let settlingTime = TimeAmount.milliseconds(5)
    /// The delay before accept(2) is tried again after a failure, such as a lack of free descriptors.
    private static let retryDelay = TimeAmount.seconds(1)
    /// The delay before accept(2) is tried again while too many descriptors wait to be closed.
    private static let closingDelay = TimeAmount.milliseconds(1)

    private let descriptor: CInt
    private let isOfUnix: Bool
    private let sockets: StreamSockets
    private let admits: (CInt) -> Bool
    private let onAccept: (CInt) -> Void
    private let timer: LoopTimer
    private var watch: DescriptorPoller.Watch?

    /// Accepts the connections of a bound stream socket, TCP or Unix, and takes ownership of it.
    ///
    /// - Parameters:
    ///   - backlog: The number of connections that may wait to be accepted, as in listen(2). `nil` for a socket that
    ///     listens already: another listen(2) would replace the credentials that clients read, which belong to the
    ///     process that made it listen (SO_PEERCRED in unix(7)).
    ///   - admits: Returns whether a connection is handled. Otherwise it is closed without a word.
    ///   - onAccept: Called with the descriptor of each connection, which the callee owns.
    package init(
        _ descriptor: CInt, backlog: CInt?, in sockets: StreamSockets, admits: @escaping (CInt) -> Bool = { _ in true },
        onAccept: @escaping (CInt) -> Void
    ) {
        self.descriptor = descriptor
        isOfUnix = Self.isUnix(descriptor)
        self.admits = admits
        self.sockets = sockets
        self.onAccept = onAccept
        timer = LoopTimer(on: sockets.eventLoop)
        // If the socket is our own, this happens before any client can connect. `StreamSocket` handles clients that
        // connected to the service manager's socket earlier.
        _ = stream_refuse_descriptors(descriptor)
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        if let backlog { listen(descriptor, backlog) }
        watch = sockets.poller.watch(descriptor) { [unowned self] _ in
            if isOfUnix { accept() } else { accept(in: Self.settlingTime) }
        }
        proceed()
    }

    /// Returns whether a socket is of Unix, and not of TCP.
    package static func isUnix(_ descriptor: CInt) -> Bool {
        var (family, type): (CInt, CInt) = (0, 0)
        return socket_kind(descriptor, &family, &type) == 0 && family == AF_UNIX
    }

    /// Stops listening.
    ///
    /// If another process, such as a service manager, has the socket open too, new clients wait there for the next
    /// process that listens.
    package func close() {
        guard let watch else { return }
        self.watch = nil
        timer.cancel()
        watch.end()
        sockets.closer.close(descriptor)
    }

    /// Waits for the next connection.
    private func proceed() {
        do { try watch?.wait(for: .readable) } catch { accept(in: Self.retryDelay) }
    }

    /// Accepts the waiting connections a little later, unless the callee has stopped listening.
    private func accept(in delay: TimeAmount) {
        guard watch != nil else { return }
        timer.set(in: delay) { [unowned self] in accept() }
    }

    /// Accepts the waiting connections.
    ///
    /// Attack: a process connects and closes without end. Setting up a connection, and the turn of the loop that it
    /// takes, cost more than connecting does, so the connections of all other clients wait in a queue that is always
    /// full. So nothing is set up for a connection that is over already, or whose user has too many. And the listener
    /// rests after each: those who connect without end wait in a full queue meanwhile, and leave the processor, which
    /// they would use up together with this process, to all others. A place in the queue that becomes free wakes the
    /// one who has waited longest. If there were more at once, the first one to wake would fill them all, and the
    /// others would wait for the next draw.
    ///
    /// This holds for Unix, where connect(2) waits for room in the queue. With TCP, the kernel drops a connection that
    /// finds the queue full, without a word, and the client tries again after 1, 3 and 7 s. So the queue is to be long,
    /// and the listener empties it: what leaves it is closed here, since another thread would have to come round first.
    /// Closing never waits for a socket of TCP, which holds no descriptors. It rests before: this process, which may
    /// have a higher priority, would accept each connection before the other process comes to close it, and search
    /// everything that the user has open for the one who has made it.
    private func accept() {
        var (accepted, dropped) = (0, 0)
        while accepted < Self.acceptedAtOnce {
            guard watch != nil else { return }
            if dropped == Self.droppedAtOnce { return accept(in: .zero) }
            // Attack: connections that are slow to close are made faster than they can be closed.
            if sockets.closer.isBusy { return accept(in: Self.closingDelay) }
            let connection = stream_accept(descriptor)
            switch -connection {
            case ...0 where stream_is_over(connection) == 0 && admits(connection):
                accepted += 1
                onAccept(connection)
            case ...0 where isOfUnix:
                sockets.closer.close(connection)
                return accept(in: Self.rest)
            case ...0:
                dropped += 1
                _ = Glibc.close(connection)
            case EAGAIN: return proceed()
            case EINTR, ECONNABORTED: continue
            default: return accept(in: Self.retryDelay)
            }
        }
        // After everything else that waits for the loop.
        accept(in: .zero)
    }
}
