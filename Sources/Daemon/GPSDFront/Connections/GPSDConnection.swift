internal import AuthorizationPolicy
internal import EventLoopSupport
internal import JSON
internal import Linux
internal import LocationCore
internal import NIOCore
internal import PeerIdentity

/// The connection of a client.
///
/// Its requests are handled one after the other, and only while the client reads its replies. ``Conversation`` decides
/// what is sent, and this class does the I/O. Confined to the event loop.
final class GPSDConnection: Client {
    let front = Front.gpsd
    let server: GPSDServer
    private var peer: ConnectionPeer
    private let socket: StreamSocket

    /// The conversation, or `nil` before the client is admitted.
    private(set) var conversation: Conversation?
    private var splitter = RequestSplitter()
    private var input: ByteBuffer?
    /// A Boolean value indicating whether the client has closed its end and sends nothing more.
    private var isInputClosed = false
    /// A Boolean value indicating whether input waits for the user's turn.
    private var isWaiting = false
    private var outbox = Outbox()

    init(socket: StreamSocket, peer: ConnectionPeer, server: GPSDServer) {
        self.socket = socket
        self.peer = peer
        self.server = server
        socket.delegate = self
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
        socket.close()
    }

    /// A Boolean value indicating whether nothing more is sent to the client.
    var isClosed: Bool { outbox.isClosed }
    /// The number of locations that were dropped while they waited for the client to read.
    var unsentLocations: Int { outbox.waiting.unsentLocations }

    // MARK: Admission

    /// Closes the descriptor of the process. The core watches the process with its own.
    func forgetDescriptor() { peer.forgetDescriptor() }

    /// Greets the client and starts handling its requests.
    func admit(_ app: ConnectedApp) {
        guard !outbox.isClosed else { return }
        conversation = Conversation(with: app, on: self)
        send(reply: server.version)
        proceed()
    }

    /// Sends the client the reason why it is not served, and closes.
    func refuse(_ reason: String) {
        send(reply: ByteBuffer(line: { $0.error("not permitted: \(reason)") }))
        perform(outbox.drain())
    }

    // MARK: Requests

    /// Handles the client's requests.
    ///
    /// Attack: a client sends requests and does not read the replies, which then pile up. So nothing is handled or read
    /// before everything is sent.
    private func proceed() {
        while conversation != nil, !isWaiting, outbox.isFlushed, !outbox.isClosed {
            guard input != nil else {
                return isInputClosed ? close() : socket.receive()
            }
            isWaiting = true
            guard server.core.peers.turns.run(self, of: uid, { handleInput() }) else { return }
        }
    }

    /// Handles one request, or the bytes before it.
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
        case .request(let request)?: conversation.handle(ClientRequest(parsing: request))
        case .overlong?: conversation.refuseOverlongRequest()
        case nil: break
        }
    }

    // MARK: Sending

    func send(reply: ByteBuffer) { perform(outbox.send(reply: reply)) }
    func send(report: WaitingReport) { perform(outbox.send(report: report)) }
    func dropReports() { outbox.waiting.dropReports() }

    private func perform(_ action: Outbox.Action?) {
        switch action {
        case .write(let bytes)?: write(bytes)
        case .close?: close()
        case nil: break
        }
    }

    private func write(_ bytes: ByteBuffer) {
        switch socket.send(bytes) {
        case .all: break
        case .part: outbox.didBlock()
        case .failed: close()
        }
    }
}

extension GPSDConnection: StreamSocketDelegate {
    func didReceive(_ bytes: ByteBuffer) {
        guard !outbox.isClosed else { return }
        var bytes = bytes
        input.setOrWriteBuffer(&bytes)
        proceed()
    }

    /// Handles the end of the client's input, as of `printf '?VERSION;' | nc -N`. Like gpsd, answers its requests and
    /// then closes the connection, even if it watches.
    ///
    /// Attack: clients connect and leave at once, and each is kept until its app is identified.
    func didReachEnd() {
        guard !outbox.isClosed else { return }
        guard conversation != nil else { return close() }
        isInputClosed = true
        var lineEnd = ByteBuffer(string: "\n")
        input.setOrWriteBuffer(&lineEnd)
        proceed()
    }

    func didSendRest() {
        outbox.didUnblock()
        while let action = outbox.next() { perform(action) }
        proceed()
    }

    func didClose() {
        outbox.close()
        input = nil
        conversation?.end()
        conversation = nil
        server.disconnected(self)
    }
}

extension GPSDConnection: TurnTaker {
    /// Handles the waiting request: it is the user's turn.
    func takeTurn() {
        handleInput()
        proceed()
    }
}

extension Front {
    /// gpsd's protocol, on TCP or on a Unix socket.
    static let gpsd = Front(name: "gpsd")
}
