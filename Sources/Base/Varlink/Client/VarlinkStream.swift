/// The sequence of replies to a call with `more`, which can be iterated over only once.
///
/// Reading throws the service's ``VarlinkError``, a ``VarlinkClientError``, or `CancellationError`.
public struct VarlinkStream<Reply: Decodable>: AsyncSequence, Sendable {
    /// The parameters of one reply.
    public typealias Element = Reply

    private let subscription: StreamedCall

    init(client: VarlinkClient, exchange: ClientExchange) {
        subscription = StreamedCall(client: client, exchange: exchange)
    }

    /// Returns the iterator. Must be called only once.
    public func makeAsyncIterator() -> Iterator { Iterator(subscription: subscription) }

    /// An iterator over the replies.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let subscription: StreamedCall

        /// Returns the next reply, or `nil` after the last one.
        public mutating func next() async throws -> Reply? {
            guard let reply = try await subscription.next() else { return nil }
            return try VarlinkClient.decode(reply)
        }
    }
}

/// A reference to the call. Releasing it before the last reply closes the connection.
private final class StreamedCall: Sendable {
    private let client: VarlinkClient
    private let exchange: ClientExchange

    init(client: VarlinkClient, exchange: ClientExchange) {
        self.client = client
        self.exchange = exchange
    }

    deinit {
        client.giveUp(exchange)
    }

    func next() async throws -> JSONValue? {
        try await client.next(of: exchange)
    }
}
