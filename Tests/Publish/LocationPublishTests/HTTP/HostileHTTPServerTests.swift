import Foundation
import NIOCore
import Publishing
import TestSupport
import Testing

@testable import LocationPublishCommand

/// Attacks by an HTTP server, or by whoever answers in its place.
@Suite(.timeLimit(.minutes(15))) struct HostileHTTPServerTests {
    @Test(arguments: [
        "", "garbage\r\n\r\n", "HTTP/1.1 200", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nshort",
        "HTTP/1.1 200 OK\r\nContent-Length: 1, 2\r\n\r\n", "HTTP/1.1 999\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nfffffffffffffffffff\r\n", "HTTP/0.9 200\n\nok",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab", "RTSP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n",
        "\u{0}\u{0}\u{0}\u{0}",
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n",
    ]) func aServerThatLies(_ answer: String) async throws {
        let server = try await AnsweringServer(answer)
        let scene = try await RequestScene("http://127.0.0.1:\(server.port)")
        try await scene.send(1)
        #expect(try await scene.events.closed() != nil)
        #expect(scene.events.acknowledged == [] && scene.events.refused.isEmpty)
    }

    @Test func interimResponsesPrecedeTheResponse() async throws {
        let interim = String(repeating: "HTTP/1.1 100 Continue\r\n\r\n", count: 8)
        let server = try await AnsweringServer(interim + "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        let scene = try await RequestScene("http://127.0.0.1:\(server.port)")
        try await scene.send(1)
        #expect(try await scene.events.acknowledged(1) == [.report(1)])
    }

    /// Attack: one answer to the request that was made, and more to those that will be, which were not received then.
    @Test func answersToRequestsThatWereNotMade() async throws {
        let answer = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
        let server = try await AnsweringServer(answer + answer + answer)
        let scene = try await RequestScene("http://127.0.0.1:\(server.port)")
        try await scene.send(1, 2, 3)
        #expect(try await scene.events.acknowledged(3).count == 3)
        #expect(server.connections == 3)
    }

    /// Attack: a server has memory, a processor or a connection of this machine with answers that do not end.
    @Test(arguments: [
        ("interim", "header"), ("endless-body", "too long"), ("endless-chunks", "too long"), ("huge-header", "header"),
        ("many-fields", "header"), ("endless-line", "header"), ("slow-header", "in time"), ("slow-body", "in time"),
        ("silent", "in time"),
    ]) func answersWithoutEndEndTheConnection(behaviour: String, words: String) async throws {
        let server = try await HostileServer(behaviour)
        let before = Self.residentMegabytes()
        let scene = try await RequestScene("http://127.0.0.1:\(server.port)") {
            if words == "in time" { $1.requestTimeoutSeconds = 1 }
        }
        try await scene.send(1)
        let reason = try #require(try await scene.events.closed())
        #expect(reason.contains(words), "\(reason)")
        #expect(scene.events.acknowledged == [] && scene.events.refused.isEmpty)
        // Other tests run in this process: an answer that is kept would be far more.
        #expect(Self.residentMegabytes() - before < 500)
    }

    private static func residentMegabytes() -> Int {
        let pages = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")[1]
        return (pages.flatMap { Int($0) } ?? 0) * Int(getpagesize()) / 1_000_000
    }
}
