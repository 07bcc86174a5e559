import AuthorizationPolicy
import Glibc
import LocationModel
import TestSupport
import Testing

@testable import GPSDFront
@testable import LocationCore

/// Clients that do not read their replies, or leave while these are sent.
@Suite(.timeLimit(.minutes(10))) struct UnreadRepliesTests {
    /// A request is not handled between the replies to the one before, whatever the socket accepts of them.
    @Test func repliesStayInTheirOrder() async throws {
        let front = try await TestFront()
        let client = try await front.connect()
        let count = 300
        for _ in 0..<count { client.send(#"?WATCH={"enable":false};?VERSION;"#) }
        try await client.socket.awaitLines(2 * count)
        var kinds: [String] = []
        while kinds.count < 2 * count, let line = try await client.line() {
            let kind = String(line.dropFirst(#"{"class":""#.count).prefix { $0 != "\"" })
            if ["WATCH", "VERSION"].contains(kind) { kinds.append(kind) }
        }
        #expect(kinds == (0..<count).flatMap { _ in ["WATCH", "VERSION"] })
        try await front.stop()
    }

    /// Attack: a client closes its connection while it is sent the replies to a WATCH, and the receivers are open for
    /// its subscription forever.
    @Test func nothingStaysOpenForAConnectionThatIsClosed() async throws {
        let front = try await TestFront()
        // Keeps the app known while the others close.
        let other = try await front.connect()
        try await front.decide(Decision(level: .whenInUse, accuracy: .full))
        for _ in 0..<10 {
            var client: TestConnection? = try await front.connect()
            for _ in 0..<20 { client?.send(#"?WATCH={"enable":true,"json":true};?VERSION;"#) }
            client = nil
        }
        try await eventually("the end of the connections") {
            try await front.server { $0.connectionCount } == 1
        }
        let subscriptions = try await front.core { $0.peers.apps.values.map(\.subscriptions.count) }
        #expect(subscriptions == [0])
        other.send("?VERSION;")
        #expect(try await other.line()?.contains("VERSION") == true)
        try await front.stop()
    }
}
