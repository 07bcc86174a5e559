import Foundation
import NIOCore
import Publishing
import TestSupport
import Testing

@testable import LocationPublishCommand

/// Requests to an HTTP server.
@Suite(.timeLimit(.minutes(15))) struct HTTPConnectionTests {
    private func connect(_ address: String) async throws -> (HTTPConnection, RecordedEvents) {
        let events = RecordedEvents()
        let address = try BrokerAddress(parsing: address)
        let connection = try await RecordedEvents.loop.submit {
            HTTPConnection(address, on: RecordedEvents.loop, onEvent: events.record)
        }.get()
        return (connection, events)
    }

    private func send(_ number: Int64, on connection: HTTPConnection) async throws {
        let message = OutgoingMessage(
            message: Message(topic: "", payload: Array("id=van&number=\(number)".utf8)), token: .report(number))
        try await RecordedEvents.loop.submit { connection.send(message) }.get()
    }

    private func close(_ connection: HTTPConnection) async throws {
        try await RecordedEvents.loop.submit { connection.close(gracefully: true) }.get()
    }

    @Test func reportsArePosted() async throws {
        let server = try await RecordingHTTPServer()
        let (connection, events) = try await connect("http://127.0.0.1:\(server.port)/osmand?x=1")
        try await events.connected()
        for number in 1...3 {
            try await send(Int64(number), on: connection)
            #expect(try await events.acknowledged(number).last == .report(Int64(number)))
        }
        #expect(
            server.requests
                == (1...3).map {
                    "POST /osmand?x=1 application/x-www-form-urlencoded 127.0.0.1:\(server.port) id=van&number=\($0)"
                })
        try await close(connection)
        #expect(try await events.closed() == nil)
    }

    @Test(arguments: [400, 401, 404, 500, 503, 302]) func aRefusalIsNoAcknowledgement(_ status: Int) async throws {
        let server = try await RecordingHTTPServer(status: status)
        let (connection, events) = try await connect("http://127.0.0.1:\(server.port)")
        try await events.connected()
        try await send(1, on: connection)
        #expect(try await events.closed() == "the server refuses a report with status \(status)")
        #expect(events.acknowledged == [])
    }

    @Test(arguments: ["", "garbage\r\n\r\n", "HTTP/1.1 200", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nshort"])
    func aServerThatLies(_ answer: String) async throws {
        let server = try await AnsweringServer(answer)
        let (connection, events) = try await connect("http://127.0.0.1:\(server.port)")
        try await events.connected()
        try await send(1, on: connection)
        #expect(try await events.closed() != nil)
        #expect(events.acknowledged == [])
    }

    @Test func aServerThatClosesAfterEachResponse() async throws {
        let server = try await AnsweringServer("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
        let (connection, events) = try await connect("http://127.0.0.1:\(server.port)")
        try await events.connected()
        try await send(1, on: connection)
        #expect(try await events.acknowledged(1) == [.report(1)])
        #expect(try await events.finished())
    }

    @Test func interimResponsesPrecedeTheResponse() async throws {
        let interim = String(repeating: "HTTP/1.1 100 Continue\r\n\r\n", count: 8)
        let server = try await AnsweringServer(interim + "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        let (connection, events) = try await connect("http://127.0.0.1:\(server.port)")
        try await events.connected()
        try await send(1, on: connection)
        #expect(try await events.acknowledged(1) == [.report(1)])
    }

    /// Attack: a server has a processor of this machine with responses that are none.
    @Test func interimResponsesWithoutEndEndTheConnection() async throws {
        let server = try await HostileServer("interim")
        let (connection, events) = try await connect("http://127.0.0.1:\(server.port)")
        try await events.connected()
        try await send(1, on: connection)
        let reason = try await events.closed()
        #expect(reason == "the server sends interim responses without end", "\(reason ?? "none")")
        #expect(events.acknowledged == [])
    }

    @Test func aServerThatIsNotThere() async throws {
        let nowhere = try ReservedPort()
        let (_, events) = try await connect("http://127.0.0.1:\(nowhere.number)")
        let reason = try #require(try await events.closed())
        withExtendedLifetime(nowhere) {}
        #expect(reason.contains("refused"), "\(reason)")
    }
}
