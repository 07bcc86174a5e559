import Glibc
import NIOCore
import NIOPosix
import TestSupport
import Testing
import Varlink

/// The client with misbehaving peers.
struct ClientTests {
    private let eventLoop = MultiThreadedEventLoopGroup.singleton.next()

    /// Returns a client, and the other end of its connection.
    private func pair() async throws -> (VarlinkClient, RawSocket) {
        var ends: [CInt] = [-1, -1]
        try #require(socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0)
        let peer = RawSocket(owning: ends[1])
        return (try await VarlinkClient.connect(descriptor: ends[0], on: eventLoop), peer)
    }

    @Test func notReachable() async throws {
        try await withTemporaryDirectory { directory in
            let missing = "\(directory)/socket"
            await #expect(throws: VarlinkClientError.notReachable(path: missing, errno: ENOENT)) {
                try await VarlinkClient.connect(path: missing, on: eventLoop)
            }
            let file = "\(directory)/file"
            close(open(file, O_CREAT | O_WRONLY, 0o600))
            await #expect(throws: VarlinkClientError.notReachable(path: file, errno: ECONNREFUSED)) {
                try await VarlinkClient.connect(path: file, on: eventLoop)
            }
            let long = String(repeating: "x", count: 200)
            await #expect(throws: VarlinkClientError.notReachable(path: long, errno: ENAMETOOLONG)) {
                try await VarlinkClient.connect(path: long, on: eventLoop)
            }
        }
    }

    @Test func closedBeforeTheReply() async throws {
        let (client, peer) = try await pair()
        let call = Task { let _: JSONValue = try await client.call("a.b.C") }
        #expect(try await peer.receive() == ["method": "a.b.C", "parameters": [:]])
        peer.send(Array(#"{"parameters":"#.utf8))
        peer.shutdown()
        await #expect(throws: VarlinkClientError.closed) { try await call.value }
        await #expect(throws: VarlinkClientError.closed) { let _: JSONValue = try await client.call("a.b.C") }
    }

    @Test(arguments: [
        "", "garbage", "[]", #"{"error":5}"#, #"{"parameters":{},"continues":true}"#,
        #"{"parameters":"# + String(repeating: "[", count: 10_000), #"{"parameters":{"number":"x"}}"#, "{}",
    ])
    func malformed(_ text: String) async throws {
        let (client, peer) = try await pair()
        peer.send(frame(text))
        let error = await #expect(throws: VarlinkClientError.self) {
            let _: TestService.Number = try await client.call("a.b.C")
        }
        guard case .malformed? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func longerThanTheLimit() async throws {
        let (client, peer) = try await pair()
        let call = Task { let _: JSONValue = try await client.call("a.b.C") }
        #expect(try await peer.receive() != nil)
        while peer.send([UInt8](repeating: UInt8(ascii: "["), count: 4096)) {}
        await #expect(throws: VarlinkClientError.malformed("longer than 1048576 bytes")) { try await call.value }
    }

    @Test func errorWithParameters() async throws {
        let (client, peer) = try await pair()
        peer.send(frame(#"{"error":"a.b.Odd","parameters":{"number":9007199254740993,"x":0.1}}"#))
        let error = await #expect(throws: VarlinkError.self) { let _: JSONValue = try await client.call("a.b.C") }
        #expect(error?.name == "a.b.Odd")
        #expect(try error?.parameters(as: TestService.Number.self) == .init(number: 9_007_199_254_740_993))
        #expect(error.map(\.description) == #"a.b.Odd {"number":9007199254740993,"x":0.1}"#)
    }

    @Test func cancellingClosesTheConnection() async throws {
        let (client, peer) = try await pair()
        let task = Task { let _: JSONValue = try await client.call("a.b.C") }
        #expect(try await peer.receive() != nil)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try await peer.receive() == nil)
    }

    @Test func leavingAStreamClosesTheConnection() async throws {
        let (client, peer) = try await pair()
        peer.send(frame(#"{"parameters":{"number":1},"continues":true}"#))
        for try await reply in try client.stream("a.b.C", of: TestService.Number.self) {
            #expect(reply.number == 1)
            break
        }
        #expect(try await peer.receive() == ["method": "a.b.C", "parameters": [:], "more": true])
        #expect(try await peer.receive() == nil)
    }

    @Test func unrequestedRepliesAreNotRead() async throws {
        let (client, peer) = try await pair()
        var iterator = try client.stream("a.b.C", of: TestService.Number.self).makeAsyncIterator()
        #expect(try await peer.receive() != nil)
        let reply = frame(#"{"parameters":{"number":1},"continues":true}"#)
        peer.send(reply)
        #expect(try await iterator.next()?.number == 1)
        var sent = 0
        while peer.sendWithoutWaiting(reply) { sent += 1 }
        // The sent bytes are held only by the sockets' buffers and by one read of the client.
        #expect(sent < 100_000)
        for _ in 0..<sent { #expect(try await iterator.next()?.number == 1) }
        peer.send(frame(#"{"parameters":{"number":2}}"#))
        #expect(try await iterator.next()?.number == 2)
        #expect(try await iterator.next() == nil)
        #expect(try await iterator.next() == nil)
    }
}
