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

    /// The receivers that the corrections are for, once the program has said so.
    private(set) var receivers: CorrectionReceivers?

    private let socket: StreamSocket
    private unowned let server: CorrectionsServer
    /// The bytes of the first line so far.
    private var line: [UInt8] = []
    private var delimiter = RTCMDelimiter()
    private var budget = RateBudget(perSecond: bytesPerSecond, burst: burst)
    private let pause: LoopTimer
    private var reported: CorrectionsSocket.Need?
    /// The need to report when the socket accepts bytes again.
    private var waiting: CorrectionsSocket.Need?
    private var isSending = false

    init(_ socket: StreamSocket, of server: CorrectionsServer) {
        (self.socket, self.server) = (socket, server)
        pause = LoopTimer(on: socket.eventLoop)
        socket.delegate = self
    }

    func start() {
        socket.start()
        socket.receive()
    }

    func close() {
        pause.cancel()
        socket.close()
    }

    /// Reports the need, if it has changed.
    func report(_ need: CorrectionsSocket.Need) {
        guard !isSending else { return waiting = need }
        guard need != reported else { return }
        reported = need
        switch socket.send(ByteBuffer(bytes: need.bytes)) {
        case .all: break
        case .part: isSending = true
        case .failed: close()
        }
    }

    func didReceive(_ bytes: ByteBuffer) {
        let delay = budget.spend(Double(bytes.readableBytes), at: socket.eventLoop.now.seconds)
        guard let frames = receiveLine(bytes) else { return close() }
        receiveFrames(frames)
        guard delimiter.skipped == 0 else {
            server.note("the program has written something else than RTCM 3")
            return close()
        }
        guard delay > 0 else { return socket.receive() }
        pause.set(in: .clamping(seconds: delay)) { [unowned self] in socket.receive() }
    }

    /// Removes the first line, and returns the rest, or `nil` if the line is too long.
    private func receiveLine(_ bytes: ByteBuffer) -> ByteBuffer? {
        var rest = bytes
        while receivers == nil, let byte = rest.readInteger(as: UInt8.self) {
            guard byte == UInt8(ascii: "\n") else {
                line.append(byte)
                guard line.count <= CorrectionsSocket.maximumName else { return nil }
                continue
            }
            let name = String(decoding: line, as: UTF8.self)
            receivers = name.isEmpty ? .any : .named(name)
            server.update()
        }
        return rest
    }

    private func receiveFrames(_ bytes: ByteBuffer) {
        guard let receivers else { return }
        delimiter.receive(bytes.readableBytesSpan) { frame, bytes in server.received(frame, bytes, for: receivers) }
    }

    func didReachEnd() { close() }

    func didSendRest() {
        isSending = false
        guard let need = waiting else { return }
        waiting = nil
        report(need)
    }

    func didClose() {
        pause.cancel()
        server.closed(self)
    }
}
