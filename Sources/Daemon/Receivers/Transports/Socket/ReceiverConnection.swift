import CLinux
import EventLoopSupport
import NIOCore

/// A connection to a program that passes on a receiver's data.
///
/// Attack: the program at the other end has access to the network, and was taken over. It sends descriptors that are
/// slow to close, and the receiving thread waits. So this is a ``StreamSocket``.
final class ReceiverConnection: StreamSocketDelegate {
    private let socket: StreamSocket
    private let descriptor: CInt
    /// Called with received bytes, until `close()`.
    private var onBytes: ((ByteBuffer) -> Void)?
    /// Called once when the connection ends other than by `close()`.
    private var onEnd: (() -> Void)?

    init(_ descriptor: CInt, in sockets: StreamSockets) {
        socket = StreamSocket(descriptor, in: sockets)
        self.descriptor = descriptor
        socket.delegate = self
    }

    var hasUnread: Bool { stream_unread(descriptor) > 0 }

    func start(onBytes: @escaping (ByteBuffer) -> Void, onEnd: @escaping () -> Void) {
        self.onBytes = onBytes
        self.onEnd = onEnd
        socket.start()
        socket.receive()
    }

    func send(_ text: String) { _ = socket.send(ByteBuffer(string: text)) }

    /// Closes the connection. Neither handler is called afterwards.
    func close() {
        (onBytes, onEnd) = (nil, nil)
        socket.close()
    }

    func didReceive(_ bytes: ByteBuffer) {
        onBytes?(bytes)
        if onBytes != nil { socket.receive() }
    }

    func didReachEnd() { didClose() }

    func didSendRest() {}

    func didClose() {
        let onEnd = onEnd
        self.onEnd = nil
        onEnd?()
    }
}
