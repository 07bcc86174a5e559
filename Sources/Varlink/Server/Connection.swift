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
    /// How many updates a newer one replaced before the peer took them.
    public private(set) var replacedUpdates = 0
    /// A Boolean value indicating whether the connection is closed, or about to be.
    public private(set) var isClosed = false
    /// The loop that it is confined to.
    public var eventLoop: any EventLoop { channel.eventLoop }

    private let channel: any Channel
    private let descriptor: CInt
    private let server: VarlinkServer
    private var limits: VarlinkServer.Limits { server.limits }

    // Inbound
    private var decoder: FrameDecoder
    /// What was read and is not handled yet; read on only once it is.
    private var input: ByteBuffer?
    /// A whole frame that waits for its turn.
    private var ready: ByteBuffer?
    private var isWaitingForTurn = false
    private var isReading = false
    private var isAdmitted = false
    private var currentCall: AnyCall?
    private var inputIsClosed = false
    /// The answer to whatever comes first, after which the connection is closed.
    private var refusal: VarlinkError?
    /// Attack: a user connects and closes without end; what is kept for each refusal must not outlive it.
    private var refusalTimer: Scheduled<Void>?

    // Outbound
    /// Replies that wait for the socket; at most one of them, the pending update, is replaceable.
    private var unsent: [(frame: ByteBuffer, replaceable: Bool)] = []
    private var unsentBytes = 0
    /// A Boolean value indicating whether NIO has bytes that the socket did not take.
    private var isBlocked = false
    private var onSent: (() -> Void)?
    private var closesWhenSent = false

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

    /// Takes up the connection's calls. Nothing of them is read before.
    public func admit() {
        guard !isClosed, !isAdmitted, refusal == nil else { return }
        isAdmitted = true
        proceed()
    }

    /// Answers the first call with `error`, then closes. A peer that does not call in time is closed all the same.
    public func refuse(_ error: VarlinkError) {
        guard !isClosed, !isAdmitted else { return }
        refusal = error
        let channel = channel
        refusalTimer = channel.eventLoop.scheduleTask(in: limits.refusalTime) { channel.close(promise: nil) }
        proceed()
    }

    // MARK: Inbound

    func received(_ bytes: ByteBuffer) {
        var bytes = bytes
        // At its end NIO reads whatever the socket has left.
        guard (input?.readableBytes ?? 0) + bytes.readableBytes <= limits.frameSize else {
            return closeWithError(.invalidParameter("message"))
        }
        input.setOrWriteBuffer(&bytes)
        proceed()
    }

    func readCompleted() {
        isReading = false
        readMore()
    }

    func receivedEnd() {
        inputIsClosed = true
        closeIfDone()
    }

    func disconnected() {
        isClosed = true
        refusalTimer?.cancel()
        refusalTimer = nil
        (unsent, unsentBytes) = ([], 0)
        onSent = nil
        (input, ready) = (nil, nil)
        let call = currentCall
        currentCall = nil
        call?.connectionEnded()
    }

    /// Attack: a peer makes calls and does not read the replies, which then pile up. So no call is taken up, and nothing
    /// read, while a reply waits for the peer.
    private var isReady: Bool {
        (isAdmitted || refusal != nil) && currentCall == nil && !isWaitingForTurn && !isBlocked && unsent.isEmpty
            && !closesWhenSent && !isClosed
    }

    /// Handles what was read as far as it may be handled now, then reads on.
    private func proceed() {
        while isReady, prepareFrame() {
            isWaitingForTurn = !server.scheduler.run(self) { handleReady() }
        }
        closeIfDone()
        readMore()
    }

    /// Handles one call, in its turn.
    func takeTurn() {
        isWaitingForTurn = false
        if isReady { handleReady() }
        proceed()
    }

    private func readMore() {
        guard isReady, !isReading, !inputIsClosed else { return }
        isReading = true
        channel.read()
    }

    /// Returns whether there is a whole frame to be handled.
    private func prepareFrame() -> Bool {
        if ready != nil { return true }
        do {
            guard var rest = input else { return false }
            input = nil
            if let frame = try decoder.next(&rest) { ready = ByteBuffer(copying: frame) }
            if rest.readableBytes > 0 { input = rest }
            return ready != nil
        } catch {
            closeWithError(.invalidParameter("message"))
            return false
        }
    }

    private func handleReady() {
        guard let frame = ready else { return }
        ready = nil
        if let refusal { closeWithError(refusal) } else { handle(frame) }
    }

    private func handle(_ frame: ByteBuffer) {
        var oneway = false
        do throws(VarlinkError) {
            let request = try Request(parsing: frame, maximumDepth: limits.depth)
            oneway = request.oneway
            let (interface, method, handler) = try server.service.handler(for: request)
            let call = AnyCall(
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
        // Not from within the reply: the next call's handler must not run inside whoever gave the reply.
        guard input != nil || ready != nil || isReady || inputIsClosed else { return }
        let bound = NIOLoopBound(self, eventLoop: eventLoop)
        eventLoop.execute { bound.value.proceed() }
    }

    private func closeIfDone() {
        guard inputIsClosed, isAdmitted || refusal != nil, currentCall == nil, ready == nil, input == nil else {
            return
        }
        closeWhenSent()
    }

    // MARK: Outbound

    func send(_ frame: ByteBuffer, replaceable: Bool = false) {
        guard !isClosed, !closesWhenSent else { return }
        guard isBlocked else { return write(frame) }
        if replaceable { dropPendingUpdate(replaced: true) }
        guard unsentBytes + frame.readableBytes <= limits.unsentBytes else { return close() }
        unsent.append((frame, replaceable))
        unsentBytes += frame.readableBytes
    }

    func dropPendingUpdate() {
        dropPendingUpdate(replaced: false)
    }

    private func dropPendingUpdate(replaced: Bool) {
        guard let index = unsent.firstIndex(where: \.replaceable) else { return }
        unsentBytes -= unsent.remove(at: index).frame.readableBytes
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
        while !isBlocked, !isClosed, !unsent.isEmpty {
            let frame = unsent.removeFirst().frame
            unsentBytes -= frame.readableBytes
            write(frame)
        }
        if unsent.isEmpty { unsent = [] }  // an idle connection keeps no buffer
        reportSent()
        if closesWhenSent { closeWhenSent() } else { proceed() }
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
