import NIOConcurrencyHelpers
import NIOCore
import Publishing

@testable import LocationPublishCommand

/// A server whose connections do what a test says.
final class ScriptedServer: Sendable {
    /// A connection to the server.
    final class Connection: Transport {
        private let loop: any EventLoop
        private let onEvent: @Sendable (TransportEvent) -> Void
        private let state = NIOLockedValueBox((sent: [OutgoingMessage](), closing: Bool?.none))

        init(_ loop: any EventLoop, _ onEvent: @escaping @Sendable (TransportEvent) -> Void) {
            self.loop = loop
            self.onEvent = onEvent
        }

        /// The messages so far.
        var sent: [OutgoingMessage] { state.withLockedValue { $0.sent } }
        /// The tokens of the messages so far, without announcements.
        var tokens: [SendQueue.Token] { sent.map(\.token).filter { $0 != .announcement } }
        /// A Boolean value indicating whether the publisher closed the connection gracefully, or `nil` if it did not
        /// close it.
        var isClosedGracefully: Bool? { state.withLockedValue { $0.closing } }

        func send(_ message: OutgoingMessage) { state.withLockedValue { $0.sent.append(message) } }

        func close(gracefully: Bool) {
            state.withLockedValue { $0.closing = gracefully }
            emit(.closed(reason: nil))
        }

        /// Accepts the connection.
        func accept() {
            emit(.connected)
            emit(.ready)
        }

        /// Makes something happen on the connection.
        func emit(_ event: TransportEvent) { loop.execute { [onEvent] in onEvent(event) } }
    }

    private let all = NIOLockedValueBox<[Connection]>([])

    /// The connections so far.
    var connections: [Connection] { all.withLockedValue { $0 } }

    /// The way to connect to the server.
    func kind(window: Int) -> TransportKind {
        TransportKind(window: window, answerTimeout: .seconds(30)) { [all] loop, onEvent in
            let connection = Connection(loop, onEvent)
            all.withLockedValue { $0.append(connection) }
            return connection
        }
    }
}

/// A source of reports that a test makes.
final class ScriptedSource: ReportSource {
    private var onEvent: (SourceEvent) -> Void = { _ in }

    func start(onEvent: @escaping (SourceEvent) -> Void) { self.onEvent = onEvent }
    func stop() { onEvent = { _ in } }
    func emit(_ event: SourceEvent) { onEvent(event) }
}
