internal import EventLoopSupport
internal import NIOCore
internal import NMEARelay

/// The channel handler of a connection from or to a sender. It reads no faster than the budget allows, detects
/// protocols other than NMEA 0183, and never sends anything.
final class SenderConnection: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    /// The end of a connection.
    enum End {
        /// The sender closed it, or the network failed.
        case closed((any Error)?)
        /// The sender speaks another protocol.
        case foreign(ForeignProtocol)
    }

    private weak var sink: (any ByteSink)?
    private let name: String
    private let onEnd: (SenderConnection, End) -> Void
    private var recognition = ProtocolRecognition()
    private var budget = ByteBudget()
    private var error: (any Error)?
    private var foreign: ForeignProtocol?
    private var context: ChannelHandlerContext?
    /// The time of the last bytes, or of the connection's start.
    private(set) var lastHeard = NIODeadline.now()
    /// A Boolean value indicating whether anything that may be NMEA 0183 has arrived.
    private(set) var hasBeenHeard = false

    /// - Parameter onEnd: Called once, when the connection ends without ``close()``.
    init(named name: String, sink: any ByteSink, onEnd: @escaping (SenderConnection, End) -> Void) {
        self.name = name
        self.sink = sink
        self.onEnd = onEnd
    }

    var sender: Sender { .connection(ObjectIdentifier(self)) }

    /// Begins to read. If a host has several addresses, each is tried, and only the successful attempt gets here.
    func channelActive(context: ChannelHandlerContext) {
        guard sink != nil else { return context.close(promise: nil) }
        self.context = context
        context.read()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        if self.context === context { self.context = nil }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = unwrapInboundIn(data)
        lastHeard = context.eventLoop.now
        hasBeenHeard = true
        if let found = recognition.examine(bytes.readableBytesView) {
            (foreign, hasBeenHeard) = (found, false)
            context.close(promise: nil)
            return
        }
        guard foreign == nil else { return }
        sink?.receive(bytes, from: sender, named: name)
        let pause = budget.spend(bytes.readableBytes, at: context.eventLoop.now.seconds)
        guard pause > 0 else { return context.read() }
        let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
        context.eventLoop.scheduleTask(in: .milliseconds(Int64((pause * 1000).rounded(.up)))) {
            bound.value.context?.read()
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        self.error = error
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        guard let sink else { return }
        self.sink = nil
        sink.senderLeft(sender)
        onEnd(self, foreign.map { .foreign($0) } ?? .closed(error))
    }

    /// Closes the connection. Nothing is reported after that.
    func close() {
        sink?.senderLeft(sender)
        sink = nil
        context?.close(promise: nil)
    }
}
