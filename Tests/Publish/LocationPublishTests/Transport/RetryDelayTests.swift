import LocationModel
import NIOCore
import NIOEmbedded
import Publishing
import TestSupport
import Testing

@testable import LocationPublishCommand

/// The delay before a connection is made again.
@Suite(.timeLimit(.minutes(15))) struct RetryDelayTests {
    private let scene: PublisherScene

    init() throws { scene = try PublisherScene() }

    private var lines: [Substring] { scene.logged.split(separator: "\n") }

    /// Two publishers with the name of one device end each other's connections, after a report or two each time. That
    /// is no reason to connect once a second for ever, nor to fill the log.
    @Test func aConnectionThatIsTakenOverIsMadeAgainEverMoreSlowly() async throws {
        let running = try await scene.start()
        try await scene.emit(.authorized(.full), running)
        for (index, delay) in [1, 2, 4, 8, 16, 32, 60, 60].enumerated() {
            let connection = try await scene.accept(index + 1)
            try await scene.emit(.report(Samples.report(Double(index + 1))), running)
            try await scene.run("the report") { connection.tokens.contains(.report(Int64(index + 1))) }
            for token in connection.tokens { connection.emit(.acknowledged(token)) }
            // For as long as the other one waits.
            await scene.loop.advanceTime(by: .seconds(Int64(delay)))
            connection.emit(.closed(reason: "another client is locationd-van now"))
            await scene.loop.run()
            await scene.loop.advanceTime(by: .seconds(Int64(delay)) - .milliseconds(1))
            #expect(scene.server.connections.count == index + 1)
            await scene.loop.advanceTime(by: .milliseconds(1))
        }
        #expect(lines.count { $0.contains("another client") } == 1)
        #expect(lines.count { $0.contains("connected to") } == 1)
        // One that lasts is good, and the next delay is short.
        let connection = try await scene.accept(9)
        await scene.loop.advanceTime(by: .seconds(90))
        #expect(lines.count { $0.contains("connected to") } == 2)
        connection.emit(.closed(reason: "another client is locationd-van now"))
        await scene.loop.run()
        await scene.loop.advanceTime(by: .seconds(1))
        _ = try await scene.accept(10)
        #expect(lines.count { $0.contains("another client") } == 2)
    }

    /// A server that asks to be left alone is, also if the user switches location services off and on in between.
    @Test func aPauseThatTheServerAsksForIsKept() async throws {
        let running = try await scene.start()
        try await scene.emit(.authorized(.full), running)
        let connection = try await scene.accept(1)
        connection.emit(.closed(reason: "the server asks to be left alone (status 429)", pause: .seconds(120)))
        try await scene.run("a line in the log") {
            lines.contains { $0.hasSuffix("asks to be left alone (status 429); trying again in 120 s") }
        }
        try await scene.emit(.authorized(.full, servicesEnabled: false), running)
        try await scene.emit(.authorized(.full), running)
        await scene.loop.advanceTime(by: .seconds(119))
        #expect(scene.server.connections.count == 1)
        await scene.loop.advanceTime(by: .seconds(1))
        _ = try await scene.accept(2)
    }

    /// A pause is a lower bound: a server that asks for none after each failure is not asked once a second for ever.
    @Test func aShortPauseDoesNotShortenTheDelay() async throws {
        let running = try await scene.start()
        try await scene.emit(.authorized(.full), running)
        for (index, delay) in [1, 2, 4, 8].enumerated() {
            let connection = try await scene.accept(index + 1)
            connection.emit(.closed(reason: "the server fails with status 503", pause: .zero))
            await scene.loop.run()
            await scene.loop.advanceTime(by: .seconds(Int64(delay)) - .milliseconds(1))
            #expect(scene.server.connections.count == index + 1)
            await scene.loop.advanceTime(by: .milliseconds(1))
        }
    }
}
