import LocationModel
import NIOCore
import NIOEmbedded
import Publishing
import TestSupport
import Testing

@testable import LocationPublishCommand

/// The publisher with a server that refuses reports for good.
@Suite(.timeLimit(.minutes(15))) struct RefusalTests {
    private let scene: PublisherScene

    init() throws { scene = try PublisherScene() }

    private func refuse(_ number: Int64, _ connection: ScriptedServer.Connection) async throws {
        try await scene.run("report \(number)") { connection.tokens.contains(.report(number)) }
        connection.emit(.refused(.report(number), reason: "status 400"))
    }

    @Test func theOthersAreSent() async throws {
        try scene.fill(4)
        let running = try await scene.start()
        try await scene.emit(.authorized(.full), running)
        let connection = try await scene.accept(1)
        try await refuse(1, connection)
        try await scene.run("the third") { connection.tokens.contains(.report(3)) }
        try await scene.run("the report to be set aside") {
            running.store.count == 3 && running.store.refusedCount == 1
        }
        #expect(scene.logged.contains("refuses the report 1 (status 400): it is set aside"))
    }

    /// Attack: the server refuses everything. A week's queue is neither sent for nothing nor set aside report by report.
    @Test func aServerThatRefusesEverythingIsLeftAlone() async throws {
        try scene.fill(30)
        let running = try await scene.start()
        try await scene.emit(.authorized(.full), running)
        let connection = try await scene.accept(1)
        for number in 1...10 { try await refuse(Int64(number), connection) }
        try await scene.run("the end") { connection.isClosedGracefully == false }
        try await scene.run("the reports to be set aside") { running.store.refusedCount == 10 }
        #expect(running.store.count == 20)
        #expect(
            scene.logged.contains("refused 10 reports in a row (status 400), and accepted none; trying again in 900 s"))
        await scene.loop.advanceTime(by: .minutes(15) - .milliseconds(1))
        #expect(scene.server.connections.count == 1)
        await scene.loop.advanceTime(by: .milliseconds(1))
        // One more is enough to see that nothing has changed.
        let second = try await scene.accept(2)
        try await refuse(11, second)
        try await scene.run("the end") { second.isClosedGracefully == false }
        await scene.loop.advanceTime(by: .minutes(15))
        // Once the server accepts one, all are sent.
        let third = try await scene.accept(3)
        for number in 12...30 {
            try await scene.run("report \(number)") { third.tokens.contains(.report(Int64(number))) }
            third.emit(.acknowledged(.report(Int64(number))))
        }
        try await scene.run("an empty queue") { running.store.count == 0 && running.store.refusedCount == 11 }
    }

    /// Those that are accepted in between show that the server is right.
    @Test func manyThatAreRefusedAreNotAll() async throws {
        try scene.fill(40)
        let running = try await scene.start()
        try await scene.emit(.authorized(.full), running)
        let connection = try await scene.accept(1)
        for number in 1...40 {
            try await scene.run("report \(number)") { connection.tokens.contains(.report(Int64(number))) }
            let token = SendQueue.Token.report(Int64(number))
            connection.emit(number.isMultiple(of: 9) ? .acknowledged(token) : .refused(token, reason: "status 422"))
        }
        try await scene.run("an empty queue") { running.store.count == 0 && running.store.refusedCount == 36 }
        #expect(connection.isClosedGracefully == nil)
    }

    /// Attack: one report at which the server fails each time keeps all behind it in the queue.
    @Test func oneAtWhichTheServerFailsIsSetAside() async throws {
        try scene.fill(3)
        let running = try await scene.start()
        try await scene.emit(.authorized(.full), running)
        func fail(_ connection: ScriptedServer.Connection) async throws {
            try await scene.run("report 1") { connection.tokens.contains(.report(1)) }
            connection.emit(.failed(.report(1), reason: "the server fails with status 500"))
            connection.emit(.closed(reason: "the server fails with status 500"))
            let count = scene.server.connections.count
            while scene.server.connections.count == count { await scene.loop.advanceTime(by: .seconds(1)) }
        }
        for count in 1...10 { try await fail(scene.accept(count)) }
        let connection = try await scene.accept(11)
        try await scene.run("report 2") { connection.tokens == [.state, .report(2), .report(3)] }
        connection.emit(.acknowledged(.report(2)))
        try await fail(connection)
        try await scene.run("the report to be set aside") {
            running.store.count == 1 && running.store.refusedCount == 1
        }
        #expect(
            scene.logged.contains(
                "refuses the report 1 (the server fails with status 500 each time, and takes others): it is set aside"))
        let last = try await scene.accept(12)
        try await scene.run("report 3") { last.tokens.contains(.report(3)) }
    }
}
