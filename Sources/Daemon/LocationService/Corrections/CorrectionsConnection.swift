internal import EventLoopSupport
internal import LocationProtocol
internal import NIOCore
internal import RTCM

/// A connection of `locationd-ntrip`. Confined to the event loop.
///
/// Attack: the program was taken over through the network. It writes commands to the receiver, or without end. So each
/// frame is delimited and checked here again, a byte that belongs to none ends the connection, and the bytes per second
/// are bounded.
final class CorrectionsConnection: StreamSocketDelegate {
    /// The bytes per second that are received, and that may arrive at once. The program passes on no more.
    private static let bytesPerSecond = 65_536.0
    private static let burst = 131_072.0

    private let socket: StreamSocket
    private unowned let server: CorrectionsServer
    private var delimiter = RTCMDelimiter()
    private var budget = RateBudget(perSecond: bytesPerSecond, burst: burst)
    private let pause: LoopTimer
    private var reported: Bool?
    /// The need to report when the socket accepts bytes again.
    private var waiting: Bool?
    private var isSending = false

    init(_ socket: StreamSocket, of server: CorrectionsServer) {
        (self.socket, self.server) = (socket, server)
        pause = LoopTimer(on: socket.eventLoop)
        socket.delegate = self
    }

    func start(isNeeded: Bool) {
        socket.start()
        socket.receive()
        report(isNeeded: isNeeded)
    }

    func close() {
        pause.cancel()
        socket.close()
    }

    /// Reports the need, if it has changed.
    func report(isNeeded: Bool) {
        guard !isSending else { return waiting = isNeeded }
        guard isNeeded != reported else { return }
        reported = isNeeded
        let byte = isNeeded ? CorrectionsSocket.needed : CorrectionsSocket.unneeded
        switch socket.send(ByteBuffer(bytes: [byte])) {
        case .all: break
        case .part: isSending = true
        case .failed: close()
        }
    }

    func didReceive(_ bytes: ByteBuffer) {
        delimiter.receive(bytes.readableBytesSpan) { frame, bytes in server.received(frame, bytes) }
        guard delimiter.skipped == 0 else {
            server.note("the program has written something else than RTCM 3")
            return close()
        }
        let delay = budget.spend(Double(bytes.readableBytes), at: socket.eventLoop.now.seconds)
        guard delay > 0 else { return socket.receive() }
        pause.set(in: .clamping(seconds: delay)) { [unowned self] in socket.receive() }
    }

    func didReachEnd() { close() }

    func didSendRest() {
        isSending = false
        guard let isNeeded = waiting else { return }
        waiting = nil
        report(isNeeded: isNeeded)
    }

    func didClose() {
        pause.cancel()
        server.closed(self)
    }
}
