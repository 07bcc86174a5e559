internal import CLinux
internal import Glibc
internal import PeerIdentity

/// A connection to locationd-peers.
final class PeersConnection: Sendable {
    private let descriptor: CInt

    /// What became of a question.
    enum Outcome {
        case answer(PeersAnswer)
        /// The service has ended, or its answer is none that there is.
        case closed
        case overdue
    }

    /// Connects without waiting for the service to be started; `nil` where nothing listens at `path`.
    init?(path: String) {
        descriptor = packet_connect(path)
        if descriptor < 0 { return nil }
    }

    deinit { close(descriptor) }

    /// Asks, and waits for the answer.
    ///
    /// - Parameter descriptor: the pidfd of the process that is asked about, or -1.
    func ask(_ request: PeersRequest, descriptor pidfd: CInt, within milliseconds: CInt) -> Outcome {
        let bytes = request.bytes
        guard packet_send(descriptor, bytes, bytes.count, pidfd) == 0 else { return .closed }
        var count = 0
        let answer = [UInt8](unsafeUninitializedCapacity: PeersAnswer.maximumLength) { buffer, initialized in
            var unexpected: CInt = -1
            count = packet_receive(descriptor, buffer.baseAddress, buffer.count, &unexpected, milliseconds)
            if unexpected >= 0 { close(unexpected) }
            initialized = max(0, count)
        }
        if count == -Int(ETIMEDOUT) { return .overdue }
        return PeersAnswer(answer).map { .answer($0) } ?? .closed
    }
}
