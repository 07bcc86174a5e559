import Foundation
import NIOCore
import Publishing
import TestSupport
import Testing

@testable import LocationPublishCommand

/// Attack: the server does not read, or the network is gone. What was sent waits in the kernel, the user revokes the
/// location, and the server reads again: what waited must not leave any more.
@Suite(.timeLimit(.minutes(15))) struct RevokedConnectionTests {
    private static let size = 2_000_000

    @Test func overMQTT() async throws {
        let server = try await SilentServer(answer: " \u{3}\u{0}\u{0}\u{0}")
        var settings = PublisherSettings(
            broker: try BrokerAddress(parsing: "mqtt://127.0.0.1:\(server.port)"), format: .json, device: "van")
        settings.mqttVersion = .mqtt5
        let mqtt = MQTTSettings(settings, credentials: Credentials(), availability: nil)
        let events = RecordedEvents()
        let connection = MQTTConnection(mqtt, on: RecordedEvents.loop, onEvent: events.record)
        try await check(server, connection, events)
    }

    @Test func overHTTP() async throws {
        let server = try await SilentServer(answer: nil)
        let settings = HTTPSettings(
            PublisherSettings(
                broker: try BrokerAddress(parsing: "http://127.0.0.1:\(server.port)"), format: .osmand, device: "van"),
            credentials: Credentials())
        let events = RecordedEvents()
        let connection = try await RecordedEvents.loop.submit {
            HTTPConnection(settings, on: RecordedEvents.loop, onEvent: events.record)
        }.get()
        try await check(server, connection, events)
    }

    private func check(_ server: SilentServer, _ connection: any Transport, _ events: RecordedEvents) async throws {
        try await events.ready()
        let message = OutgoingMessage(
            message: Message(topic: "van", payload: [UInt8](repeating: 0x78, count: Self.size)), token: .report(1))
        try await RecordedEvents.loop.submit { connection.send(message) }.get()
        try await eventually("bytes that wait in the kernel") { try await server.unsentBytes() > 100_000 }
        try await RecordedEvents.loop.submit { connection.close(gracefully: false) }.get()
        #expect(try await events.closed() == nil)
        // A program that is being started may have a copy of the connection's descriptor for a moment.
        try await eventually("the kernel to drop what waits") { try await server.unsentBytes() == 0 }
        let received = try await server.readRest()
        #expect(received < Self.size / 2, "\(received) bytes")
    }
}

/// A TCP server that answers the first bytes of a connection, and reads no more until it is asked to.
private final class SilentServer: Sendable {
    var port: Int { reservation.number }
    private let reservation: ReservedPort
    private let program: RunningProgram

    /// - Parameter answer: The bytes, in UTF-8, to be sent after the first bytes were received, or `nil` to receive
    ///   nothing.
    init(answer: String?) async throws {
        reservation = try ReservedPort()
        let script = Program.script("Servers/rejecting_broker")
        let digits = (answer ?? "").utf8.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        let program = try RunningProgram("/usr/bin/python3", ["-c", script, "\(reservation.number)", digits])
        self.program = program
        try await eventually("a server: \(program.errors)") { !program.output.isEmpty }
    }

    /// Returns the number of bytes that the kernel has for the server and has not got rid of.
    func unsentBytes() async throws -> Int {
        let result = try await Program.run("/usr/bin/ss", ["-Htn", "dport", "=", ":\(port)"])
        let columns = result.output.split(separator: " ", omittingEmptySubsequences: true)
        return columns.count > 2 ? Int(columns[2]) ?? 0 : 0
    }

    /// Reads until the connection ends. Returns the number of bytes.
    func readRest() async throws -> Int {
        program.signal(SIGUSR1)
        let result = try await program.end()
        return try #require(result.lines.last.flatMap { Int($0) })
    }
}
