internal import CLinux
internal import Glibc
internal import Linux
internal import PeerIdentity

/// A connection to locationd-peers.
final class PeersConnection: Sendable {
    private let descriptor: CInt

    /// The outcome of a request.
    enum Outcome {
        case answer(PeersAnswer)
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
    /// - Parameter process: The process that the request is about, if any.
    func ask(_ request: PeersRequest, about process: ProcessDescriptor?, within milliseconds: CInt) -> Outcome {
        let bytes = request.bytes
        let pidfds = process.map { [$0.descriptor] } ?? []
        let status = withExtendedLifetime(process) {
            packet_send(descriptor, bytes, bytes.count, pidfds, pidfds.count)
        }
        guard status == 0 else { return .closed }
        var count = 0
        var received = [CInt](repeating: -1, count: SocketHolders.maximumCount)
        var receivedCount = received.count
        let answer = [UInt8](unsafeUninitializedCapacity: PeersReply.maximumLength) { buffer, initialized in
            count = packet_receive(
                descriptor, buffer.baseAddress, buffer.count, &received, &receivedCount, milliseconds)
            initialized = max(0, count)
        }
        let processes = received.prefix(receivedCount).map { ProcessDescriptor(owning: $0) }
        if count == -Int(ETIMEDOUT) { return .overdue }
        return PeersReply(answer).map { .answer(PeersAnswer($0, processes: processes)) } ?? .closed
    }
}
