import AuthorizationPolicy
import LocationModel
import TestSupport
import Testing

@testable import GPSDFront
@testable import LocationCore

/// Clients that send nothing more, as `printf '?VERSION;' | nc -N` does.
@Suite(.timeLimit(.minutes(10))) struct HalfClosedTests {
    /// gpsd answers the requests, and closes the connection.
    @Test(arguments: [
        ("?VERSION;", ["VERSION"]), ("?DEVICES;?VERSION", ["DEVICES", "VERSION"]), ("?FOO", ["ERROR"]), ("", []),
        (#"?WATCH={"enable":true,"json":true}"#, ["DEVICES", "WATCH", "TPV"]),
    ]) func whatWasAskedIsAnswered(requests: String, replies: [String]) async throws {
        let front = try await TestFront()
        let client = try await front.connect()
        client.send(requests)
        client.closeInput()
        var kinds: [String] = []
        while let line = try await client.line() {
            kinds.append(String(line.dropFirst(#"{"class":""#.count).prefix { $0 != "\"" }))
        }
        #expect(kinds == replies)
        try await front.expectNoConnection()
        try await front.stop()
    }

    /// Requests from before the app was identified are answered as well.
    @Test func aClientThatIsNotKnownYet() async throws {
        let front = try await TestFront()
        // The core refuses a client whose lookup takes too long, if a thread is held up.
        try await eventually("the reply") {
            let client = TestConnection(try RawSocket(front.path))
            client.send("?VERSION;")
            client.closeInput()
            var lines: [String] = []
            while let line = try await client.line() { lines.append(line) }
            return lines.count == 2 && lines.allSatisfy { $0.contains("VERSION") }
        }
        try await front.expectNoConnection()
        try await front.stop()
    }

    /// Attack: a client asks for more than it reads, and sends nothing more. Its connection goes with it.
    @Test func aClientThatDoesNotRead() async throws {
        let front = try await TestFront()
        var client: TestConnection? = try await front.connect()
        client?.send(String(repeating: "?DEVICES;", count: 4000))
        client?.closeInput()
        client = nil
        try await front.expectNoConnection()
        try await front.stop()
    }
}

extension TestFront {
    /// Waits until no connection is open.
    fileprivate func expectNoConnection() async throws {
        try await eventually("the end of the connections") { try await server { $0.connectionCount } == 0 }
    }
}
