import Glibc
public import NIOCore

/// A client's connection to a ``VarlinkServer``.
///
/// Confined to its event loop. Its calls are handled strictly one after the other, in the order in which they came.
public final class Connection {
    /// Who connected. Its ``Peer/pidfd`` costs a descriptor a connection; set that to `nil` once it is not needed.
    public var peer: Peer
    /// For the application's own use, such as its session.
    public var userData: AnyObject?
    /// Called once, from the event loop, when the connection is gone; after the running call's ``Call/onEnd``.
    public var onClose: (() -> Void)?
    /// How many updates a newer one replaced before the peer took them.
    public private(set) var replacedUpdates = 0
    /// The loop that it is confined to.
    public var eventLoop: any EventLoop { channel.eventLoop }

    private let channel: any Channel
    private let descriptor: CInt
    private let server: VarlinkServer
    private var limits: VarlinkServer.Limits { server.limits }

    // Inbound
    private var decoder: FrameDecoder
    private var waiting: [ByteBuffer] = []
    private var currentCall: Call?
    private var inputIsClosed = false
    /// The answer to whatever comes first, after which the connection is closed.
    private var refusal: VarlinkError?
    /// Attack: a user connects and closes without end; what is kept for each refusal must not outlive it.
    private var refusalTimer: Scheduled<Void>?

    // Outbound
    /// Replies that wait for the socket; at most one of them, the pending update, is replaceable.
    private var unsent: [(frame: ByteBuffer, replaceable: Bool)] = []
    /// Whether NIO has bytes that the socket did not take.
    private var isBlocked = false
    private var onSent: (() -> Void)?
    private var closesWhenSent = false
    private var isClosed = false

    init(channel: any Channel, descriptor: CInt, peer: Peer, server: VarlinkServer) {
        self.channel = channel
        self.descriptor = descriptor
        self.peer = peer
        self.server = server
        decoder = FrameDecoder(maximumFrameSize: server.limits.frameSize)
    }

    /// Closes the connection; what has not been sent is dropped. The callbacks come from the event loop, later.
    public func close() {
        guard !isClosed else { return }
        isClosed = true
        let channel = channel
        channel.eventLoop.execute { channel.close(promise: nil) }
    }

    var closeFuture: EventLoopFuture<Void> { channel.closeFuture }

    /// Answers the first call with `error`, then closes. A peer that does not call in time is closed all the same.
    func refuse(_ error: VarlinkError) {
        guard !isClosed else { return }
        refusal = error
        let channel = channel
        refusalTimer = channel.eventLoop.scheduleTask(in: limits.refusalTime) { channel.close(promise: nil) }
    }

    // MARK: Inbound

    func received(_ input: ByteBuffer) {
        var input = input
        do {
            while !closesWhenSent, !isClosed, let frame = try decoder.next(&input) { take(frame) }
        } catch {
            closeWithError(.invalidParameter("message"))
        }
    }

    func receivedEnd() {
        inputIsClosed = true
        closeIfDone()
    }

    func disconnected() {
        isClosed = true
        refusalTimer?.cancel()
        refusalTimer = nil
        unsent = []
        onSent = nil
        waiting = []
        let call = currentCall
        currentCall = nil
        call?.connectionEnded()
        let onClose = onClose
        self.onClose = nil
        onClose?()
    }

    private func take(_ frame: ByteBuffer) {
        if let refusal { return closeWithError(refusal) }
        guard currentCall != nil || !waiting.isEmpty else { return handle(frame) }
        let waitingBytes = waiting.reduce(0) { $0 + $1.readableBytes }
        guard waiting.count < limits.waitingCalls, waitingBytes + frame.readableBytes <= limits.frameSize else {
            return closeWithError(.invalidParameter("message"))
        }
        waiting.append(ByteBuffer(copying: frame))
    }

    private func handle(_ frame: ByteBuffer) {
        var oneway = false
        do throws(VarlinkError) {
            let request = try Request(parsing: frame, maximumDepth: limits.depth)
            oneway = request.oneway
            let (interface, method, handler) = try server.service.handler(for: request)
            let call = Call(
                connection: self, interface: interface.name, method: method.name,
                more: request.more, oneway: request.oneway, parameters: request.parameters)
            currentCall = call
            do throws(VarlinkError) { try handler(call) } catch { call.fail(error) }
        } catch {
            if !oneway { send(Frame.error(error)) }
        }
    }

    /// The current call has had its last answer.
    func callEnded() {
        currentCall = nil
        closeIfDone()
        // Not from within the reply: the next call's handler must not run inside whoever gave the reply.
        guard !waiting.isEmpty else { return }
        let bound = NIOLoopBound(self, eventLoop: eventLoop)
        eventLoop.execute { bound.value.handleWaiting() }
    }

    private func handleWaiting() {
        while currentCall == nil, !closesWhenSent, !isClosed, !waiting.isEmpty {
            handle(waiting.removeFirst())
        }
        if waiting.isEmpty { waiting = [] }
        closeIfDone()
    }

    private func closeIfDone() {
        if inputIsClosed, currentCall == nil, waiting.isEmpty { closeWhenSent() }
    }

    // MARK: Outbound

    func send(_ frame: ByteBuffer, replaceable: Bool = false) {
        guard !isClosed, !closesWhenSent else { return }
        guard isBlocked else { return write(frame) }
        if replaceable { dropPendingUpdate(replaced: true) }
        guard unsent.count < limits.unsentReplies else { return close() }
        unsent.append((frame, replaceable))
    }

    func dropPendingUpdate() {
        dropPendingUpdate(replaced: false)
    }

    private func dropPendingUpdate(replaced: Bool) {
        guard let index = unsent.firstIndex(where: \.replaceable) else { return }
        unsent.remove(at: index)
        if replaced { replacedUpdates += 1 }
    }

    /// Writes straight to the socket: half the cost of a write through the pipeline. What it does not take is
    /// NIO's to write when it does.
    private func write(_ frame: ByteBuffer) {
        let sent = frame.withUnsafeReadableBytes { bytes in
            Glibc.send(descriptor, bytes.baseAddress, bytes.count, CInt(MSG_DONTWAIT | MSG_NOSIGNAL))
        }
        if sent == frame.readableBytes { return }
        guard sent >= 0 || errno == EAGAIN || errno == EINTR else { return close() }
        isBlocked = true
        var rest = frame
        rest.moveReaderIndex(forwardBy: max(sent, 0))
        let bound = NIOLoopBound(self, eventLoop: eventLoop)
        channel.writeAndFlush(rest).whenSuccess { bound.value.unblocked() }
    }

    private func unblocked() {
        isBlocked = false
        while !isBlocked, !isClosed, !unsent.isEmpty { write(unsent.removeFirst().frame) }
        if unsent.isEmpty { unsent = [] }  // an idle connection keeps no buffer
        reportSent()
        if closesWhenSent { closeWhenSent() }
    }

    /// Calls `body` once, later and from the event loop, when the socket has taken all that was sent. Takes the place of
    /// a `body` that was not called yet. Not called any more when the connection is closed.
    public func whenSent(_ body: @escaping () -> Void) {
        onSent = body
        let bound = NIOLoopBound(self, eventLoop: eventLoop)
        eventLoop.execute { bound.value.reportSent() }
    }

    private func reportSent() {
        guard !isBlocked, !isClosed, unsent.isEmpty, let onSent else { return }
        self.onSent = nil
        onSent()
    }

    private func closeWithError(_ error: VarlinkError) {
        send(Frame.error(error))
        closeWhenSent()
    }

    private func closeWhenSent() {
        closesWhenSent = true
        if !isBlocked { close() }
    }
}
