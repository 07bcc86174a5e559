import NIOCore
import Publishing
import TestSupport

@testable import LocationPublishCommand

/// The requests of one connection to an HTTP server.
struct RequestScene: Sendable {
    let events = RecordedEvents()
    private let connection: HTTPConnection

    /// Makes requests possible.
    init(
        _ address: String, format: FormatName = .osmand, credentials: Credentials = Credentials(),
        _ change: (inout PublisherSettings, inout HTTPSettings) -> Void = { _, _ in }
    ) async throws {
        var publisher = PublisherSettings(broker: try BrokerAddress(parsing: address), format: format, device: "van")
        var settings = HTTPSettings(publisher, credentials: credentials)
        change(&publisher, &settings)
        let (loop, events, made) = (RecordedEvents.loop, events, settings)
        connection = try await loop.submit { HTTPConnection(made, on: loop, onEvent: events.record) }.get()
        try await events.ready()
    }

    /// Sends reports, each under its number.
    func send(_ numbers: Int64...) async throws {
        for number in numbers {
            let message = OutgoingMessage(
                message: Message(topic: "", payload: Array("id=van&number=\(number)".utf8)), token: .report(number))
            try await RecordedEvents.loop.submit { connection.send(message) }.get()
        }
    }

    func close() async throws {
        try await RecordedEvents.loop.submit { connection.close(gracefully: true) }.get()
    }
}
