import EventLoopSupport
import Glibc
public import Linux
public import NIOCore

/// A client's connection to a ``VarlinkServer``.
///
/// Confined to its event loop. Its calls are handled strictly one after the other, in the order in which they came.
/// Its two halves, ``Inbound`` and ``Outbound``, decide what is handled and sent, and when. The I/O is here.
public final class Connection {
    /// The process at the other end. Its ``Peer/pidfd`` costs a descriptor for each connection: set that to `nil`
    /// once it is not needed.
    public var peer: Peer
    /// An object for the application's own use.
    public var userData: AnyObject?
    /// The number of updates that were not sent because a newer one replaced them.
    public var replacedUpdates: Int { outbound.replacedUpdates }
    /// A Boolean value indicating whether the connection is closed, or about to be.
    public var isClosed: Bool { outbound.isClosed }
    /// The loop that the connection is confined to.
    public var eventLoop: any EventLoop { channel.eventLoop }

    private let channel: any Channel
    private let descriptor: CInt
    private let server: VarlinkServer

    private var inbound: Inbound
    private var outbound: Outbound
    private var currentCall: AnyCall?
    private var onSent: (() -> Void)?
    /// Attack: a user connects and closes without end; what is kept for each refusal must not outlive it.
    private var refusalTimer: Scheduled<Void>?

    init(channel: any Channel, descriptor: CInt, peer: Peer, server: VarlinkServer) {
        self.channel = channel
        self.descriptor = descriptor
        self.peer = peer
        self.server = server
        inbound = Inbound(maximumFrameSize: server.limits.frameSize)
        outbound = Outbound(maximumWaitingBytes: server.limits.unsentBytes)
    }

    /// Has the connection's calls handled. Nothing of them is read before.
    public func admit() {
        guard inbound.admit() else { return }
        proceed()
    }

    /// Answers the first call with `error`, then closes. A peer that does not call in time is closed all the same.
    public func refuse(_ error: VarlinkError) {
        guard !isClosed, inbound.refuse(error) else { return }
        let channel = channel
        refusalTimer = channel.eventLoop.scheduleTask(in: server.limits.refusalTime) { channel.close(promise: nil) }
        proceed()
    }

    /// Closes the connection; what has not been sent is dropped. The callbacks come from the event loop, later.
    public func close() {
        guard !isClosed else { return }
        inbound.close()
        outbound.close()
        let channel = channel
        channel.eventLoop.execute { channel.close(promise: nil) }
    }

    var closeFuture: EventLoopFuture<Void> { channel.closeFuture }

    // MARK: From the channel

    func didReceive(_ bytes: ByteBuffer) {
        guard inbound.receive(bytes) else { return closeWithError(.invalidParameter("message")) }
        proceed()
    }

    func didRead() {
        inbound.didRead()
        proceed()
    }

    func didReachEnd() {
        inbound.didReachEnd()
        proceed()
    }

    func didDisconnect() {
        inbound.close()
        outbound.close()
        refusalTimer?.cancel()
        refusalTimer = nil
        onSent = nil
        let call = currentCall
        currentCall = nil
        call?.markEnded()
    }

    // MARK: Calls

    private func proceed() {
        while let action = inbound.next(repliesAreSent: outbound.isFlushed) {
            switch action {
            case .read: channel.read()
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

    /// The current call has had its last answer.
    func callEnded() {
        currentCall = nil
        inbound.didEndCall()
        // Not from within the reply: the next call's handler must not run inside the function that replied.
        guard outbound.isFlushed else { return }
        let bound = NIOLoopBound(self, eventLoop: eventLoop)
        eventLoop.execute { bound.value.proceed() }
    }

    // MARK: Replies

    func send(_ frame: ByteBuffer, replaceable: Bool = false) {
        perform(outbound.send(frame, isReplaceable: replaceable))
    }

    func dropPendingUpdate() {
        outbound.dropPendingUpdate()
    }

    private func perform(_ action: Outbound.Action?) {
        switch action {
        case .write(let frame)?: write(frame)
        case .close?: close()
        case nil: break
        }
    }

    /// Writes straight to the socket: half the cost of a write through the pipeline. NIO writes what the socket does
    /// not accept.
    private func write(_ frame: ByteBuffer) {
        let sent = frame.withUnsafeReadableBytes { bytes in
            Glibc.send(descriptor, bytes.baseAddress, bytes.count, CInt(MSG_DONTWAIT | MSG_NOSIGNAL))
        }
        if sent == frame.readableBytes { return }
        guard sent >= 0 || errno == EAGAIN || errno == EINTR else { return close() }
        outbound.didBlock()
        var rest = frame
        rest.moveReaderIndex(forwardBy: max(sent, 0))
        let bound = NIOLoopBound(self, eventLoop: eventLoop)
        channel.writeAndFlush(rest).whenSuccess { bound.value.didUnblock() }
    }

    private func didUnblock() {
        outbound.didUnblock()
        while let action = outbound.next() { perform(action) }
        reportSent()
        proceed()
    }

    /// Calls `body` once, later and from the event loop, when the socket has accepted everything that was sent.
    /// Replaces a `body` that was not called yet. Not called once the connection is closed.
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

extension Connection: TurnTaker {
    /// Handles the frame that waits: it is the user's turn.
    package func takeTurn() {
        handleFrame()
        proceed()
    }
}
