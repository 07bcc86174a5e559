import Glibc
import TestSupport
import Testing
import Varlink

/// Input that no client library would send.
struct BadInputTests {
    private static func nested(_ levels: Int) -> String {
        let open = String(repeating: "[", count: levels), close = String(repeating: "]", count: levels)
        return #"{"method":"org.example.test.Echo","parameters":{"text":\#(open)\#(close)}}"#
    }

    private static func locate(_ parameters: String) -> String {
        #"{"method":"org.example.test.Locate","parameters":{\#(parameters),"extra":{}}}"#
    }

    /// Each call is answered with InvalidParameter for that name, and the connection stays usable.
    @Test(arguments: [
        ("", "message"), (" ", "message"), ("garbage", "message"), ("{", "message"), ("[]", "message"),
        ("1", "message"),
        ("null", "message"), (#"{"method":"a.b.C",}"#, "message"), (nested(40), "message"), (nested(10_000), "message"),
        ("{}", "method"), (#"{"method":1}"#, "method"), (#"{"method":null}"#, "method"),
        (#"{"method":"org.example.test.Echo","parameters":[]}"#, "parameters"),
        (#"{"method":"org.example.test.Echo","parameters":"x"}"#, "parameters"),
        (#"{"method":"org.example.test.Echo"}"#, "text"),
        (#"{"method":"org.example.test.Echo","parameters":null}"#, "text"),
        (#"{"method":"org.example.test.Echo","parameters":{"text":"a"},"more":1}"#, "more"),
        (#"{"method":"org.example.test.Echo","parameters":{"text":"a"},"oneway":"yes"}"#, "oneway"),
        (#"{"method":"org.example.test.Echo","parameters":{"text":"a"},"upgrade":true}"#, "upgrade"),
        (#"{"method":"org.example.test.Echo","parameters":{"text":"a","text":"b"}}"#, "message"),
        (#"{"method":"org.example.test.Echo","parameters":{"text":{}}}"#, "text"),
        (#"{"method":"org.example.test.Add","parameters":{"a":1.5,"b":2}}"#, "a"),
        (#"{"method":"org.example.test.Add","parameters":{"a":1,"b":99999999999999999999}}"#, "b"),
        (locate(#""place":{"latitude":1,"longitude":null},"tags":[]"#), "place.longitude"),
        (locate(#""place":{"latitude":1,"longitude":2},"tags":[1]"#), "tags.0"),
        (locate(#""place":{"latitude":1,"longitude":2},"level":"medium","tags":[]"#), "level"),
    ])
    func invalidParameter(_ text: String, _ parameter: String) async throws {
        try await TestService.serving { _, path in
            let socket = try RawSocket(path)
            let reply = try await socket.call(text)
            #expect(reply?["error"]?.string == "org.varlink.service.InvalidParameter")
            #expect(reply?["parameters"]?["parameter"]?.string == parameter)
            #expect(try await socket.isAlive())
        }
    }

    @Test(arguments: [[0xFF, 0xFE, 0x80, 0], [0x22, 0xC3, 0x28, 0x22, 0], [0x7F, 0x45, 0x4C, 0x46, 2, 1, 0]])
    func binary(_ bytes: [UInt8]) async throws {
        try await TestService.serving { _, path in
            let socket = try RawSocket(path)
            socket.send(bytes)
            #expect(try await socket.receive()?["parameters"]?["parameter"] == "message")
            #expect(try await socket.isAlive())
        }
    }

    @Test func unknownMembersOfTheEnvelopeAreIgnored() async throws {
        try await TestService.serving { _, path in
            let reply = try await RawSocket(path).call(
                #"{"method":"org.example.test.Echo","parameters":{"text":"a"},"more":null,"fds":0}"#)
            #expect(reply == ["parameters": ["text": "a"]])
        }
    }

    @Test(arguments: [true, false])
    func overTheLimit(withNUL: Bool) async throws {
        try await TestService.serving { service, path in
            let socket = try RawSocket(path), other = try RawSocket(path)
            socket.send([UInt8](repeating: UInt8(ascii: "["), count: 70_000) + (withNUL ? [0] : []))
            #expect(try await socket.receive()?["error"]?.string == "org.varlink.service.InvalidParameter")
            #expect(try await socket.receive() == nil)
            #expect(try await other.isAlive())
            try await eventually("it is closed") { await service.closedConnections == 1 }
        }
    }

    @Test func theLimitIsConfigurable() async throws {
        var limits = VarlinkServer.Limits()
        limits.frameSize = 200_000
        try await TestService.serving(limits: limits) { _, path in
            let text = String(repeating: "x", count: 150_000)
            let reply = try await RawSocket(path).call(
                #"{"method":"org.example.test.Echo","parameters":{"text":"\#(text)"}}"#)
            #expect(reply?["parameters"]?["text"]?.string == text)
        }
    }

    @Test func halfAFrameAndGone() async throws {
        try await TestService.serving { service, path in
            do {
                let socket = try RawSocket(path)
                socket.send(Array(#"{"method":"org.example.te"#.utf8))
            }
            try await eventually("it is closed") { await service.closedConnections == 1 }
            #expect(try await RawSocket(path).isAlive())
        }
    }

    @Test func byteByByteAndCoalesced() async throws {
        let calls = (0..<5).map { frame(#"{"method":"org.example.test.Echo","parameters":{"text":"\#($0)"}}"#) }
        let bytes = Array(calls.joined())
        try await TestService.serving { _, path in
            for size in [1, 3, bytes.count] {
                let socket = try RawSocket(path)
                for start in stride(from: 0, to: bytes.count, by: size) {
                    socket.send(Array(bytes[start..<min(start + size, bytes.count)]))
                }
                for number in 0..<5 {
                    #expect(try await socket.receive() == ["parameters": ["text": .string("\(number)")]])
                }
            }
        }
    }

    @Test func callsWaitInTheSocketForTheOneThatIsAnswered() async throws {
        try await TestService.serving { service, path in
            let socket = try RawSocket(path)
            socket.send(frame(#"{"method":"org.example.test.Wait"}"#))
            let echo = frame(#"{"method":"org.example.test.Echo","parameters":{"text":"a"}}"#)
            socket.send(Array([[UInt8]](repeating: echo, count: 500).joined()))
            try await eventually("the call waits") { await service.waitingCount == 1 }
            _ = try await RawSocket(path).call(#"{"method":"org.example.test.Release"}"#)
            #expect(try await socket.receive() == ["parameters": ["released": 1]])
            for _ in 0..<500 { #expect(try await socket.receive() == ["parameters": ["text": "a"]]) }
        }
    }

    /// Attack: a client sends any amount of data and stops writing. It stays in the socket, and is read when it is its
    /// turn.
    @Test func callsBeforeTheEndWaitInTheSocket() async throws {
        try await TestService.serving { service, path in
            let socket = try RawSocket(path)
            socket.send(frame(#"{"method":"org.example.test.Wait"}"#))
            let echo = frame(#"{"method":"org.example.test.Echo","parameters":{"text":"a"}}"#)
            socket.send(Array([[UInt8]](repeating: echo, count: 1500).joined()))
            shutdown(socket.descriptor, CInt(SHUT_WR))
            try await eventually("the call waits") { await service.waitingCount == 1 }
            _ = try await RawSocket(path).call(#"{"method":"org.example.test.Release"}"#)
            #expect(try await socket.receive() == ["parameters": ["released": 1]])
            for _ in 0..<1500 { #expect(try await socket.receive() == ["parameters": ["text": "a"]]) }
            #expect(try await socket.receive() == nil)
        }
    }

    /// Attack: a client's own long names are sent back to it, and kept while it does not read.
    @Test(arguments: [
        (#"{"method":"org.example.test.NAME"}"#, "method"), (#"{"method":"NAME.NAME"}"#, "interface"),
        (#"{"method":"org.example.test.Echo","parameters":{"text":"","NAME":1}}"#, "parameter"),
    ])
    func namesAreSentBackInPart(_ call: String, _ member: String) async throws {
        let name = String(repeating: "é", count: 10_000)
        try await TestService.serving { _, path in
            let reply = try await RawSocket(path).call(call.replacing("NAME", with: name))
            let echo = try #require(reply?["parameters"]?[member]?.string)
            #expect((63...64).contains(echo.utf8.count))
            #expect(echo.contains("é"))
        }
    }

    /// Attack: putting names into canonical order takes seconds, every time they are compared as Unicode text.
    @Test func combiningMarksCostNoMoreThanOtherLetters() async throws {
        let name = "a" + String(repeating: "\u{301}", count: 15_000) + String(repeating: "\u{316}", count: 15_000)
        let calls = [
            #"{"method":"\#(name).\#("x")"}"#, #"{"method":"org.example.test.\#(name)"}"#,
            #"{"method":"org.example.test.Echo","parameters":{"\#(name)":1}}"#,
            #"{"\#(name)":1,"method":"org.example.test.Echo"}"#,
            "{\"method\":\"org.example.test.Locate\",\"parameters\":{\"place\":{\"latitude\":1,\"longitude\":2},"
                + "\"level\":\"\(name)\",\"tags\":[],\"extra\":{}}}",
        ]
        try await TestService.serving { _, path in
            let socket = try RawSocket(path)
            // Each of these calls used to take a second and more.
            for call in Array(repeating: calls, count: 3).joined() {
                #expect(try await socket.call(call)?["error"]?.string?.hasPrefix("org.varlink.service.") == true)
            }
        }
    }

    @Test func closedForWriting() async throws {
        // As with `printf … | socat - UNIX:…`.
        try await TestService.serving { service, path in
            let socket = try RawSocket(path)
            socket.send(frame(#"{"method":"org.example.test.Wait"}"#))
            socket.send(frame(#"{"method":"org.example.test.Echo","parameters":{"text":"a"}}"#))
            shutdown(socket.descriptor, CInt(SHUT_WR))
            try await eventually("the call waits") { await service.waitingCount == 1 }
            _ = try await RawSocket(path).call(#"{"method":"org.example.test.Release"}"#)
            #expect(try await socket.receive() == ["parameters": ["released": 1]])
            #expect(try await socket.receive() == ["parameters": ["text": "a"]])
            #expect(try await socket.receive() == nil)
        }
    }
}
