import NIOCore
import NIOPosix
import TestSupport
import Testing

@testable import Varlink

/// A service with types as its methods.
@Suite(.timeLimit(.minutes(15)))
struct TypedCallTests {
    private enum Weather: VarlinkInterface {
        typealias Failure = WeatherFailure
        static let name = "org.example.weather"
        static let definition = """
            interface org.example.weather
            method Forecast(days: int) -> (text: string)
            method Watch() -> (degrees: int)
            error NoForecast (days: int)
            """
    }

    private enum WeatherFailure: VarlinkFailure {
        typealias Interface = Weather
        case noForecast(days: Int)
    }

    private enum Forecast: VarlinkMethod {
        typealias Interface = Weather
        struct Parameters: Codable, Sendable { var days: Int }
        struct Reply: Codable, Sendable, Equatable { var text: String }
    }

    private enum Watch: VarlinkMethod {
        typealias Interface = Weather
        typealias Parameters = Nothing
        struct Reply: Codable, Sendable, Equatable { var degrees: Int }
        static let requiresMore = true
    }

    /// Serves the interface, and runs `body` with a client.
    private func withClient(_ body: (VarlinkClient) async throws -> Void) async throws {
        let folder = try TemporaryFolder()
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let server = try await loop.submit {
            let rows: [MethodHandler<Weather>] = [
                .init(Forecast.self) { call, request in
                    guard request.days <= 7 else { return call.fail(.noForecast(days: request.days)) }
                    call.reply(Forecast.Reply(text: "rain"))
                },
                .init(Watch.self) { call, _ in
                    call.send(Watch.Reply(degrees: 7))
                    if let encoded = try? EncodedReply<Watch>(.init(degrees: 8), continues: false) {
                        call.reply(encoded)
                    }
                    // The call has ended, so the closure runs immediately.
                    var isTold = false
                    call.whenEnded { isTold = true }
                    precondition(isTold && call.isEnded)
                },
            ]
            let service = VarlinkService(
                vendor: "", product: "", version: "", url: "", interfaces: [try VarlinkService.Interface(rows)])
            return NIOLoopBound(VarlinkServer(service: service, on: loop), eventLoop: loop)
        }.get()
        let path = folder.path + "/weather"
        try await loop.flatSubmit {
            do { return try server.value.listen(path: path, mode: 0o600) } catch { return loop.makeFailedFuture(error) }
        }.get()
        let client = try await VarlinkClient.connect(path: path, on: loop)
        do { try await body(client) } catch {
            try await loop.flatSubmit { server.value.close() }.get()
            throw error
        }
        client.close()
        try await loop.flatSubmit { server.value.close() }.get()
    }

    @Test func aCallIsAnsweredWithItsReply() async throws {
        try await withClient { client in
            let reply = try await client.call(
                Forecast.qualifiedName, Forecast.Parameters(days: 3), returning: Forecast.Reply.self)
            #expect(reply.text == "rain")
        }
    }

    @Test func aFailureHasItsFields() async throws {
        try await withClient { client in
            let error = await #expect(throws: VarlinkError.self) {
                _ = try await client.call(
                    Forecast.qualifiedName, Forecast.Parameters(days: 8), returning: Forecast.Reply.self)
            }
            #expect(error?.name == "org.example.weather.NoForecast")
            #expect(error.flatMap(WeatherFailure.init) == .noForecast(days: 8))
        }
    }

    @Test func aMethodThatRepliesAgainAndAgainNeedsMore() async throws {
        try await withClient { client in
            await #expect(throws: VarlinkError.expectedMore) {
                _ = try await client.call(Watch.qualifiedName, returning: Watch.Reply.self)
            }
            var degrees: [Int] = []
            for try await reply in try client.stream(Watch.qualifiedName, of: Watch.Reply.self) {
                degrees.append(reply.degrees)
            }
            #expect(degrees == [7, 8])
        }
    }
}
