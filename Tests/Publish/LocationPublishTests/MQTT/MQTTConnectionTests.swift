import Foundation
import Publishing
import TestSupport
import Testing

@testable import LocationPublishCommand

/// Connections to the real mosquitto.
@Suite(.timeLimit(.minutes(15)), .enabled(if: MosquittoBroker.isInstalled, "needs mosquitto and openssl"))
struct MQTTConnectionTests {
    private func settings(_ port: Int, _ version: PublisherSettings.MQTTVersion = .mqtt5) throws -> MQTTSettings {
        var settings = PublisherSettings(
            broker: try BrokerAddress(parsing: "mqtt://127.0.0.1:\(port)"), format: .json, device: "van")
        settings.mqttVersion = version
        return MQTTSettings(settings, credentials: Credentials(), availability: Availability(topic: "van/availability"))
    }

    private func connect(_ settings: MQTTSettings) -> (MQTTConnection, RecordedEvents) {
        let events = RecordedEvents()
        return (MQTTConnection(settings, on: RecordedEvents.loop, onEvent: events.record), events)
    }

    private func message(_ number: Int64, retained: Bool = false) -> OutgoingMessage {
        OutgoingMessage(
            message: Message(topic: "van", payload: Array("report \(number)".utf8), isRetained: retained),
            token: .report(number), identity: ReportIdentity(queue: "q", number: number), expirySeconds: 3600)
    }

    @Test(arguments: PublisherSettings.MQTTVersion.allCases)
    func messagesArriveInOrder(_ version: PublisherSettings.MQTTVersion) async throws {
        let broker = try await MosquittoBroker()
        let subscriber = try await MosquittoSubscriber(broker, topics: ["van"], format: "%p %P %F %E")
        let (connection, events) = connect(try settings(broker.port, version))
        // More than libmosquitto has on their way at once.
        for number in 1...100 { connection.send(message(Int64(number))) }
        #expect(try await events.acknowledged(100) == (1...100).map { .report($0) })
        try await eventually("the messages") { subscriber.messages.count >= 100 }
        let lines = subscriber.messages.map { $0.split(separator: " ") }
        let properties = { (number: Int) in version == .mqtt5 ? " id:q-\(number) 1" : "" }
        #expect(lines.map { $0.prefix(4).joined(separator: " ") } == (1...100).map { "report \($0)" + properties($0) })
        // The broker subtracts the seconds that a message has waited.
        let expiries = lines.compactMap { $0.dropFirst(4).last.flatMap { Int($0) } }
        #expect(expiries.count == (version == .mqtt5 ? 100 : 0) && expiries.allSatisfy((2700...3600).contains))
        connection.close(gracefully: true)
        #expect(try await events.closed() == nil)
        try await eventually("the broker to say so: \(broker.log)") {
            broker.log.contains("Client locationd-van disconnected.")
        }
    }

    @Test func aRetainedMessageIsThereForLaterSubscribers() async throws {
        let broker = try await MosquittoBroker()
        let (connection, events) = connect(try settings(broker.port))
        connection.send(message(1, retained: true))
        _ = try await events.acknowledged(1)
        let subscriber = try await MosquittoSubscriber(broker, topics: ["van"], format: "%r %p")
        try await eventually("the message") { subscriber.messages == ["1 report 1"] }
    }

    @Test func whatWasSentIsWrittenBeforeAGracefulEnd() async throws {
        let broker = try await MosquittoBroker()
        let subscriber = try await MosquittoSubscriber(broker, topics: ["van"], format: "%p")
        let (connection, events) = connect(try settings(broker.port))
        try await events.connected()
        connection.send(message(1))
        connection.close(gracefully: true)
        #expect(try await events.closed() == nil)
        try await eventually("the message") { subscriber.messages == ["report 1"] }
    }

    @Test func theLastWillOfAConnectionThatIsCut() async throws {
        let broker = try await MosquittoBroker()
        let subscriber = try await MosquittoSubscriber(broker, topics: ["van/availability"], format: "%p")
        let (connection, events) = connect(try settings(broker.port))
        try await events.connected()
        connection.close(gracefully: false)
        #expect(try await events.closed() == nil)
        try await eventually("the last will") { subscriber.messages == ["offline"] }
    }

    @Test func aBrokerThatIsKilled() async throws {
        let broker = try await MosquittoBroker()
        let (_, events) = connect(try settings(broker.port))
        try await events.connected()
        try await broker.kill()
        let reason = try #require(try await events.closed())
        #expect(reason.hasPrefix("the broker closed the connection; "), "\(reason)")
    }

    /// mosquitto 2.0.11 does not say why it ends the first connection. HostileBrokerTests has one that does.
    @Test func anotherClientOfTheSameName() async throws {
        let broker = try await MosquittoBroker()
        let (_, events) = connect(try settings(broker.port))
        try await events.connected()
        let (second, _) = connect(try settings(broker.port))
        #expect(try #require(try await events.closed()).hasSuffix("give each machine a device of its own"))
        second.close(gracefully: true)
    }

