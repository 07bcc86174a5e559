import Publishing
import TestSupport
import Testing

@testable import LocationPublishCommand

/// Brokers that send what nobody has asked for. libmosquitto would keep all of it.
@Suite(.timeLimit(.minutes(15))) struct HostileBrokerTests {
    private static let tooMuch = "the broker sends more than a publisher should receive"
    private static let takenOver = "another client is locationd-van now: give each machine a device of its own"
    private static let message = "the broker sends messages without a subscription"

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
        var verdicts: [Bool] = []
        func receive(_ count: Int, at time: Int64) { verdicts.append(allowance.receive(count, now: time)) }
        // Certificates.
        receive(65_536, at: 1000)
        receive(1, at: 1000)
        allowance.connected()
        receive(4096, at: 1000)
        receive(1, at: 60_999)
        allowance.acknowledged()
        receive(4096, at: 60_999)
        receive(1, at: 60_999)
        #expect(verdicts == [true, false, true, false, true, false])
        // A day of answers to checks of the connection.
        verdicts = []
        for minute in 1...1440 { receive(31, at: Int64(minute) * 61_000) }
        #expect(verdicts.allSatisfy { $0 })
    }
}
