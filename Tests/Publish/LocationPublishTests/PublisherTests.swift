import Foundation
import LocationModel
import NIOConcurrencyHelpers
import NIOCore
import NIOEmbedded
import Publishing
import TestSupport
import Testing

@testable import LocationPublishCommand

/// The publisher with a scripted server, and a clock that moves when the test says so.
@Suite(.timeLimit(.minutes(15))) struct PublisherTests {
    private let scene: PublisherScene

    init() throws { scene = try PublisherScene() }

    @Test func nothingIsSentBeforeLocationdHasSaidSo() async throws {
        let running = try await scene.start()
        try await scene.emit(.report(Samples.report(1)), running)
        try await scene.run("the report") { running.store.count == 1 }
        await scene.loop.advanceTime(by: .hours(1))
        #expect(scene.server.connections.count == 0)
        try await scene.emit(.authorized(.full), running)
        let connection = try await scene.accept(1)
        try await scene.run("the report") { connection.tokens == [.state, .report(1)] }
    }

    @Test func whatIsAcknowledgedIsDeleted() async throws {
        let running = try await scene.start()
        try await scene.emit(.authorized(.full), running)
        let connection = try await scene.accept(1)
        for second in 1...3 { try await scene.emit(.report(Samples.report(Double(second))), running) }
        try await scene.run("two reports") { connection.tokens.filter { $0 != .state } == [.report(1), .report(2)] }
        connection.emit(.acknowledged(.report(1)))
        try await scene.run("the third") { connection.tokens.last == .report(3) && running.store.count == 2 }
        #expect(try running.store.read(after: 0, count: 9).entries.map(\.identity.number) == [2, 3])
    }

    @Test func whatIsRefusedIsSentAgain() async throws {
        let running = try await scene.start()
        try await scene.emit(.authorized(.full), running)
        let first = try await scene.accept(1)
        try await scene.emit(.report(Samples.report(1)), running)
        try await scene.run("the report") { first.tokens == [.state, .report(1)] }
        first.emit(.closed(reason: "the broker refuses a message"))
        try await scene.run("a line in the log") {
            scene.logged.contains("no connection to mqtt://broker:1883: the broker refuses a message")
        }
        #expect(running.store.count == 1)
        await scene.loop.advanceTime(by: .seconds(1))
        let second = try await scene.accept(2)
        try await scene.run("the report again") { second.tokens == [.state, .report(1)] }
        #expect(second.sent.last?.identity == first.sent.last?.identity)
    }

    /// 1 s, 2 s, 4 s ... 60 s, for ever; one line in the log.
    @Test func theDelaysGrow() async throws {
        let running = try await scene.start()
        try await scene.emit(.authorized(.full), running)
        for (index, delay) in [1, 2, 4, 8, 16, 32, 60, 60, 60].enumerated() {
            try await scene.run("connection \(index + 1)") { scene.server.connections.count == index + 1 }
            scene.server.connections[index].emit(.closed(reason: "Connection refused"))
            await scene.loop.run()
            await scene.loop.advanceTime(by: .seconds(Int64(delay)) - .milliseconds(1))
            #expect(scene.server.connections.count == index + 1)
            await scene.loop.advanceTime(by: .milliseconds(1))
        }
        #expect(scene.logged.split(separator: "\n").count { $0.contains("Connection refused") } == 1)
    }

    @Test func aServerThatDoesNotAccept() async throws {
        let running = try await scene.start()
        try await scene.emit(.authorized(.full), running)
        try await scene.run("a connection") { scene.server.connections.count == 1 }
        await scene.loop.advanceTime(by: .seconds(30))
        #expect(scene.server.connections[0].isClosedGracefully == false)
        #expect(scene.logged.contains("has not accepted the connection for 30 s"))
    }

    @Test func aServerThatAcknowledgesNothing() async throws {
        let running = try await scene.start()
        try await scene.emit(.authorized(.full), running)
        let connection = try await scene.accept(1)
        // Nothing is on its way: nothing has to be acknowledged.
        await scene.loop.advanceTime(by: .hours(1))
        #expect(connection.isClosedGracefully == nil)
        for second in 1...2 { try await scene.emit(.report(Samples.report(Double(second))), running) }
        try await scene.run("the reports") { connection.tokens.contains(.report(2)) }
        await scene.loop.advanceTime(by: .seconds(29))
        connection.emit(.acknowledged(.report(1)))
        await scene.loop.run()
        await scene.loop.advanceTime(by: .seconds(29))
        #expect(connection.isClosedGracefully == nil)
        await scene.loop.advanceTime(by: .seconds(1))
        #expect(connection.isClosedGracefully == false)
        #expect(scene.logged.contains("has acknowledged nothing for 30 s"))
    }

    @Test func aDenialEmptiesTheQueue() async throws {
        let running = try await scene.start()
        try await scene.emit(.authorized(.full), running)
        let connection = try await scene.accept(1)
        for second in 1...9 { try await scene.emit(.report(Samples.report(Double(second))), running) }
        try await scene.run("the reports") { running.store.count == 9 }
        try await scene.emit(.denied, running)
        try await scene.run("an empty queue") { running.store.count == 0 }
        // At once: a goodbye would wait for what was sent before it.
        #expect(connection.isClosedGracefully == false)
        await scene.loop.advanceTime(by: .hours(1))
        #expect(scene.server.connections.count == 1)
        // Granted again, with numbers that were not used before.
        try await scene.emit(.authorized(.full), running)
        let second = try await scene.accept(2)
        try await scene.emit(.report(Samples.report(10)), running)
        try await scene.run("the report") { second.tokens == [.state, .report(10)] }
    }

    /// Revoked while 10,000 wait, some of them on their way and more being read: nothing leaves after that, and neither
    /// the database nor its journal has a position.
    @Test func aDenialWhileManyWait() async throws {
        try scene.fill(10_000)
        let running = try await scene.start()
        #expect(running.store.count == 10_000)
        try await scene.emit(.authorized(.full), running)
        let connection = try await scene.accept(1)
        try await scene.run("some reports") { connection.tokens.contains(.report(2)) }
        for number in 1...20 { connection.emit(.acknowledged(.report(Int64(number)))) }
        try await scene.emit(.denied, running)
        let sent = connection.sent.count
        // The reports are counted out of the queue first, and removed from its files then.
        try await scene.run("an empty queue that leaves no trace") { [folder = scene.folder] in
            guard running.store.count == 0 else { return false }
            return try FileManager.default.contentsOfDirectory(atPath: folder.path).allSatisfy { name in
                try Data(contentsOf: URL(filePath: "\(folder.path)/\(name)")).range(of: Data("47.25".utf8)) == nil
            }
        }
        #expect(connection.sent.count == sent)
        #expect(connection.isClosedGracefully == false)
    }

    /// The decision was reset or has ended: what was collected waits for the next one.
    @Test func withoutADecisionNothingIsSent() async throws {
        let running = try await scene.start()
        try await scene.emit(.authorized(.full), running)
        let connection = try await scene.accept(1)
        for second in 1...9 { try await scene.emit(.report(Samples.report(Double(second))), running) }
        try await scene.run("the reports") { running.store.count == 9 }
        try await scene.emit(.undecided, running)
        #expect(connection.isClosedGracefully == false)
        let sent = connection.sent.count
        await scene.loop.advanceTime(by: .hours(1))
        #expect(scene.server.connections.count == 1)
        #expect(connection.sent.count == sent)
        try await scene.emit(.authorized(.full), running)
        let second = try await scene.accept(2)
        try await scene.run("the reports") { second.tokens == [.state, .report(1), .report(2)] }
    }

    /// Attack: the user reduces the accuracy, and the server still gets where the device exactly was.
    @Test func reducedAccuracyHoldsForWhatWaits() async throws {
        let running = try await scene.start()
        try await scene.emit(.authorized(.full), running)
        let connection = try await scene.accept(1)
        for second in 1...5 { try await scene.emit(.report(Samples.report(Double(second))), running) }
        try await scene.run("the reports") { running.store.count == 5 }
        try await scene.emit(.authorized(.reduced), running)
        #expect(connection.isClosedGracefully == false)
        try await scene.emit(.report(Samples.reduced(6)), running)
        try await scene.run("what may be sent") { running.store.count == 1 }
        await scene.loop.advanceTime(by: .seconds(1))
        let second = try await scene.accept(2)
        try await scene.run("the reduced report") { second.tokens == [.state, .report(6)] }
        #expect(second.sent.filter { $0.identity != nil }.allSatisfy { $0.identity?.number == 6 })
    }

    /// The accuracy was reduced while the publisher did not run.
    @Test func reducedAccuracyHoldsForWhatAnEarlierRunHasLeft() async throws {
        try scene.fill(5)
        let running = try await scene.start()
        try await scene.emit(.authorized(.reduced), running)
        let connection = try await scene.accept(1)
        try await scene.emit(.report(Samples.reduced(1006)), running)
        try await scene.run("the reduced report") { connection.tokens == [.state, .report(6)] }
        #expect(running.store.count == 1)
    }

    /// Attack: whoever holds up the connection, and lets it go on after the revocation, gets nothing for it.
    @Test func aConnectionThatIsAcceptedAfterADenial() async throws {
        let running = try await scene.start()
        try await scene.emit(.report(Samples.report(1)), running)
        try await scene.emit(.authorized(.full), running)
        try await scene.run("a connection") { scene.server.connections.count == 1 }
        let connection = scene.server.connections[0]
        try await scene.loop.executeInContext {
            // On its way to the loop while the revocation is handled.
            connection.accept()
            running.source.value.emit(.denied)
        }
        try await scene.run("an empty queue") { running.store.count == 0 }
        #expect(connection.sent.isEmpty)
    }

    @Test func stoppingWritesWhatIsLeft() async throws {
        let running = try await scene.start()
        try await scene.emit(.authorized(.full), running)
        let connection = try await scene.accept(1)
        try await scene.emit(.report(Samples.report(1)), running)
        try await scene.run("the report") { connection.tokens.contains(.report(1)) }
        connection.emit(.acknowledged(.report(1)))
        let end = try await scene.loop.executeInContext { running.publisher.value.stop() }
        let hasEnded = NIOLockedValueBox(false)
        end.whenComplete { _ in hasEnded.withLockedValue { $0 = true } }
        try await scene.run("the end") { hasEnded.withLockedValue { $0 } }
        #expect(connection.isClosedGracefully == true)
        #expect(running.store.count == 0)
    }

    /// The disk is at work for a publisher that is gone: what is done first comes back before the second is written.
    @Test(arguments: [false, true]) func aWriteMayOutlastThePublisher(isDenied: Bool) async throws {
        let store = try await scene.start { _, source, store in
            source.emit(isDenied ? .denied : .report(Samples.report(1)))
            source.emit(.report(Samples.report(2)))
            return store
        }
        try await scene.run("the second report") {
            try store.read(after: 0, count: 9).entries.last?.report.location.timestamp == Samples.time(2)
        }
    }

    /// The same location, after a restart of the daemon.
    @Test func aLocationThatWasThereBefore() async throws {
        let running = try await scene.start()
        for second in [1.0, 2, 2, 1.5, 3] { try await scene.emit(.report(Samples.report(second)), running) }
        try await scene.run("the reports") { running.store.count == 3 }
        let numbers = try running.store.read(after: 0, count: 9).entries.map(\.report.location.timestamp)
        #expect(numbers == [Samples.time(1), Samples.time(2), Samples.time(3)])
    }
}
