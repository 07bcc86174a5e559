import AuthorizationPolicy
import GRDB
import LocationModel
import Logging
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import TestSupport
import Testing

@testable import LocationCore

/// The order in which monitoring changes and decisions reach the disk, with the real SQLite.
@Suite struct MonitoringWriterTests {
    private let loop = MultiThreadedEventLoopGroup.singleton.next()
    private let temporary: TemporaryFolder
    private var path: String { temporary.path + "/locationd.db" }
    private let maps = AppKey(uid: 1000, app: AppIdentity("app:org.gnome.Maps")!)

    init() throws {
        temporary = try TemporaryFolder()
    }

    private func put(_ identifier: String, latitude: Double = 1) -> MonitoringChange {
        let region = CircularRegion(identifier: identifier, latitude: latitude, longitude: 2, radius: 3)
        let then = Timestamp(millisecondsSince1970: 1_800_000_000_000)
        return .putRegion(RegionRecord(app: maps, region: .circle(region), wake: nil, since: then, state: .unknown))
    }

    private func writer(_ store: Store) async throws -> NIOLoopBound<MonitoringWriter> {
        try await loop.submit {
            let log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            return NIOLoopBound(MonitoringWriter(store, on: loop, log: log), eventLoop: loop)
        }.get()
    }

    /// Attack: an app has any number of changes on their way to the disk before a user's decision.
    @Test func aDecisionWaitsForOneBatchAtMost() async throws {
        let store = Store(path: path, timestamp: "then", busyTimeout: 3600)
        let writer = try await writer(store)
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let other = try DatabaseQueue(path: path, configuration: configuration)
        try await other.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
        let order = NIOLockedValueBox<[String]>([])
        @Sendable func note(_ what: String, _ future: EventLoopFuture<Void>) -> EventLoopFuture<Void> {
            future.map { order.withLockedValue { $0.append(what) } }
        }
        // The first batch is on the store's thread and waits for the lock.
        let first = try await loop.submit { note("batch", writer.value.writing(put("first"))) }.get()
        let others = try await loop.submit {
            (0..<100).map { number in note("region", writer.value.writing(put("\(number)"))) }
        }.get()
        let decision = note("decision", store.record(Decision(level: .always, accuracy: .full), about: maps, on: loop))
        #expect(order.withLockedValue { $0 } == [])
        try await other.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
        for future in [first, decision] + others { try await future.get() }
        #expect(order.withLockedValue { $0 } == ["batch", "decision"] + Array(repeating: "region", count: 100))
        try other.close()
    }

    @Test func oneThatCannotBeWrittenDoesNotTakeTheOthersAlong() async throws {
        let store = Store(path: path, timestamp: "then")
        let writer = try await writer(store)
        let (before, bad, after) = try await loop.submit {
            (
                writer.value.writing(put("before")), writer.value.writing(put("bad", latitude: .nan)),
                writer.value.writing(put("after"))
            )
        }.get()
        try await before.get()
        await #expect(throws: Store.Failure.self) { try await bad.get() }
        try await after.get()
        #expect(store.loadMonitoring().records.regions.map(\.region.identifier) == ["after", "before"])
    }

    @Test func whatIsLeftIsWrittenAtTheEnd() async throws {
        let store = Store(path: path, timestamp: "then")
        let writer = try await writer(store)
        try await loop.flatSubmit {
            for number in 0..<100 { writer.value.write(put("\(number)")) }
            return writer.value.flush()
        }.get()
        #expect(store.loadMonitoring().records.regions.count == 100)
        try await loop.flatSubmit { writer.value.flush() }.get()
    }

    @Test func aCallIsAnsweredWhenItCannotBeWritten() async throws {
        let store = Store(path: temporary.path + "/missing/locationd.db", timestamp: "then")
        let writer = try await writer(store)
        await #expect(throws: Store.Failure.self) {
            try await loop.flatSubmit { writer.value.writing(put("home")) }.get()
        }
        try await loop.flatSubmit { writer.value.settled(put("home").key) }.get()
    }
}
