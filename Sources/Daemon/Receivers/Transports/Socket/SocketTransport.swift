import CLinux
import EventLoopSupport
import Glibc
import Linux
import LocationModel
import NIOCore

/// The Unix stream socket of a program that passes on a receiver's data. Nothing is ever written to it.
///
/// The path may lead into a file system that never answers, so each attempt looks it up and connects on a thread of its
/// own. There is at most one attempt, however often the transport is closed and opened in the meantime.
final class SocketTransport: ByteTransport {
    /// The blocking part. Returns a connected descriptor, which does not block and which the caller owns.
    typealias Connect = @Sendable () -> Result<CInt, ReceiverFailure>

    /// The time until an attempt to connect counts as failed.
    static let timeout = ReceiverStateMachine.silenceLimit

    private let path: String
    private let connect: Connect
    private let eventLoop: any EventLoop
    private let timer: LoopTimer
    /// Created with the first connection, and kept. Until then, there are no threads for it.
    private var sockets: StreamSockets?
    /// The opening whose attempt runs on a thread, or `nil` if there is none.
    private var attempt: UInt64?
    /// The number of the current opening; it changes with each call of `open` and `close`.
    private var opening: UInt64 = 0
    private var receiver: SentenceReceiver?
    private var connection: SocketConnection?

    /// Creates a closed transport.
    ///
    /// - Parameters:
    ///   - owner: The user, besides root and the user of this process, whose socket is read.
    ///   - connect: The blocking part.
    init(path: String, owner: UInt32? = nil, on eventLoop: any EventLoop, connect: Connect? = nil) {
        self.path = path
        self.connect = connect ?? { ReceiverSocket.connect(to: path, owner: owner) }
        self.eventLoop = eventLoop
        timer = LoopTimer(on: eventLoop)
    }

    deinit { sockets?.stop() }

    var hasUnread: Bool { connection?.hasUnread == true }

    func silence(seconds: Int64, _ diagnosis: ReceiverDiagnosis) -> ReceiverFailure? {
        let message =
            if let name = diagnosis.protocolName, diagnosis.condition == .otherProtocol {
                "\(path) sends \(name), not NMEA 0183: have the program that listens there send NMEA 0183"
            } else if diagnosis.condition == .unreadable {
                "what \(path) sends is not NMEA 0183: have the program that listens there send NMEA 0183"
            } else {
                "\(path) has sent nothing for \(seconds) s: does the program that listens there have a receiver?"
            }
        return ReceiverFailure(.silent, message)
    }

    func open(for receiver: SentenceReceiver) {
        self.receiver = receiver
        opening &+= 1
        timer.set(in: Self.timeout) { [unowned self] in
            self.receiver?.didFail(
                ReceiverFailure(.unreachable, "\(path) does not answer: check whether its file system hangs"))
        }
        beginAttempt()
    }

    func close(toStandby: Bool) {
        opening &+= 1
        timer.cancel()
        receiver = nil
        connection?.close()
        connection = nil
    }

    // MARK: The attempt

    /// Begins to connect. If a thread still connects for an earlier opening, this attempt follows it.
    private func beginAttempt() {
        guard attempt == nil else { return }
        let (loop, bound) = (eventLoop, NIOLoopBound(self, eventLoop: eventLoop))
        do throws(SystemCallError) {
            try DetachedThread.start { [connect] in
                let result = connect()
                loop.execute { bound.value.didFinishAttempt(result) }
            }
            attempt = opening
        } catch {
            timer.cancel()
            receiver?.didFail(ReceiverFailure(.unusable, "\(path) cannot be read: \(error)"))
        }
    }

    private func didFinishAttempt(_ result: Result<CInt, ReceiverFailure>) {
        let isCurrent = attempt == opening
        attempt = nil
        guard isCurrent else {
            // This connection is out of date, and is no longer wanted.
            if case .success(let descriptor) = result {
                if let sockets = startedSockets() {
                    sockets.closer.close(descriptor)
                } else {
                    _ = Glibc.close(descriptor)
                }
            }
            if receiver != nil { beginAttempt() }
            return
        }
        timer.cancel()
        switch result {
        case .success(let descriptor): didConnect(descriptor)
        case .failure(let failure): receiver?.didFail(failure)
        }
    }

    private func didConnect(_ descriptor: CInt) {
        guard let sockets = startedSockets() else {
            // The process has no descriptors left, and nothing has been received on this one yet.
            _ = Glibc.close(descriptor)
            receiver?.didFail(ReceiverFailure(.unusable, "\(path) cannot be read: too many files are open"))
            return
        }
        let connection = SocketConnection(descriptor, in: sockets, of: self)
        self.connection = connection
        receiver?.didOpen(at: eventLoop.now)
        if self.connection === connection { connection.start() }
    }

    private func startedSockets() -> StreamSockets? {
        if sockets == nil { sockets = try? StreamSockets(on: eventLoop) }
        return sockets
    }

    // MARK: Called by the connection

    fileprivate func receive(_ bytes: ByteBuffer) {
        receiver?.receive(bytes.readableBytesSpan, at: eventLoop.now)
    }

    fileprivate func didLose(_ connection: SocketConnection) {
        guard self.connection === connection else { return }
        receiver?.didFail(
            ReceiverFailure(.disconnected, "the program that listens at \(path) has closed the connection"))
    }
}

/// A connection to the socket of a receiver.
///
/// Attack: the program at the other end has access to the network, and was taken over. It sends descriptors that are
/// slow to close, and the receiving thread waits. So this is a ``StreamSocket``.
private final class SocketConnection: StreamSocketDelegate {
    private let socket: StreamSocket
    private let descriptor: CInt
    /// The transport that receives the bytes, or `nil` after `close()`.
    private weak var transport: SocketTransport?

    init(_ descriptor: CInt, in sockets: StreamSockets, of transport: SocketTransport) {
        socket = StreamSocket(descriptor, in: sockets)
        self.descriptor = descriptor
        self.transport = transport
        socket.delegate = self
    }

    var hasUnread: Bool { stream_unread(descriptor) > 0 }

    func start() {
        socket.start()
        socket.receive()
    }

    func close() {
        transport = nil
        socket.close()
    }

    func didReceive(_ bytes: ByteBuffer) {
        transport?.receive(bytes)
        if transport != nil { socket.receive() }
    }

    func didReachEnd() { transport?.didLose(self) }

    func didSendRest() {}

    func didClose() { transport?.didLose(self) }
}
