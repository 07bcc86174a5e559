import Foundation
import NIOCore
import Publishing
import TestSupport
import Testing

@testable import LocationPublishCommand

/// Requests to an HTTP server.
@Suite(.timeLimit(.minutes(15))) struct HTTPConnectionTests {
    private typealias Server = RecordingHTTPServer

    @Test func reportsArePosted() async throws {
        let server = try await Server()
        let scene = try await RequestScene("http://127.0.0.1:\(server.port)/osmand?x=1")
        #expect(!scene.events.isConnected)
        for number in 1...3 {
            try await scene.send(Int64(number))
            #expect(try await scene.events.acknowledged(number).last == .report(Int64(number)))
        }
        #expect(scene.events.isConnected)
        let requests = server.requests
        #expect(requests.map(\.body) == (1...3).map { "id=van&number=\($0)" })
        for request in requests {
            #expect(request.method == "POST" && request.target == "/osmand?x=1")
            #expect(request.fields["content-type"] == "application/x-www-form-urlencoded")
            #expect(request.fields["host"] == "127.0.0.1:\(server.port)")
            #expect(try #require(request.fields["user-agent"]).hasPrefix("locationd-publish/"))
            // Nothing that a proxy could be asked to do with the body first, and no credentials that nobody has given.
            #expect(request.fields["expect"] == nil && request.fields["authorization"] == nil)
        }
        // One connection for all of them.
        #expect(Set(requests.map(\.connection)).count == 1)
        try await scene.close()
        #expect(try await scene.events.closed() == nil)
    }

    /// The requests wait for each other: the server has them in order.
    @Test func oneRequestAtATime() async throws {
        let server = try await Server()
        let scene = try await RequestScene("http://127.0.0.1:\(server.port)")
        try await scene.send(1, 2, 3, 4, 5)
        #expect(try await scene.events.acknowledged(5) == (1...5).map { .report($0) })
        #expect(server.requests.map(\.body) == (1...5).map { "id=van&number=\($0)" })
    }

    @Test func aServerThatClosesAfterEachResponse() async throws {
        let server = try await Server([.init(200, fields: ["Connection": "close"])])
        let scene = try await RequestScene("http://127.0.0.1:\(server.port)")
        for number in 1...3 {
            try await scene.send(Int64(number))
            _ = try await scene.events.acknowledged(number)
        }
        #expect(Set(server.requests.map(\.connection)).count == 3)
    }

    @Test func aUserWithAPassword() async throws {
        let server = try await Server()
        let scene = try await RequestScene(
            "http://127.0.0.1:\(server.port)", credentials: Credentials(user: "van", password: "sëcret: x"))
        try await scene.send(1)
        _ = try await scene.events.acknowledged(1)
        let field = try #require(server.requests.first?.fields["authorization"])
        #expect(field == "Basic " + Data("van:sëcret: x".utf8).base64EncodedString())
    }

    @Test func aToken() async throws {
        let server = try await Server()
        let scene = try await RequestScene("http://127.0.0.1:\(server.port)", credentials: Credentials(token: "abc"))
        try await scene.send(1)
        _ = try await scene.events.acknowledged(1)
        #expect(server.requests.first?.fields["authorization"] == "Bearer abc")
    }

    @Test func aServerThatIsNotThere() async throws {
        let nowhere = try ReservedPort()
        let scene = try await RequestScene("http://127.0.0.1:\(nowhere.number)")
        try await scene.send(1)
        let reason = try #require(try await scene.events.closed())
        withExtendedLifetime(nowhere) {}
        #expect(reason.contains("refused"), "\(reason)")
        #expect(!scene.events.isConnected)
    }

    @Test func aHostThatDoesNotExist() async throws {
        let scene = try await RequestScene("http://nowhere.invalid")
        try await scene.send(1)
        #expect(try await scene.events.closed() == "the name of the server's host cannot be looked up")
    }

    @Test(
        arguments: [
            ("OpenSSL/3.0.15", true), ("(GnuTLS/3.7.9) OpenSSL/3.0.15", true), ("GnuTLS/3.7.9", false),
            ("GnuTLS/3.7.9 (OpenSSL/3.0.15)", false), ("", false), (nil, false),
        ] as [(String?, Bool)]) func theLibraryForTLSIsNamed(library: String?, isGood: Bool)
    {
        #expect((HTTPReason.libraryProblem(library) == nil) == isGood)
    }

    @Test func thisLibraryIsGood() { #expect(HTTPReason.libraryProblem() == nil) }
}
