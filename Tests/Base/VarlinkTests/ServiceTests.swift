import Glibc
import NIOCore
import TestSupport
import Testing
import Varlink

/// The service and the client, over real sockets.
struct ServiceTests {
    private typealias Text = TestService.Text
    private typealias Number = TestService.Number

    private func withClient(
        refusal: VarlinkError? = nil, _ body: (VarlinkClient, TestService, String) async throws -> Void
    ) async throws {
        // However late the first call is made, it is answered.
        var limits = VarlinkServer.Limits()
        limits.refusalTime = .minutes(30)
        try await TestService.serving(limits: limits, refusal: refusal) { service, path in
            try await body(try await VarlinkClient.connect(path: path, on: service.eventLoop), service, path)
        }
    }

    @Test func introspection() async throws {
        try await withClient { client, _, _ in
            let info: JSONValue = try await client.call("org.varlink.service.GetInfo")
            #expect(
                info == [
                    "vendor": "Example", "product": "Test", "version": "1", "url": "https://example.org",
                    "interfaces": ["org.varlink.service", "org.example.test"],
                ])
            let reply: JSONValue = try await client.call(
                "org.varlink.service.GetInterfaceDescription", ["interface": "org.example.test"])
            #expect(reply["description"]?.string == TestService.definition)
        }
    }

    @Test func values() async throws {
        try await withClient { client, _, _ in
            let text = "ä\u{0}\"\\\n😀" + String(repeating: "x", count: 50_000)
            #expect(try await client.call("org.example.test.Echo", Text(text: text)) == Text(text: text))
            let place = TestService.Place(latitude: 47.376886123456789, longitude: -0.1 - 0.2, name: nil)
            let located: TestService.Located = try await client.call(
                "org.example.test.Locate",
                TestService.Location(place: place, level: "loud", tags: ["a"], extra: ["b": 1]))
            #expect(located.place == place)
        }
    }

    @Test(
        arguments: [
            ("org.example.test.Forbidden", [:], .permissionDenied),
            ("org.example.test.Count", ["count": 3], .expectedMore),
            ("org.example.test.NotThere", [:], .methodNotImplemented("org.example.test.NotThere")),
            ("org.example.test.Unheard", [:], .methodNotFound("org.example.test.Unheard")),
            ("org.example.other.Echo", [:], .interfaceNotFound("org.example.other")),
            ("Echo", [:], .invalidParameter("method")), ("", [:], .invalidParameter("method")),
            (".", [:], .interfaceNotFound("")), ("org.example.test.", [:], .methodNotFound("org.example.test.")),
            (
                "org.example.test.Fail", [:],
                VarlinkError("org.example.test.Custom", parameters: ["reason": "it does", "code": 7])
            ),
            ("org.example.test.Echo", [:], .invalidParameter("text")),
            ("org.example.test.Echo", ["text": 1], .invalidParameter("text")),
            ("org.example.test.Echo", ["text": "a", "more": 1], .invalidParameter("more")),
            ("org.example.test.Add", ["a": 9_223_372_036_854_775_807, "b": 1], .invalidParameter("b")),
            ("org.varlink.service.GetInterfaceDescription", ["interface": "a.b"], .interfaceNotFound("a.b")),
        ] as [(String, JSONValue, VarlinkError)])
    func errors(_ method: String, _ parameters: JSONValue, _ expected: VarlinkError) async throws {
        try await withClient { client, _, _ in
            await #expect(throws: expected) { let _: JSONValue = try await client.call(method, parameters) }
            let next: Text = try await client.call("org.example.test.Echo", Text(text: "on"))
            #expect(next.text == "on")
        }
    }

    @Test func streams() async throws {
        try await withClient { client, _, _ in
            for count in [1, 2, 200] {
                var numbers: [Int] = []
                let stream = try client.stream(
                    "org.example.test.Count", TestService.Limit(count: count), of: Number.self)
                for try await reply in stream { numbers.append(reply.number) }
                #expect(numbers == Array(1...count))
            }
            let failing = try client.stream("org.example.test.Forbidden", of: Number.self)
            await #expect(throws: VarlinkError.permissionDenied) { for try await _ in failing {} }
            let single = try client.stream("org.example.test.Echo", Text(text: "once"), of: Text.self)
            var texts: [Text] = []
            for try await text in single { texts.append(text) }
            #expect(texts == [Text(text: "once")])
        }
    }

    @Test func streamThatEndsWithAnError() async throws {
        try await withClient { client, service, _ in
            var iterator = try client.stream("org.example.test.Count", of: Number.self).makeAsyncIterator()
            #expect(try await iterator.next() == Number(number: 0))
            await service.offer(1)
            #expect(try await iterator.next() == Number(number: 1))
            await service.end(with: .permissionDenied)
            await #expect(throws: VarlinkError.permissionDenied) { try await iterator.next() }
            #expect(await service.endedCalls == 1)
            #expect(try await client.call("org.example.test.Echo", Text(text: "on")) == Text(text: "on"))
        }
    }

    @Test func oneway() async throws {
        try await withClient { client, service, _ in
            for number in 1...3 {
                try await client.callOneway("org.example.test.Add", TestService.Terms(a: number, b: 0))
            }
            try await client.callOneway("org.example.test.Forbidden")
            try await client.callOneway("org.example.test.Unheard")
            try await client.callOneway("org.example.test.Count")
            try await client.callOneway("org.example.test.Add", ["wrong": true])
            #expect(try await client.call("org.example.test.Echo", Text(text: "first")) == Text(text: "first"))
            #expect(await service.sums == [1, 2, 3])
        }
    }

    @Test func callsAreAnsweredInOrder() async throws {
        try await withClient { client, service, path in
            let other = try await VarlinkClient.connect(path: path, on: service.eventLoop)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    let reply: TestService.Released = try await client.call("org.example.test.Wait")
                    #expect(reply.released == 1)
                }
                try await eventually("the call waits") { await service.waitingCount == 1 }
                for number in 0..<10 {
                    group.addTask {
                        let text = Text(text: "\(number)")
                        let reply: Text = try await client.call("org.example.test.Echo", text)
                        #expect(reply == text)
                    }
                }
                // Another connection is served in the meantime.
                #expect(try await other.call("org.example.test.Echo", Text(text: "x")) == Text(text: "x"))
                let _: Nothing = try await other.call("org.example.test.Release")
                try await group.waitForAll()
            }
        }
    }

    @Test func refusal() async throws {
        let limit = VarlinkError("org.example.test.LimitExceeded", parameters: ["limit": "connections"])
        try await withClient(refusal: limit) { client, service, _ in
            await #expect(throws: limit) { let _: JSONValue = try await client.call("org.varlink.service.GetInfo") }
            try await eventually("it is closed") { await service.closedConnections == 1 }
            await #expect(throws: VarlinkClientError.closed) {
                let _: JSONValue = try await client.call("org.varlink.service.GetInfo")
            }
        }
    }

    @Test func aSilentRefusedConnectionIsClosed() async throws {
        var limits = VarlinkServer.Limits()
        limits.refusalTime = .milliseconds(20)
        try await TestService.serving(limits: limits, refusal: .permissionDenied) { _, path in
            let socket = try RawSocket(path)
            #expect(try await socket.receive() == nil)
        }
    }

    @Test func theServerEndsItsConnections() async throws {
        try await withClient { client, service, path in
            var iterator = try client.stream("org.example.test.Count", of: Number.self).makeAsyncIterator()
            #expect(try await iterator.next() == Number(number: 0))
            try await service.stop()
            #expect(await service.endedCalls == 1)
            #expect(await service.closedConnections == 1)
            #expect(await service.connectionCount == 0)
            await #expect(throws: VarlinkClientError.closed) { try await iterator.next() }
            #expect(access(path, F_OK) == -1)
        }
    }
}
