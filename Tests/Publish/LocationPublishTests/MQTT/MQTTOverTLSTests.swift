import Foundation
import Publishing
import TestSupport
import Testing

@testable import LocationPublishCommand

/// Connections over TLS to the real mosquitto, with certificates of an authority of the test's own.
@Suite(.timeLimit(.minutes(15)), .enabled(if: MosquittoBroker.isInstalled, "needs mosquitto and openssl"))
struct MQTTOverTLSTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func broker(
        _ certificate: (certificate: String, key: String), _ configuration: String = ""
    ) async throws -> MosquittoBroker {
        try await MosquittoBroker(
            """
            allow_anonymous true
            certfile \(certificate.certificate)
            keyfile \(certificate.key)
            \(configuration)
            """)
    }

    private func events(_ port: Int, _ change: (inout MQTTSettings) -> Void) throws -> RecordedEvents {
        var settings = MQTTSettings(
            PublisherSettings(
                broker: try BrokerAddress(parsing: "mqtts://127.0.0.1:\(port)"), format: .json, device: "van"),
            credentials: Credentials(), availability: nil)
        change(&settings)
        let events = RecordedEvents()
        _ = MQTTConnection(settings, on: RecordedEvents.loop, onEvent: events.record)
        return events
    }

    /// The broker is believed with the right authority and name alone.
    @Test func whoIsTrusted() async throws {
        let authority = try await TestAuthority(in: folder)
        let otherFolder = try TemporaryFolder()
        let other = try await TestAuthority(in: otherFolder)
        let broker = try await broker(authority.issue("broker", alternativeName: "IP:127.0.0.1"))
        try await events(broker.port) { $0.tls.authorities = authority.certificate }.connected()

        let stranger = try events(broker.port) { $0.tls.authorities = other.certificate }
        let reason = try #require(try await stranger.closed())
        #expect(reason.contains("TLS failed") && reason.contains("certificate verify failed"), "\(reason)")
        #expect(!stranger.isConnected)
        // The system's authorities do not know the test's.
        let system = try events(broker.port) { _ in }
        #expect(try #require(try await system.closed()).contains("TLS failed"))
        #expect(!system.isConnected)
    }

    /// Attack: somebody with a certificate of the same authority, but for another name, answers in the broker's place.
    @Test func theNameOfAnotherHost() async throws {
        let authority = try await TestAuthority(in: folder)
        let broker = try await broker(authority.issue("broker", alternativeName: "DNS:elsewhere.example"))
        let events = try events(broker.port) { $0.tls.authorities = authority.certificate }
        #expect(try #require(try await events.closed()).contains("TLS failed"))
        #expect(!events.isConnected)
    }

    @Test func theCertificateOfTheClient() async throws {
        let authority = try await TestAuthority(in: folder)
        let certificate = try await authority.issue("broker", alternativeName: "IP:127.0.0.1")
        let broker = try await broker(certificate, "cafile \(authority.certificate)\nrequire_certificate true")
        let client = try await authority.issue("van", alternativeName: "DNS:van")
        try await events(broker.port) {
            $0.tls.authorities = authority.certificate
            $0.tls.certificate = client.certificate
            $0.tls.key = client.key
        }.connected()
        let without = try events(broker.port) { $0.tls.authorities = authority.certificate }
        #expect(try await without.closed() != nil)
        #expect(without.acknowledged == [])
    }

    @Test func aBrokerWithoutTLS() async throws {
        let authority = try await TestAuthority(in: folder)
        let broker = try await MosquittoBroker()
        let events = try events(broker.port) { $0.tls.authorities = authority.certificate }
        #expect(try await events.closed() != nil)
        #expect(!events.isConnected)
    }
}
