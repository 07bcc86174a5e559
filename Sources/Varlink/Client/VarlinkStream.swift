/// The replies of a call with `more`. It can be gone through once.
///
/// Throws the service's ``VarlinkError``, a ``VarlinkClientError``, or `CancellationError`.
public struct VarlinkStream<Reply: Decodable>: AsyncSequence, Sendable {
    /// The parameters of one reply.
    public typealias Element = Reply

    private let subscription: Subscription

    init(client: VarlinkClient, exchange: ClientExchange) {
        subscription = Subscription(client: client, exchange: exchange)
    }

    /// To be called once.
    public func makeAsyncIterator() -> Iterator { Iterator(subscription: subscription) }

    /// Takes one reply after the other.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let subscription: Subscription

        /// The next reply; `nil` after the last one.
        public mutating func next() async throws -> Reply? {
            guard let reply = try await subscription.next() else { return nil }
            return try VarlinkClient.decode(reply)
        }
    }
}

/// Closes the connection when it is given up before the last reply.
private final class Subscription: Sendable {
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
