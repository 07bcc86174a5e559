import GRDB
import LocationModel
import NIOCore
import NIOEmbedded
import Publishing
import TestSupport
import Testing

@testable import LocationPublishCommand

/// Decisions and the queue while location services are off.
@Suite(.timeLimit(.minutes(15))) struct PublisherSwitchTests {
    private let scene: PublisherScene

    init() throws { scene = try PublisherScene() }

    /// Starts a publisher that is sending a queue of nine reports. Returns its first connection.
    private func sending(
        sendsWhileDisabled: Bool = false
    ) async throws -> (PublisherScene.Running, ScriptedServer.Connection) {
        let running = try await scene.start(sendsWhileDisabled: sendsWhileDisabled)
        try await scene.emit(.authorized(.full), running)
        let connection = try await scene.accept(1)
        for second in 1...9 { try await scene.emit(.report(Samples.report(Double(second))), running) }
        try await scene.run("the reports") { running.store.count == 9 && connection.tokens.contains(.report(2)) }
        return (running, connection)
    }

    @Test func nothingLeavesWhileServicesAreOff() async throws {
        let (running, connection) = try await sending()
        try await scene.emit(.authorized(.full, servicesEnabled: false), running)
        #expect(connection.isClosedGracefully == false)
        let sent = connection.sent.count
        await scene.loop.advanceTime(by: .hours(1))
        #expect(scene.server.connections.count == 1 && connection.sent.count == sent)
        #expect(running.store.count == 9)
        // On again, all of it goes.
        try await scene.emit(.authorized(.full), running)
        let second = try await scene.accept(2)
        try await scene.run("the reports") { second.tokens == [.state, .report(1), .report(2)] }
    }

    @Test func theRestIsSentIfTheConfigurationSaysSo() async throws {
        let (running, connection) = try await sending(sendsWhileDisabled: true)
        try await scene.emit(.authorized(.full, servicesEnabled: false), running)
        #expect(connection.isClosedGracefully == nil)
        connection.emit(.acknowledged(.report(1)))
        try await scene.run("the next report") { connection.tokens.contains(.report(3)) }
    }

    /// Attack: the user switches location services off, then revokes the grant, and what was collected is sent.
    @Test(arguments: [false, true]) func aDenialWhileServicesAreOffEmptiesTheQueue(sends: Bool) async throws {
        let (running, connection) = try await sending(sendsWhileDisabled: sends)
        try await scene.emit(.authorized(.full, servicesEnabled: false), running)
        try await scene.emit(.denied, running)
        try await scene.run("an empty queue") { running.store.count == 0 }
        #expect(connection.isClosedGracefully == false)
        await scene.loop.advanceTime(by: .hours(1))
        #expect(scene.server.connections.count == 1)
        // The queue is empty before the loop learns of it.
        try await scene.run("the line of the log") { scene.logged.contains("the queue is emptied") }
    }

    /// Attack: the same with a reset.
    @Test func aResetWhileServicesAreOffEndsTheSending() async throws {
        let (running, connection) = try await sending(sendsWhileDisabled: true)
        try await scene.emit(.authorized(.full, servicesEnabled: false), running)
        try await scene.emit(.undecided, running)
        #expect(connection.isClosedGracefully == false)
        await scene.loop.advanceTime(by: .hours(1))
        #expect(scene.server.connections.count == 1 && running.store.count == 9)
    }

    /// Attack: the same with reduced accuracy, and the server still gets where the device exactly was.
    @Test(arguments: [false, true]) func aReductionWhileServicesAreOffHoldsForWhatWaits(sends: Bool) async throws {
        let (running, connection) = try await sending(sendsWhileDisabled: sends)
        try await scene.emit(.authorized(.full, servicesEnabled: false), running)
        try await scene.emit(.authorized(.reduced, servicesEnabled: false), running)
        #expect(connection.isClosedGracefully == false)
        try await scene.run("an empty queue") { running.store.count == 0 }
    }

    /// A full disk is not an emptied queue.
    @Test func theLogDoesNotSayThatAQueueIsEmptiedWhichIsNot() async throws {
        let (running, _) = try await sending()
        try await running.store.database.write { try $0.execute(sql: "PRAGMA query_only = 1") }
        try await scene.emit(.denied, running)
        try await scene.run("a line in the log") {
            scene.logged.contains("the reports to delete are still on the disk, and will not be sent")
        }
        #expect(!scene.logged.contains("the queue is emptied"))
        try await running.store.database.writeWithoutTransaction { try $0.execute(sql: "PRAGMA query_only = 0") }
        await scene.loop.advanceTime(by: .seconds(10))
        try await scene.run("an empty queue") {
            running.store.count == 0 && scene.logged.contains("the queue is emptied")
        }
    }
}
