import CLinux
import EventLoopSupport
import Glibc
import Linux
import LocationModel
import NIOCore

/// The Unix stream socket of a program that passes on a receiver's data. Nothing is ever written to it.
///
/// The path may lead into a file system that never answers, so a ``ConnectionAttempt`` looks it up.
final class SocketTransport: ByteTransport {
    /// The time until an attempt to connect counts as failed.
    static let timeout = ReceiverStateMachine.silenceLimit

    private let path: String
    private let eventLoop: any EventLoop
    private let timer: LoopTimer
    private let attempt: ConnectionAttempt
    private var receiver: SentenceReceiver?
    private var connection: ReceiverConnection?

    /// Creates a closed transport.
    ///
    /// - Parameters:
    ///   - owner: The user, besides root and the user of this process, whose socket is read.
    ///   - connect: The blocking part.
    init(path: String, owner: UInt32? = nil, on eventLoop: any EventLoop, connect: ConnectionAttempt.Connect? = nil) {
        self.path = path
        self.eventLoop = eventLoop
        timer = LoopTimer(on: eventLoop)
        attempt = ConnectionAttempt(
            on: eventLoop, connect: connect ?? { ReceiverSocket.connect(to: path, owner: owner) })
    }

    deinit { attempt.cancel() }

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
        timer.set(in: Self.timeout) { [unowned self] in
            self.receiver?.didFail(
                ReceiverFailure(.unreachable, "\(path) does not answer: check whether its file system hangs"))
        }
        attempt.begin { [unowned self] result in
            timer.cancel()
            switch result {
            case .success((let descriptor, let sockets)): didConnect(descriptor, in: sockets)
            case .failure(let failure): self.receiver?.didFail(failure)
            }
        }
    }

    func close(toStandby: Bool) {
        attempt.cancel()
        timer.cancel()
        receiver = nil
        connection?.close()
        connection = nil
    }

    private func didConnect(_ descriptor: CInt, in sockets: StreamSockets) {
        let connection = ReceiverConnection(descriptor, in: sockets)
        self.connection = connection
        receiver?.didOpen(at: eventLoop.now)
        guard self.connection === connection else { return }
        connection.start { [unowned self] bytes in
            receiver?.receive(bytes.readableBytesSpan, at: eventLoop.now)
        } onEnd: { [unowned self] in
            receiver?.didFail(
                ReceiverFailure(.disconnected, "the program that listens at \(path) has closed the connection"))
        }
    }
}
