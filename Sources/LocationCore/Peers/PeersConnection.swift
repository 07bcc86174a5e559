internal import CLinux
internal import Glibc
internal import PeerIdentity

/// A connection to locationd-peers.
final class PeersConnection: Sendable {
    private let descriptor: CInt

    /// The outcome of a request.
    enum Outcome {
        case answer(PeersReply)
        /// The service has ended, or its answer is invalid.
        case closed
        case overdue
    }

    /// Connects without waiting for the service to start. Returns `nil` if nothing listens at `path`.
    init?(path: String) {
        descriptor = packet_connect(path)
        if descriptor < 0 { return nil }
    }

    deinit { close(descriptor) }

    /// Sends a request and waits for the answer.
    ///
    /// - Parameter pidfd: The pidfd of the process that the request is about, or -1.
    func ask(_ request: PeersRequest, descriptor pidfd: CInt, within milliseconds: CInt) -> Outcome {
        let bytes = request.bytes
        guard packet_send(descriptor, bytes, bytes.count, pidfd) == 0 else { return .closed }
        var count = 0
        let answer = [UInt8](unsafeUninitializedCapacity: PeersReply.maximumLength) { buffer, initialized in
            var unexpected: CInt = -1
            count = packet_receive(descriptor, buffer.baseAddress, buffer.count, &unexpected, milliseconds)
            if unexpected >= 0 { close(unexpected) }
            initialized = max(0, count)
        }
        if count == -Int(ETIMEDOUT) { return .overdue }
        return PeersReply(answer).map { .answer($0) } ?? .closed
    }
}
