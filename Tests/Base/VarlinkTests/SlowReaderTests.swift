import Glibc
import TestSupport
import Testing
import Varlink

struct SlowReaderTests {
    private func number(_ reply: JSONValue?) throws -> Int {
        try #require(reply?["parameters"]).decoded(as: TestService.Number.self).number
    }

    @Test func theNewestUpdateReplacesTheOlder() async throws {
        try await TestService.serving { service, path in
            let slow = try RawSocket(path), fast = try RawSocket(path)
            for socket in [slow, fast] {
                #expect(try await number(socket.call(#"{"method":"org.example.test.Count","more":true}"#)) == 0)
            }
            let count = 300
            for update in 1...count {
                await service.offer(Int64(update), size: 4096)
                #expect(try await number(fast.receive()) == update)
            }
            let replaced = await service.replaced.sorted()
            #expect(replaced[0] == 0)
            #expect(replaced[1] > count / 2)

            var received: [Int] = []
            while received.last != count { received.append(try await number(slow.receive())) }
            #expect(received == received.sorted())
            #expect(received.count + replaced[1] == count)
            #expect(await service.replaced.sorted() == replaced)
        }
    }

    @Test func afterAnErrorNoUpdateFollows() async throws {
        try await TestService.serving { service, path in
            let slow = try RawSocket(path)
            #expect(try await number(slow.call(#"{"method":"org.example.test.Count","more":true}"#)) == 0)
            var last: Int64 = 0
            repeat {
                last += 1
                await service.offer(last, size: 4096)
            } while await service.replaced == [0]
            await service.end(with: .permissionDenied)
            var received: [Int] = []
            while let reply = try await slow.receive() {
                if reply["error"] == "org.varlink.service.PermissionDenied" { break }
                received.append(try number(reply))
            }
            // The update that was pending when the stream ended is not among them.
            #expect(received == Array(1...received.count))
            #expect(received.count < Int(last) - 1)
        }
    }

    @Test func moreRepliesThanMayWait() async throws {
        try await TestService.serving { service, path in
            let slow = try RawSocket(path), other = try RawSocket(path)
            slow.send(frame(#"{"method":"org.example.test.Count","parameters":{"count":100000},"more":true}"#))
            try await eventually("it is closed") { await service.closedConnections == 1 }
            #expect(try await other.isAlive())
        }
    }

    /// Attack: a client makes calls and reads no replies, so that they pile up in the service.
    @Test func callsOfAClientThatDoesNotReadAreNotHandled() async throws {
        try await TestService.serving { service, path in
            let slow = try RawSocket(path), other = try RawSocket(path)
            let text = String(repeating: "x", count: 4000)
            let call = frame(#"{"method":"org.example.test.Echo","parameters":{"text":"\#(text)"}}"#)
            // Until the socket is full in both directions.
            var sent = 0
            while sent < 10_000, send(slow.descriptor, call, call.count, CInt(MSG_DONTWAIT)) == call.count {
                sent += 1
                if sent % 10 == 0 { #expect(try await other.isAlive()) }
            }
            #expect(sent < 10_000)
            #expect(await service.connectionCount == 2)
            // No call that was sent whole is lost.
            for _ in 0..<sent {
                #expect(try await slow.receive()?["parameters"]?["text"]?.string?.utf8.count == 4000)
            }
        }
    }

    @Test func repliesThatWaitAreAllDelivered() async throws {
        var limits = VarlinkServer.Limits()
        limits.unsentBytes = 64 << 20
        try await TestService.serving(limits: limits) { _, path in
            let slow = try RawSocket(path)
            slow.send(frame(#"{"method":"org.example.test.Count","parameters":{"count":20000},"more":true}"#))
            #expect(try await RawSocket(path).isAlive())
            for expected in 1...20_000 { #expect(try await number(slow.receive()) == expected) }
            #expect(try await slow.isAlive())
        }
    }
}
