import EventLoopSupport
public import Linux
public import NIOCore

/// A client's connection to a ``VarlinkServer``.
///
/// Confined to its event loop. Its calls are handled strictly one after another, in the order of their arrival. Its two
/// halves, ``Inbound`` and an `OutboundQueue`, decide what is handled and sent, and when. This class does the I/O.
public final class Connection {
    /// The process at the other end. Its ``Peer/pidfd`` occupies a descriptor for each connection; set that to `nil`
    /// once it is not needed any more.
    public var peer: Peer
    /// An object for the application's own use.
    public var userData: AnyObject?
    /// The number of updates that were not sent because a newer one replaced them.
    public var replacedUpdates: Int { outbound.waiting.replacedUpdates }
    /// A Boolean value indicating whether the connection is closed, or about to be.
    public var isClosed: Bool { outbound.isClosed }
    /// The event loop of the connection.
    public var eventLoop: any EventLoop { socket.eventLoop }

    private let socket: StreamSocket
    private let server: VarlinkServer

    private var inbound: Inbound
    /// The queue calls nothing of the connection, so accesses never overlap. The hot path needs no check.
    @exclusivity(unchecked) private var outbound: OutboundQueue<WaitingReplies>
    private var currentCall: AnyCall?
    private var onSent: (() -> Void)?
    /// The timer that closes a refused connection. Attack: a user connects and closes without end, so a timer must not
    /// outlive its connection.
    private var refusalTimer: Scheduled<Void>?

    init(socket: StreamSocket, peer: Peer, server: VarlinkServer) {
        self.socket = socket
        self.peer = peer
        self.server = server
        inbound = Inbound(maximumFrameSize: server.limits.frameSize)
        outbound = OutboundQueue(WaitingReplies(maximumBytes: server.limits.unsentBytes))
        socket.delegate = self
    }

    /// Returns whether the process at the other end was in the group of the socket's file when it connected, through
    /// its own or a supplementary group. Returns `false` if this is not known.
    public func isPeerInGroupOfSocket() -> Bool { socket.isPeerInGroupOfFile() }

    /// Starts to read and handle the connection's calls.
    public func admit() {
        guard inbound.admit() else { return }
        proceed()
    }

    /// Answers the first call with `error`, then closes. A peer that does not make a call in time is disconnected, too.
    public func refuse(_ error: VarlinkError) {
        guard !isClosed, inbound.refuse(error) else { return }
        let bound = NIOLoopBound(socket, eventLoop: eventLoop)
        refusalTimer = eventLoop.scheduleTask(in: server.limits.refusalTime) { bound.value.close() }
        proceed()
    }

    /// Closes the connection and drops all unsent replies. The callbacks are called later, from the event loop.
    public func close() {
        guard !isClosed else { return }
        inbound.close()
        outbound.close()
        socket.close()
    }

    // MARK: Calls

    private func proceed() {
        while let action = inbound.next(repliesAreSent: outbound.isFlushed) {
            switch action {
            case .read: socket.receive()
            case .handle: guard server.turns.run(self, of: peer.uid, { handleFrame() }) else { return }
            case .fail(let error): closeWithError(error)
            case .finish: closeWhenSent()
            }
        }
    }

    private func handleFrame() {
        switch inbound.beginTurn() {
        case .call(let frame)?: handle(frame)
        case .refuse(let error)?: closeWithError(error)
        case nil: break
        }
    }

    private func handle(_ frame: ByteBuffer) {
        var oneway = false
        do throws(VarlinkError) {
            let request = try Request(parsing: frame, maximumDepth: server.limits.depth)
            oneway = request.oneway
            let (interface, method, handler) = try server.service.handler(for: request)
            let call = AnyCall(
                connection: self, interface: interface.name, method: method.name,
                more: request.more, oneway: request.oneway, parameters: request.parameters)
            currentCall = call
            do throws(VarlinkError) { try handler(call) } catch { call.fail(error) }
        } catch {
            inbound.didEndCall()
            if !oneway { send(Frame.error(error)) }
        }
    }

    /// Handles the last answer to the current call.
    func callEnded() {
        currentCall = nil
        inbound.didEndCall()
        // Not from within the reply: the handler of the next call must not run inside the function that replied.
        guard outbound.isFlushed else { return }
        let bound = NIOLoopBound(self, eventLoop: eventLoop)
        eventLoop.execute { bound.value.proceed() }
    }

    // MARK: Replies

    func send(_ frame: ByteBuffer, replaceable: Bool = false) {
        perform(outbound.send(frame) { $0.add(frame, isReplaceable: replaceable) })
    }

    func dropPendingUpdate() {
        outbound.waiting.dropPendingUpdate()
    }

    private func perform(_ action: OutboundQueue<WaitingReplies>.Action?) {
        switch action {
        case .write(let frame)?: write(frame)
        case .close?: close()
        case nil: break
        }
    }

    private func write(_ frame: ByteBuffer) {
        switch socket.send(frame) {
        case .all: break
        case .part: outbound.didBlock()
        case .failed: close()
        }
    }

    /// Calls `body` once, later and from the event loop, when the socket has accepted everything that was sent.
    /// Replaces an earlier `body` that has not been called yet. `body` is not called once the connection is closed.
    public func whenSent(_ body: @escaping () -> Void) {
        onSent = body
        let bound = NIOLoopBound(self, eventLoop: eventLoop)
        eventLoop.execute { bound.value.reportSent() }
    }

    private func reportSent() {
        guard outbound.isFlushed, !isClosed, let onSent else { return }
        self.onSent = nil
        onSent()
    }

    private func closeWithError(_ error: VarlinkError) {
        send(Frame.error(error))
        closeWhenSent()
    }

    private func closeWhenSent() {
        inbound.close()
        perform(outbound.drain())
    }
}

extension Connection: StreamSocketDelegate {
    package func didReceive(_ bytes: ByteBuffer) {
        guard inbound.receive(bytes) else { return closeWithError(.invalidParameter("message")) }
        proceed()
    }

    package func didReachEnd() {
        inbound.didReachEnd()
        proceed()
    }

    package func didSendRest() {
        outbound.didUnblock()
        while let action = outbound.next() { perform(action) }
        reportSent()
        proceed()
    }

    package func didClose() {
        inbound.close()
        outbound.close()
        refusalTimer?.cancel()
        refusalTimer = nil
        onSent = nil
        let call = currentCall
        currentCall = nil
        call?.markEnded()
        server.disconnected(self)
    }
}

extension Connection: TurnTaker {
    /// Handles the waiting frame: it is the user's turn.
    package func takeTurn() {
        handleFrame()
        proceed()
    }
}
