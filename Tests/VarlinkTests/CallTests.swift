import Glibc
import NIOCore
import NIOPosix
import Testing
import Varlink

struct CallTests {
    @Test func echo() async throws {
        let service = TestService()
        await service.start()
        let path = "/tmp/vl-\(getpid())-\(UInt32.random(in: 0...UInt32.max))"
        try await service.listen(path: path)
        let client = try await VarlinkClient.connect(path: path, on: service.eventLoop)
        let reply: TestService.Text = try await client.call("org.example.test.Echo", TestService.Text(text: "hä\u{0}"))
        #expect(reply.text == "hä\u{0}")
        let stream = try client.stream(
            "org.example.test.Count", TestService.Limit(count: 3), of: TestService.Number.self)
        var numbers: [Int] = []
        for try await reply in stream { numbers.append(reply.number) }
        #expect(numbers == [1, 2, 3])
        await #expect(throws: VarlinkError.permissionDenied) {
            let _: NoParameters = try await client.call("org.example.test.Forbidden")
        }
        try await service.stop()
    }
}
