internal import CLinux
internal import Glibc
package import NIOCore

/// The owner of a ``StreamSocket``, notified of its events. All functions are called on the loop.
package protocol StreamSocketDelegate: AnyObject {
    /// Handles received bytes. This completes one call of ``StreamSocket/receive()``.
    func didReceive(_ bytes: ByteBuffer)
    /// Handles the end of the peer's data, after everything that the peer sent was received. Called once.
    func didReachEnd()
    /// Handles that the socket has accepted the rest of what was sent.
    func didSendRest()
    /// Handles the end of the socket. Called once, as the last function.
    func didClose()
}

/// A connected stream socket. Its other end may belong to any process.
///
/// It receives nothing unless asked to, and never a descriptor: a peer that sends one is disconnected. It is never
/// closed on the loop. Confined to the event loop.
package final class StreamSocket {
    /// The outcome of ``send(_:)``.
    package enum Sent {
        /// The socket has accepted everything.
        case all
        /// The rest follows by itself; then ``StreamSocketDelegate/didSendRest()`` is called.
        case part
        /// Nothing more can be sent.
        case failed
    }

    /// The maximum number of bytes that are received at once.
    private static let receivedAtOnce = 4096

    package unowned var delegate: (any StreamSocketDelegate)!
    private let descriptor: CInt
    private let sockets: StreamSockets
    private var watch: DescriptorPoller.Watch!
    private var isClosed = false
    private var isReceiving = false
    private var isAtEnd = false
    /// A Boolean value indicating whether an event is being handled. The socket waits for further events only
    /// afterwards.
    private var isHandlingEvent = false
    /// A Boolean value indicating whether the poller has reported the end of the peer's data.
    private var hasEnded = false
    /// The bytes that the socket has not accepted yet, or `nil` if there are none.
    private var rest: ByteBuffer?

    /// Takes ownership of a descriptor that a ``StreamListener`` has accepted.
    package init(_ descriptor: CInt, in sockets: StreamSockets) {
        self.descriptor = descriptor
        self.sockets = sockets
        stream_inline_urgent(descriptor)
        watch = sockets.poller.watch(descriptor) { [unowned self] in isReady(for: $0) }
    }

    deinit {
        watch.end()
        if !isClosed { sockets.closer.close(descriptor) }
    }

    package var eventLoop: any EventLoop { sockets.eventLoop }

    /// Returns whether the process at the other end was in the group of the socket's file when it connected. Returns
    /// `false` if this is not known.
    package func isPeerInGroupOfFile() -> Bool {
        var group: UInt32 = 0
        return !isClosed && socket_file_group(descriptor, &group) == 0 && peer_has_group(descriptor, group) == 1
    }

    /// Begins to notify the delegate.
    package func start() { wait() }

    /// Receives once, as soon as there is something to receive. Notifies the delegate of bytes, or of the end.
    package func receive() {
        guard !isReceiving, !isAtEnd else { return }
        isReceiving = true
        wait()
    }

    /// Sends bytes. Not to be called while the rest of earlier bytes is being sent.
    package func send(_ bytes: ByteBuffer) -> Sent {
        guard !isClosed else { return .failed }
        let count = bytes.withUnsafeReadableBytes { bytes in
            Glibc.send(descriptor, bytes.baseAddress, bytes.count, CInt(MSG_DONTWAIT | MSG_NOSIGNAL))
        }
        if count == bytes.readableBytes { return .all }
        guard count >= 0 || errno == EAGAIN || errno == EINTR else { return .failed }
        var rest = bytes
        rest.moveReaderIndex(forwardBy: max(count, 0))
        self.rest = rest
        wait()
        return .part
    }

    /// Closes the socket and drops all unsent bytes. The delegate is notified later, from the event loop.
    package func close() {
        guard !isClosed else { return }
        isClosed = true
        rest = nil
        watch.end()
        sockets.closer.close(descriptor)
        let bound = NIOLoopBound((self, delegate!), eventLoop: eventLoop)
        eventLoop.execute { bound.value.1.didClose() }
    }

    // MARK: Events

    /// Waits for the events that can happen next.
    private func wait() {
        guard !isClosed, !isHandlingEvent else { return }
        var events: DescriptorPoller.Events = []
        if !hasEnded { events.insert(.ended) }
        if isReceiving { events.insert(.readable) }
        if rest != nil { events.insert(.writable) }
        do { try watch.wait(for: events) } catch { close() }
    }

    private func isReady(for events: DescriptorPoller.Events) {
        isHandlingEvent = true
        defer {
            isHandlingEvent = false
            wait()
        }
        if events.contains(.ended) { hasEnded = true }
        if rest != nil, !events.isDisjoint(with: [.writable, .failed]) { sendRest() }
        if isReceiving {
            if !events.isDisjoint(with: [.readable, .ended, .failed]) { receiveNow() }
        } else if !events.isDisjoint(with: .failed) {
            // The peer cannot receive anything.
            close()
        } else if hasEnded, !isAtEnd, stream_unread(descriptor) == 0 {
            reachEnd()
        }
    }

    private func receiveNow() {
        guard !isClosed else { return }
        let received = withUnsafeTemporaryAllocation(byteCount: Self.receivedAtOnce, alignment: 1) { buffer in
            let count = stream_receive(descriptor, buffer.baseAddress, buffer.count)
            return count > 0
                ? Received.bytes(ByteBuffer(bytes: UnsafeRawBufferPointer(rebasing: buffer[..<count])))
                : count == 0 ? .end : .failure(CInt(-count))
        }
        switch received {
        case .bytes(let bytes):
            isReceiving = false
            delegate.didReceive(bytes)
        case .end: reachEnd()
        case .failure(EAGAIN): break
        // Attack: a descriptor comes next (EBADMSG). If it were received, this thread would have to close it.
        case .failure: close()
        }
    }

    private enum Received {
        case bytes(ByteBuffer), end
        case failure(CInt)
    }

    private func reachEnd() {
        isReceiving = false
        isAtEnd = true
        delegate.didReachEnd()
    }

    private func sendRest() {
        guard let bytes = rest, !isClosed else { return }
        rest = nil
        switch send(bytes) {
        case .all: delegate.didSendRest()
        case .part: break
        case .failed: close()
        }
    }
}
