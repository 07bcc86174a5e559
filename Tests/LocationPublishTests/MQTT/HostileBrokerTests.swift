import Publishing
import TestSupport
import Testing

@testable import LocationPublishCommand

/// Brokers that send what nobody has asked for. libmosquitto would keep all of it.
@Suite(.timeLimit(.minutes(15))) struct HostileBrokerTests {
    private static let tooMuch = "the broker sends more than there is to say to a publisher"
    private static let takenOver = "another client is locationd-van now: give each machine a device of its own"
    private static let message = "the broker sends messages to which nobody has subscribed"

    /// Attack: a message of 268 MB, messages that are never released, answers to nothing.
    @Test(
        arguments: [
            ("packet", [tooMuch]), ("unreleased", [tooMuch, message]), ("pings", [tooMuch]), ("message-0", [message]),
            ("message-1", [message]), ("message-2", [message]),
        ] as [(String, [String])], PublisherSettings.MQTTVersion.allCases)
    func whatNobodyHasSubscribedToEndsTheConnection(
        _ attack: (behaviour: String, reasons: [String]), _ version: PublisherSettings.MQTTVersion
    ) async throws {
        try await check(attack.behaviour, attack.reasons, version)
    }

    @Test func aBrokerThatSaysThatAnotherClientHasTheName() async throws {
        try await check("taken-over", [Self.takenOver], .mqtt5)
    }

    private func check(
        _ behaviour: String, _ reasons: [String], _ version: PublisherSettings.MQTTVersion
    ) async throws {
        let server = try await HostileServer(behaviour)
        var settings = PublisherSettings(
            broker: try BrokerAddress(parsing: "mqtt://127.0.0.1:\(server.port)"), format: .json, device: "van")
        settings.mqttVersion = version
        let events = RecordedEvents()
        let connection = MQTTConnection(
            MQTTSettings(settings, credentials: Credentials(), availability: nil), on: RecordedEvents.loop,
            onEvent: events.record)
        let reason = try #require(try await events.closed())
        #expect(reasons.contains(reason), "\(reason)")
        #expect(events.isConnected)
        withExtendedLifetime(connection) {}
    }

    @Test func theAllowance() {
        var allowance = ReceiveAllowance(keepAlive: 60, now: 1000)
        // Certificates.
        #expect(allowance.receive(65_536, now: 1000))
        #expect(!allowance.receive(1, now: 1000))
        allowance.connected()
        #expect(allowance.receive(4096, now: 1000))
        #expect(!allowance.receive(1, now: 60_999))
        allowance.acknowledged()
        #expect(allowance.receive(4096, now: 60_999))
        #expect(!allowance.receive(1, now: 60_999))
        // A day of answers to checks of the connection.
        for minute in 1...1440 { #expect(allowance.receive(31, now: Int64(minute) * 61_000)) }
    }
}