    /// The connection is checked by itself, also while nothing is sent.
    @Test func aBrokerThatHangs() async throws {
        let broker = try await MosquittoBroker()
        var settings = try settings(broker.port)
        // Long enough for a broker that waits for a processor to answer in time.
        settings.keepAlive = 10
        let (_, events) = connect(settings)
        try await events.connected()
        broker.suspend()
        #expect(try await events.closed() == "the broker has not answered within the keep-alive time")
        #expect(broker.log.contains("k10"))
    }

    @Test func aBrokerThatIsNotThere() async throws {
        let nowhere = try ReservedPort()
        let (_, events) = connect(try settings(nowhere.number))
        #expect(try await events.closed() == "Connection refused")
        withExtendedLifetime(nowhere) {}
    }

    @Test func aHostThatDoesNotExist() async throws {
        var settings = try settings(1)
        settings.host = "host.invalid"
        let (_, events) = connect(settings)
        #expect(try await events.closed() == "the name of the broker's host cannot be looked up")
    }

    // MARK: User and password

    @Test(arguments: PublisherSettings.MQTTVersion.allCases)
    func userAndPassword(_ version: PublisherSettings.MQTTVersion) async throws {
        let folder = try TemporaryFolder()
        // The password is "secret", in the form of mosquitto_passwd(1).
        let made = try await Program.run(
            "/usr/bin/mosquitto_passwd", ["-b", "-c", folder.path + "/passwords", "van", "secret"])
        #expect(made.status == 0)
        let broker = try await MosquittoBroker(
            "allow_anonymous false\npassword_file \(folder.path)/passwords")
        var settings = try settings(broker.port, version)
        settings.credentials = Credentials(user: "van", password: "secret")
        let (connection, events) = connect(settings)
        try await events.connected()
        connection.close(gracefully: true)
        for wrong in [Credentials(user: "van", password: "wrong"), Credentials(user: "van"), Credentials()] {
            settings.credentials = wrong
            let (_, refused) = connect(settings)
            let reason = try #require(try await refused.closed())
            #expect(reason.contains("password"), "\(reason)")
            #expect(!refused.isConnected)
        }
    }

    /// A message that the broker's rules forbid: MQTT 5 says so, and the message stays in the queue.
    @Test func aMessageThatIsRefused() async throws {
        let folder = try TemporaryFolder()
        try folder.write("topic read #\n", to: "rules")
        let broker = try await MosquittoBroker("allow_anonymous true\nacl_file \(folder.path)/rules")
        let (connection, events) = connect(try settings(broker.port))
        connection.send(message(1))
        let reason = try #require(try await events.closed())
        #expect(reason.contains("refuses a message") && reason.contains("authorized"), "\(reason)")
        #expect(events.acknowledged == [])
    }

    // MARK: Servers that lie

    @Test(arguments: [
        "", "\u{0}", "HTTP/1.1 400 Bad Request\r\n\r\n", " \u{2}\u{0}\u{9}", "@\u{2}\u{0}\u{1}",
        String(repeating: "\u{7f}", count: 5000),
    ]) func aServerThatIsNoBroker(_ answer: String) async throws {
        let server = try await AnsweringServer(answer)
        let (_, events) = connect(try settings(server.port))
        let reason = try #require(try await events.closed())
        #expect(!reason.isEmpty)
        #expect(!events.isConnected)
        #expect(events.acknowledged == [])
    }

    /// A server that accepts the connection, then acknowledges what it was not sent, sends garbage, or asks for what a
    /// publisher does not have.
    ///
    /// Properties of MQTT 5 that do not exist are not among them: libmosquitto 2.0.11 ends the process.
    @Test(
        arguments: [
            ("@\u{2}\u{0}\u{9}", .mqtt5), ("P\u{2}\u{0}\u{9}", .mqtt5), ("b\u{2}\u{0}\u{9}", .mqtt5),
            ("0\u{5}\u{0}\u{1}a\u{0}x", .mqtt5), (String(repeating: "\u{7f}", count: 5000), .mqtt311),
        ] as [(String, PublisherSettings.MQTTVersion)])
    func aBrokerThatLies(_ lie: String, _ version: PublisherSettings.MQTTVersion) async throws {
        let accepted = version == .mqtt5 ? " \u{3}\u{0}\u{0}\u{0}" : " \u{2}\u{0}\u{0}"
        let server = try await AnsweringServer(accepted + lie)
        let (connection, events) = connect(try settings(server.port, version))
        connection.send(message(1))
        #expect(try #require(try await events.closed()).isEmpty == false)
        #expect(events.isConnected)
        #expect(events.acknowledged == [])
    }

    @Test func aServerThatSaysNothingIsLeftAtOnce() async throws {
        let server = try await AnsweringServer(nil)
        let (connection, events) = connect(try settings(server.port))
        connection.send(message(1))
        connection.close(gracefully: false)
        #expect(try await events.closed() == nil)
    }
}
