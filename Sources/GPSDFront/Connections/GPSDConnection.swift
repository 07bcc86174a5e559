internal import AuthorizationPolicy
internal import EventLoopSupport
internal import Glibc
internal import JSON
internal import Linux
internal import LocationCore
internal import NIOCore
internal import PeerIdentity

/// The connection of a client.
///
/// Its requests are handled one after the other, and only while the client reads what it is sent. What is sent is the
/// ``Conversation``'s; the I/O is here. Confined to the event loop.
final class GPSDConnection: Client {
    /// The maximum size of what was read and not handled yet, in bytes. NIO reads 4 KiB at a time and, when the client
    /// has closed its end, whatever is left.
    static let maximumInputBytes = 65_536

    let front = Front.gpsd
    let server: GPSDServer
    private var peer: ConnectionPeer
    private let channel: any Channel
    private let descriptor: CInt

    /// The conversation, or `nil` before the client is admitted.
    private(set) var conversation: Conversation?
    private var splitter = RequestSplitter()
    private var input: ByteBuffer?
    private var isReading = false
    /// A Boolean value indicating whether the client has closed its end, and nothing more comes from it.
    private var isInputClosed = false
    /// A Boolean value indicating whether input waits for the user's turn.
    private var isWaiting = false
    private var outbox = Outbox()

    init(channel: any Channel, descriptor: CInt, peer: ConnectionPeer, server: GPSDServer) {
        self.channel = channel
        self.descriptor = descriptor
        self.peer = peer
        self.server = server
    }

    // MARK: Client

    var evidence: PeerEvidence { peer.evidence }
    var pid: Int32 { peer.pid }
    var uid: UInt32 { peer.uid }
    func openProcess() throws(IdentityRefusal) -> ProcessDescriptor { try peer.openProcess() }

    func close() {
        guard !outbox.isClosed else { return }
        outbox.close()
        input = nil
        let channel = channel
        channel.eventLoop.execute { channel.close(promise: nil) }
    }

    var closeFuture: EventLoopFuture<Void> { channel.closeFuture }
    /// A Boolean value indicating whether nothing is sent to the client any more.
    var isClosed: Bool { outbox.isClosed }
    /// The number of locations that waited for the client to read, and were not sent.
    var unsentLocations: Int { outbox.unsentLocations }

    // MARK: Admission

    /// Closes the descriptor of the process, which the core watches with one of its own.
    func forgetDescriptor() { peer.forgetDescriptor() }

    /// Greets the client, and has its requests handled.
    func admit(_ app: ConnectedApp) {
        guard !outbox.isClosed else { return }
        conversation = Conversation(with: app, on: self)
        send(reply: server.version)
        proceed()
    }

    /// Tells the client why it is not served, and closes.
    func refuse(_ reason: String) {
        send(reply: ByteBuffer(line: { $0.error("not permitted: \(reason)") }))
        perform(outbox.drain())
    }

    // MARK: From the channel

    func didReceive(_ bytes: ByteBuffer) {
        guard !outbox.isClosed else { return }
        guard (input?.readableBytes ?? 0) + bytes.readableBytes <= Self.maximumInputBytes else { return close() }
        var bytes = bytes
        input.setOrWriteBuffer(&bytes)
        proceed()
    }

    func didRead() {
        isReading = false
        proceed()
    }

    /// Handles that the client sends nothing more: `printf '?VERSION;' | nc -N`. As gpsd does, what it has asked is
    /// answered, and then the connection is closed, even if it watches.
    ///
    /// Attack: clients connect and leave at once, and each is kept until it is known who it was.
    func didCloseInput() {
        guard !outbox.isClosed else { return }
        guard conversation != nil || input != nil else { return close() }
        isInputClosed = true
        var lineEnd = ByteBuffer(string: "\n")
        input.setOrWriteBuffer(&lineEnd)
        proceed()
    }

    func didDisconnect() {
        outbox.close()
        input = nil
        conversation?.end()
        conversation = nil
    }

    // MARK: Requests

    /// Attack: a client sends requests and does not read the replies, which then pile up. So nothing is handled or
    /// read before everything is sent.
    private func proceed() {
        while conversation != nil, !isWaiting, outbox.isFlushed, !outbox.isClosed {
            guard input != nil else {
                if isInputClosed { return close() }
                if isReading { return }
                isReading = true
                return channel.read()
            }
            isWaiting = true
            guard server.core.peers.turns.run(self, of: uid, { handleInput() }) else { return }
        }
    }

    /// Handles one request, or what is before it.
    ///
    /// Attack: an app passes its connected socket to another process, or leaves it to a child, and ends. So each
    /// request first checks that the app's process is running.
    private func handleInput() {
        isWaiting = false
        guard let conversation, var bytes = input, server.core.peers.isRunning(self) else { return }
        var offset = 0
        let piece = splitter.next(in: bytes.readableBytesUInt8Span.bytes, at: &offset)
        bytes.moveReaderIndex(forwardBy: offset)
        input = bytes.readableBytes > 0 ? bytes : nil
        switch piece {
        case .request(let request)?: conversation.handle(Request(parsing: request))
        case .overlong?: conversation.refuseOverlongRequest()
        case nil: break
        }
    }

    // MARK: Sending

    func send(reply: ByteBuffer) { perform(outbox.send(reply: reply)) }
    func send(report: Report) { perform(outbox.send(report: report)) }
    func dropReports() { outbox.dropReports() }

    private func perform(_ action: Outbox.Action?) {
        switch action {
        case .write(let bytes)?: write(bytes)
        case .close?: close()
        case nil: break
        }
    }

    /// Writes straight to the socket: half the cost of a write through the pipeline. NIO writes what the socket does
    /// not accept.
    private func write(_ bytes: ByteBuffer) {
        let sent = bytes.withUnsafeReadableBytes { bytes in
            Glibc.send(descriptor, bytes.baseAddress, bytes.count, CInt(MSG_DONTWAIT | MSG_NOSIGNAL))
        }
        if sent == bytes.readableBytes { return }
        guard sent >= 0 || errno == EAGAIN || errno == EINTR else { return close() }
        outbox.didBlock()
        var rest = bytes
        rest.moveReaderIndex(forwardBy: max(sent, 0))
        let loop = channel.eventLoop
        let bound = NIOLoopBound(self, eventLoop: loop)
        // NIO may write it at once. But something is being sent right now, perhaps the first of several replies: the
        // next request is handled after that.
        channel.writeAndFlush(rest).whenSuccess { loop.execute { bound.value.didUnblock() } }
    }

    private func didUnblock() {
        outbox.didUnblock()
        while let action = outbox.next() { perform(action) }
        proceed()
    }
}

extension GPSDConnection: TurnTaker {
    /// Handles the request that waits: it is the user's turn.
    func takeTurn() {
        handleInput()
        proceed()
    }
}
