import Foundation
import Publishing
import TestSupport
import Testing

@testable import LocationPublishCommand

/// Requests over TLS, with certificates of an authority of the test's own.
@Suite(.timeLimit(.minutes(15)), .enabled(if: MosquittoBroker.isInstalled, "needs openssl"))
struct HTTPOverTLSTests {
    private typealias Server = RecordingHTTPServer
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func scene(
        _ server: Server, host: String = "127.0.0.1", _ change: @escaping (inout HTTPSettings) -> Void
    ) async throws -> RequestScene {
        let credentials = Credentials(user: "van", password: "secret")
        let scene = try await RequestScene("https://\(host):\(server.port)/x", credentials: credentials) {
            change(&$1)
        }
        try await scene.send(1)
        return scene
    }

    /// Expects that nothing is sent to a server, not even the request line.
    private func expectRefusal(
        of server: Server, words: String, _ change: @escaping (inout HTTPSettings) -> Void
    ) async throws {
        let scene = try await scene(server, change)
        let reason = try #require(try await scene.events.closed())
        #expect(reason.contains("TLS failed") && reason.contains(words), "\(reason)")
        #expect(!scene.events.isConnected && scene.events.acknowledged == [])
        #expect(server.requests.count == 0)
    }

    /// The server is believed with the right authority and name alone.
    @Test func whoIsTrusted() async throws {
        let authority = try await TestAuthority(in: folder)
        let other = try await TestAuthority(in: TemporaryFolder())
        let server = try await Server(tls: .init(authority.issue("server", alternativeName: "IP:127.0.0.1")))
        try await expectRefusal(of: server, words: "certificate") { $0.tls.authorities = other.certificate }
        // The system's authorities do not know the test's.
        try await expectRefusal(of: server, words: "certificate") { _ in }
        let scene = try await scene(server) { $0.tls.authorities = authority.certificate }
        #expect(try await scene.events.acknowledged(1) == [.report(1)])
        #expect(server.requests.map(\.target) == ["/x"])
    }

    /// Attack: somebody with a certificate of the same authority, but for another name, answers in the server's place.
    @Test(arguments: ["DNS:elsewhere.example", "IP:127.0.0.2", "DNS:127.0.0.1.example", "DNS:localhost"])
    func theNameOfAnotherHost(_ name: String) async throws {
        let authority = try await TestAuthority(in: folder)
        let server = try await Server(tls: .init(authority.issue("server", alternativeName: name)))
        try await expectRefusal(of: server, words: "name") { $0.tls.authorities = authority.certificate }
    }

    @Test func aNameOfTheHost() async throws {
        let authority = try await TestAuthority(in: folder)
        let server = try await Server(tls: .init(authority.issue("server", alternativeName: "DNS:localhost")))
        let scene = try await scene(server, host: "localhost") { $0.tls.authorities = authority.certificate }
        #expect(try await scene.events.acknowledged(1) == [.report(1)])
    }

    /// Attack: a certificate that was stolen, and has expired since.
    @Test func aCertificateThatHasExpired() async throws {
        let authority = try await TestAuthority(in: folder)
        let files = try await authority.issue("server", alternativeName: "IP:127.0.0.1", isExpired: true)
        let server = try await Server(tls: .init(files))
        try await expectRefusal(of: server, words: "expired") { $0.tls.authorities = authority.certificate }
    }

    /// Attack: a server, or somebody on the way, makes both use a version of TLS whose protection is broken.
    @Test func oldVersions() async throws {
        let authority = try await TestAuthority(in: folder)
        let files = try await authority.issue("server", alternativeName: "IP:127.0.0.1")
        let server = try await Server(tls: .init(files, greatestVersion: "TLSv1_1"))
        try await expectRefusal(of: server, words: "protocol") { $0.tls.authorities = authority.certificate }
        let newer = try await Server(tls: .init(files, greatestVersion: "TLSv1_2"))
        let scene = try await scene(newer) { $0.tls.authorities = authority.certificate }
        #expect(try await scene.events.acknowledged(1) == [.report(1)])
    }

    @Test func theCertificateOfTheClient() async throws {
        let authority = try await TestAuthority(in: folder)
        let files = try await authority.issue("server", alternativeName: "IP:127.0.0.1")
        let server = try await Server(tls: .init(files, authority: authority.certificate))
        let client = try await authority.issue("van", alternativeName: "DNS:van")
        let with = try await scene(server) {
            $0.tls.authorities = authority.certificate
            $0.tls.certificate = client.certificate
            $0.tls.key = client.key
        }
        #expect(try await with.events.acknowledged(1) == [.report(1)])
        #expect(try #require(server.requests.first?.client).contains("van"))
        let without = try await scene(server) { $0.tls.authorities = authority.certificate }
        #expect(try await without.events.closed() != nil)
        #expect(server.requests.count == 1)
    }

    /// A file that is no certificate, and a key that belongs to another one.
    @Test func filesThatDoNotFit() async throws {
        let authority = try await TestAuthority(in: folder)
        let files = try await authority.issue("server", alternativeName: "IP:127.0.0.1")
        let server = try await Server(tls: .init(files))
        let other = try await authority.issue("other", alternativeName: "DNS:other")
        let empty = try folder.write("nothing\n", to: "empty.pem")
        try await expectRefusal(of: server, words: "ca") { $0.tls.authorities = empty }
        try await expectRefusal(of: server, words: "tls-key") {
            $0.tls.authorities = authority.certificate
            $0.tls.certificate = files.certificate
            $0.tls.key = other.key
        }
    }

    /// Attack: a server without TLS answers where one with TLS should. It gets neither a report nor the password.
    @Test func aServerWithoutTLS() async throws {
        let authority = try await TestAuthority(in: folder)
        let server = try await Server()
        let scene = try await scene(server) { $0.tls.authorities = authority.certificate }
        #expect(try await scene.events.closed() != nil)
        #expect(!scene.events.isConnected && server.requests.count == 0)
    }
}
