import NIOCore
import Publishing
import TestSupport
import Testing

@testable import LocationPublishCommand

/// The table "What a server's answer means" in locationd-publish(8), against a real server.
@Suite(.timeLimit(.minutes(15))) struct HTTPAnswersTests {
    private typealias Server = RecordingHTTPServer

    /// Sends two reports to a server that answers the first as it is told, and the second with 200.
    private func answered(_ answer: Server.Answer) async throws -> (scene: RequestScene, server: Server) {
        let server = try await Server([answer, .init(200)])
        let scene = try await RequestScene("http://127.0.0.1:\(server.port)")
        try await scene.send(1, 2)
        return (scene, server)
    }

    @Test(arguments: [200, 201, 202, 204, 299]) func isAccepted(_ status: Int) async throws {
        let (scene, server) = try await answered(.init(status))
        #expect(try await scene.events.acknowledged(2) == [.report(1), .report(2)])
        #expect(server.requests.count == 2)
    }

    @Test(arguments: [400, 402, 409, 413, 415, 422, 431, 499]) func isSetAside(_ status: Int) async throws {
        let (scene, server) = try await answered(.init(status, body: "lat=47.25 is wrong"))
        // The next report is sent, and the reason has nothing of what the server says.
        #expect(try await scene.events.acknowledged(1) == [.report(2)])
        #expect(scene.events.refused.map(\.token) == [.report(1)])
        #expect(scene.events.refused.map(\.reason) == ["status \(status)"])
        #expect(server.requests.count == 2)
    }

    @Test(arguments: [401, 403, 404, 405, 407, 410, 301, 302, 303, 307, 308]) func isStopped(_ status: Int) async throws
    {
        let (scene, server) = try await answered(.init(status))
        let reason = try #require(try await scene.events.closed())
        #expect(reason.contains("(status \(status))"), "\(reason)")
        #expect(try await scene.events.pause() == .minutes(15))
        #expect(scene.events.acknowledged == [] && scene.events.refused.isEmpty && server.requests.count == 1)
    }

    @Test(arguments: [408, 425, 429, 500, 502, 503, 504, 599]) func isTriedAgain(_ status: Int) async throws {
        let (scene, server) = try await answered(.init(status))
        let reason = try #require(try await scene.events.closed())
        #expect(reason.contains("status \(status)"), "\(reason)")
        #expect(try await scene.events.pause() == nil)
        #expect(scene.events.acknowledged == [] && scene.events.refused.isEmpty && server.requests.count == 1)
    }

    @Test(
        arguments: [
            (408, "5", 5), (429, "120", 120), (503, "1", 1), (429, "86400", 3600),
            (429, "-5", nil), (429, "soon", nil), (429, "", nil), (503, "Fri, 31 Dec 2999 23:59:59 GMT", 3600),
            (503, "Sun, 06 Nov 1994 08:49:37 GMT", 0),
        ] as [(Int, String, Int64?)]) func retryAfter(_ status: Int, _ value: String, _ seconds: Int64?) async throws
    {
        let (scene, server) = try await answered(.init(status, fields: ["Retry-After": value]))
        let pause = try await scene.events.pause()
        #expect(
            pause == seconds.map { .seconds($0) } || (pause == .zero && seconds == nil), "\(String(describing: pause))")
        #expect(server.requests.count == 1)
    }

    /// Attack: the server, or whoever answers in its place, sends the reports on to a file or to another host. The other
    /// host's server sees nothing, with or without credentials.
    @Test(arguments: [301, 302, 303, 307, 308]) func redirectionsAreNotFollowed(_ status: Int) async throws {
        let other = try await Server()
        for target in ["http://127.0.0.1:\(other.port)/x?secret", "//127.0.0.1:\(other.port)", "file:///etc/passwd"] {
            let server = try await Server([.init(status, fields: ["Location": target])])
            let scene = try await RequestScene(
                "http://127.0.0.1:\(server.port)", credentials: Credentials(user: "van", password: "secret"))
            try await scene.send(1)
            let reason = try #require(try await scene.events.closed())
            #expect(reason.contains("the server redirects to "), "\(reason)")
            #expect(!reason.contains("secret") && !reason.contains("passwd"), "\(reason)")
            #expect(scene.events.acknowledged == [])
        }
        #expect(other.requests.count == 0)
    }
}
