import Foundation
import GRDB
import LocationModel
import Logging
import NIOCore
import NIOEmbedded
import TestSupport
import Testing

@testable import LocationCore

/// The counts of the access log, their writes and its entries, in virtual time on a real database.
@Suite struct AccessLogTests {
    private let loop = NIOAsyncTestingEventLoop()
    private let folder: TemporaryFolder
    private let maps = AppKey(uid: 1000, app: AppIdentity("app:org.gnome.Maps")!)
    private let other = AppKey(uid: 1001, app: AppIdentity("exe:/usr/bin/other")!)
    /// The beginning of an hour, in seconds since 1970.
    private static let begin: Int64 = 1_800_000_000

    init() throws {
        folder = try TemporaryFolder()
        try #require(Self.begin % 3600 == 0)
    }

    /// A log and the clock that it reads. Confined to the loop.
    private final class Surroundings {
        var seconds: Int64
        var log: AccessLog!
        let synchronization: Synchronization
        var now: Timestamp { Timestamp(millisecondsSince1970: seconds * 1000) }

        init(_ store: Store, at seconds: Int64, isSynchronized: Bool, on loop: any EventLoop) {
            self.seconds = seconds
            synchronization = Synchronization(isSynchronized: isSynchronized)
            let retention = RetentionTime(reached: store.loadReached(), on: loop) { [unowned self] in now }
            retention.synchronization = synchronization
            log = AccessLog(
                store: store, on: loop, retention: retention,
                log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        }
    }

    private var path: String { folder.path + "/locationd.db" }

    /// A clock whose synchronization the test decides.
    private final class Synchronization: ClockSynchronization {
        let isSynchronized: Bool
        init(isSynchronized: Bool) { self.isSynchronized = isSynchronized }
    }

    /// Returns a log that starts at a time, in seconds since the beginning.
    private func surroundings(
        _ store: Store? = nil, at seconds: Int64 = 0, isSynchronized: Bool = true
    ) async throws -> NIOLoopBound<Surroundings> {
        let store = store ?? Store(path: path, timestamp: "then")
        return try await loop.executeInContext {
            NIOLoopBound(
                Surroundings(store, at: Self.begin + seconds, isSynchronized: isSynchronized, on: loop), eventLoop: loop
            )
        }
    }

    private func count(
        _ deliveries: Int, _ app: AppKey, _ accuracy: AccuracyAuthorization = .full, inBackground: Bool = false,
        at seconds: Int64? = nil, in surroundings: NIOLoopBound<Surroundings>
    ) async throws {
        try await loop.executeInContext {
            if let seconds { surroundings.value.seconds = Self.begin + seconds }
            surroundings.value.log.count(
                deliveries, to: app, accuracy: accuracy, inBackground: inBackground, at: surroundings.value.now)
        }
    }

    private func entries(
        of uid: UInt32? = nil, _ surroundings: NIOLoopBound<Surroundings>
    ) async throws -> [AccessLogEntry] {
        try await loop.executeInContext { surroundings.value.log.entries(of: uid) }.get()
    }

    private func flush(_ surroundings: NIOLoopBound<Surroundings>) async throws {
        try await loop.executeInContext { surroundings.value.log.flush() }.get()
    }

    private func isWritingDue(_ surroundings: NIOLoopBound<Surroundings>) async throws -> Bool {
        try await loop.executeInContext { surroundings.value.log.isWritingDue }
    }

    private func entry(
        _ app: AppKey, hours: Int64 = 0, _ deliveries: Int, _ accuracy: AccuracyAuthorization = .full,
        background: Bool = false
    ) -> AccessLogEntry {
        let hour = Timestamp(millisecondsSince1970: (Self.begin + hours * 3600) * 1000)
        return AccessLogEntry(
            key: app, hour: hour, deliveries: deliveries, accuracy: accuracy, background: background)
    }

    /// Returns the counts in the file, as they would be after `kill -9`.
    private func deliveriesOnDisk() throws -> [Int] {
        try Store.behindItsBack(path) {
            try Int.fetchAll($0, sql: "SELECT deliveries FROM accessLog ORDER BY hour, uid")
        }
    }

    /// The stored time that was reached, as another daemon would read it.
    private var reachedOnDisk: Timestamp? { Store(path: path, timestamp: "then").loadReached() }

    private func time(_ seconds: Int64) -> Timestamp {
        Timestamp(millisecondsSince1970: (Self.begin + seconds) * 1000)
    }

    private func change(_ sql: String) throws { try Store.behindItsBack(path) { try $0.execute(sql: sql) } }

    // MARK: Writes

    @Test func aMinuteAfterTheFirstCount() async throws {
        let surroundings = try await surroundings()
        #expect(try await !isWritingDue(surroundings))
        for second in 0..<50 { try await count(2, maps, at: Int64(second), in: surroundings) }
        await loop.advanceTime(by: .seconds(59))
        #expect(try deliveriesOnDisk().isEmpty)
        #expect(try await entries(surroundings) == [entry(maps, 100)])
        await loop.advanceTime(by: .seconds(1))
        #expect(try await !isWritingDue(surroundings))
        try await flush(surroundings)
        #expect(try deliveriesOnDisk() == [100])

        // Further deliveries are added to these.
        try await count(1, maps, at: 60, in: surroundings)
        #expect(try await entries(surroundings) == [entry(maps, 101)])
        try await flush(surroundings)
        #expect(try deliveriesOnDisk() == [101])
        #expect(try await entries(surroundings) == [entry(maps, 101)])
        #expect(try await !isWritingDue(surroundings))
    }

    @Test func atTheEndOfTheHour() async throws {
        let surroundings = try await surroundings()
        try await count(1, maps, at: 3590, in: surroundings)
        await loop.advanceTime(by: .seconds(9))
        #expect(try await isWritingDue(surroundings))
        await loop.advanceTime(by: .seconds(1))
        #expect(try await !isWritingDue(surroundings))
        try await count(2, maps, at: 3600, in: surroundings)
        try await flush(surroundings)
        #expect(try deliveriesOnDisk() == [1, 2])
    }

    @Test func nothingIsCountedOfNothing() async throws {
        let surroundings = try await surroundings()
        try await count(0, maps, in: surroundings)
        #expect(try await !isWritingDue(surroundings))
        #expect(try await entries(surroundings) == [])
    }

    /// A new daemon goes on counting in the hour that has begun.
    @Test func anotherDaemonGoesOn() async throws {
        let first = try await surroundings()
        try await count(3, maps, at: 10, in: first)
        try await flush(first)
        let second = try await surroundings()
        try await count(4, maps, at: 20, in: second)
        #expect(try await entries(second) == [entry(maps, 7)])
        try await flush(second)
        #expect(try deliveriesOnDisk() == [7])
        let uses = Store(path: path, timestamp: "then").lastUses(since: Timestamp(millisecondsSince1970: 0))
        #expect(uses.map(\.tally.lastDelivery.millisecondsSince1970) == [(Self.begin + 20) * 1000])
    }

    /// If the clock is set back and an hour comes again, it is the same hour, and its last delivery stays the latest
    /// one.
    @Test func theClockIsSetBack() async throws {
        let surroundings = try await surroundings()
        try await count(1, maps, at: 3700, in: surroundings)
        try await count(1, maps, at: 100, in: surroundings)
        try await count(1, maps, at: 3650, in: surroundings)
        try await flush(surroundings)
        #expect(try await entries(surroundings) == [entry(maps, hours: 1, 2), entry(maps, 1)])
        let uses = Store(path: path, timestamp: "then").lastUses(since: Timestamp(millisecondsSince1970: 0))
        #expect(uses.map(\.tally.lastDelivery.millisecondsSince1970) == [(Self.begin + 3700) * 1000])
    }

    // MARK: Entries

    @Test func eachKindByItselfTheLatestFirst() async throws {
        let surroundings = try await surroundings()
        try await count(1, maps, in: surroundings)
        try await count(2, maps, inBackground: true, in: surroundings)
        try await count(3, maps, .reduced, in: surroundings)
        try await count(4, other, in: surroundings)
        try await flush(surroundings)
        try await count(5, maps, at: 3600, in: surroundings)
        let first = [entry(maps, 1), entry(maps, 2, background: true), entry(maps, 3, .reduced)]
        let all = [entry(maps, hours: 1, 5)] + first + [entry(other, 4)]
        #expect(try await entries(surroundings) == all)
        #expect(try await entries(of: 1000, surroundings) == [entry(maps, hours: 1, 5)] + first)
        #expect(try await entries(of: 1001, surroundings) == [entry(other, 4)])
        #expect(try await entries(of: 1002, surroundings) == [])
    }

    @Test func thirtyDays() async throws {
        let surroundings = try await surroundings()
        try await count(1, maps, in: surroundings)
        try await count(2, maps, at: 3600, in: surroundings)
        try await flush(surroundings)
        let days: Int64 = 30 * 86_400
        try await loop.executeInContext { surroundings.value.seconds = Self.begin + days }
        #expect(try await entries(surroundings).count == 2)
        try await loop.executeInContext { surroundings.value.seconds += 1 }
        #expect(try await entries(surroundings) == [entry(maps, hours: 1, 2)])
        // The next write erases it.
        try await count(3, maps, in: surroundings)
        try await flush(surroundings)
        #expect(try deliveriesOnDisk() == [2, 3])
    }

    @Test func whatIsTooOldIsErasedAtTheStart() async throws {
        let first = try await surroundings()
        try await count(1, maps, at: -30 * 86_400 - 3600, in: first)
        try await count(2, maps, at: -30 * 86_400, in: first)
        try await flush(first)
        #expect(try deliveriesOnDisk() == [1, 2])
        try await flush(try await surroundings())
        #expect(try deliveriesOnDisk() == [2])
    }

    /// Deliveries to an app with streams are counted without a search for its row. The counts are the same.
    @Test func whatIsCountedForAConnectedAppIsTheSame() async throws {
        let surroundings = try await surroundings()
        try await loop.executeInContext {
            let (log, count) = (surroundings.value.log!, UncollectedDeliveries(maps))
            for (seconds, accuracy, inBackground) in [
                (0, AccuracyAuthorization.full, false), (1, .full, false), (1, .full, true), (2, .reduced, false),
                (3600, .full, false), (3601, .reduced, true),
            ] as [(Int64, AccuracyAuthorization, Bool)] {
                surroundings.value.seconds = Self.begin + seconds
                log.count(2, with: count, accuracy: accuracy, inBackground: inBackground, at: surroundings.value.now)
            }
            log.count(1, to: maps, accuracy: .full, inBackground: false, at: surroundings.value.now)
        }
        let expected = [
            entry(maps, hours: 1, 3), entry(maps, hours: 1, 2, .reduced, background: true), entry(maps, hours: 0, 4),
            entry(maps, hours: 0, 2, background: true), entry(maps, hours: 0, 2, .reduced),
        ]
        #expect(try await entries(surroundings) == expected)
        try await flush(surroundings)
        #expect(try await entries(surroundings) == expected)
    }

    /// Attack: an app connects, receives something and disconnects, again and again. Its counts do not pile up.
    @Test func countsOfAppsThatHaveGoneAreCollected() async throws {
        let surroundings = try await surroundings()
        try await loop.executeInContext {
            weak var first: UncollectedDeliveries?
            for number in 0...AccessLog.maximumCounts {
                let count = UncollectedDeliveries(maps)
                if number == 0 { first = count }
                surroundings.value.log.count(
                    1, with: count, accuracy: .full, inBackground: false, at: surroundings.value.now)
            }
            #expect(first == nil)
        }
        #expect(try await entries(surroundings) == [entry(maps, hours: 0, AccessLog.maximumCounts + 1)])
    }

    /// However long the names are, the reply stays within the 1 MiB that a client reads.
    @Test func asMuchAsAReplyTakes() async throws {
        let surroundings = try await surroundings()
        try await loop.executeInContext {
            for number in 0..<500 {
                let name = "/" + String(repeating: "\"", count: 4000) + "\(number)"
                surroundings.value.log.count(
                    .max >> 20, to: AppKey(uid: .max, app: AppIdentity(kind: .exe, name: name)!), accuracy: .reduced,
                    inBackground: false, at: surroundings.value.now)
            }
        }
        for isWritten in [false, true] {
            if isWritten { try await flush(surroundings) }
            let size = try JSONEncoder().encode(["entries": try await entries(surroundings)]).count
            #expect((800_000..<1_000_000).contains(size), "\(size) bytes")
        }
    }

    @Test(arguments: [
        "app = 'nonsense'", "uid = -1", "uid = 4294967296", "accuracy = 'superb'", "background = 2",
        "deliveries = 0", "deliveries = -5", "deliveries = 9223372036854775807", "lastDelivery = hour - 1",
        "lastDelivery = -9223372036854775808", "lastDelivery = hour + 3600000", "hour = 9223372036854770000",
    ])
    func whatMakesNoSenseIsLeftOut(change: String) async throws {
        let surroundings = try await surroundings()
        try await count(1, maps, at: 0, in: surroundings)
        try await count(1, other, at: 3600, in: surroundings)
        try await flush(surroundings)
        try self.change("UPDATE accessLog SET \(change) WHERE uid = 1000")
        #expect(try await entries(surroundings) == [entry(other, hours: 1, 1)])
        let uses = Store(path: path, timestamp: "then").lastUses(since: Timestamp(millisecondsSince1970: 0))
        #expect(uses.map(\.key.app) == [other])
    }

    // MARK: A database that cannot be written

    @Test func whatCannotBeWrittenWaits() async throws {
        let surroundings = try await surroundings()
        try await count(1, maps, in: surroundings)
        try await flush(surroundings)
        try change("ALTER TABLE accessLog RENAME TO elsewhere")
        try await count(2, maps, in: surroundings)
        try await count(3, other, in: surroundings)
        try await flush(surroundings)
        // No timer is set for it until there is more to write.
        #expect(try await !isWritingDue(surroundings))
        try change("ALTER TABLE elsewhere RENAME TO accessLog")
        #expect(try await entries(surroundings) == [entry(maps, 3), entry(other, 3)])
        try await count(4, maps, in: surroundings)
        #expect(try await isWritingDue(surroundings))
        try await flush(surroundings)
        #expect(try deliveriesOnDisk() == [7, 3])
        #expect(try await entries(surroundings) == [entry(maps, 7), entry(other, 3)])
    }

    @Test func aDatabaseThatIsNotThere() async throws {
        let surroundings = try await surroundings(Store(path: folder.path + "/missing/locationd.db", timestamp: "then"))
        try await count(1, maps, in: surroundings)
        try await flush(surroundings)
        try await count(1, maps, in: surroundings)
        #expect(try await entries(surroundings) == [entry(maps, 2)])
    }

    @Test func whatWaitsIsBounded() async throws {
        let surroundings = try await surroundings(Store(path: folder.path + "/missing/locationd.db", timestamp: "then"))
        let hours = AccessLog.maximumUnwritten + 10
        try await loop.executeInContext {
            for hour in 0..<hours {
                surroundings.value.seconds = Self.begin + Int64(hour) * 3600
                surroundings.value.log.count(
                    1, to: maps, accuracy: .full, inBackground: false, at: surroundings.value.now)
            }
        }
        try await flush(surroundings)
        try await loop.executeInContext { surroundings.value.seconds = Self.begin }
        let entries = try await entries(surroundings)
        #expect(entries.first?.hour.millisecondsSince1970 == (Self.begin + Int64(hours - 1) * 3600) * 1000)
        #expect(try await loop.executeInContext { surroundings.value.log.unwrittenRows } == AccessLog.maximumUnwritten)
    }

    // MARK: A clock that is wrong

    /// Accident, or attack: the daemon starts once with the clock a year ahead, and the record of who looked is gone.
    @Test(arguments: [86_400 + 3600, 40 * 86_400, 365 * 86_400] as [Int64])
    func oneStartWithTheClockAheadForgetsNoUse(ahead: Int64) async throws {
        let first = try await surroundings(isSynchronized: false)
        try await count(3, maps, at: 60, in: first)
        try await flush(first)
        let wrong = try await surroundings(at: ahead, isSynchronized: false)
        #expect(try await entries(wrong) == [entry(maps, 3)])
        // What is written under the wrong clock does not make it right, not even over another start.
        try await count(1, other, at: ahead + 60, in: wrong)
        try await flush(wrong)
        let again = try await surroundings(at: ahead + 120, isSynchronized: false)
        try await count(1, other, at: ahead + 180, in: again)
        try await flush(again)
        let right = try await surroundings(at: 300, isSynchronized: false)
        try await flush(right)
        #expect(try await entries(right).contains(entry(maps, 3)))
    }

    /// The time that the daemon has run is stored when it stops, also if nothing was counted and the clock is wrong.
    @Test func theTimeThatWasReachedIsStoredAtTheEnd() async throws {
        let surroundings = try await surroundings(isSynchronized: false)
        try await flush(surroundings)
        try await loop.executeInContext { surroundings.value.seconds += 365 * 86_400 }
        await loop.advanceTime(by: .hours(48))
        try await loop.executeInContext { surroundings.value.log.finish() }.get()
        #expect(reachedOnDisk == time(2 * 86_400))
        // Nothing has changed since.
        try change("DELETE FROM retention")
        try await loop.executeInContext { surroundings.value.log.finish() }.get()
        #expect(try Store.behindItsBack(path) { try Int.fetchOne($0, sql: "SELECT count(*) FROM retention") } == 0)
    }

    /// The row with the time that was reached was damaged or lost.
    @Test func withoutAStoredTimeTheNewestRowCounts() async throws {
        let store = Store(path: path, timestamp: "then")
        #expect(store.loadReached() == nil)
        let first = try await surroundings(store, isSynchronized: false)
        try await count(3, maps, at: 60, in: first)
        try await flush(first)
        try change("DELETE FROM retention")
        #expect(store.loadReached() == time(60))
        let visit = Visit(latitude: 47.5, longitude: 8.75, horizontalAccuracy: 100, arrival: time(90))
        try await store.write(.putVisit(VisitRecord(uid: 1000, visit: visit)), on: loop).get()
        #expect(store.loadReached() == time(90))
        let wrong = try await surroundings(store, at: 365 * 86_400, isSynchronized: false)
        try await flush(wrong)
        #expect(reachedOnDisk == time(90))
        #expect(try await entries(wrong) == [entry(maps, 3)])
    }

    @Test func aSynchronizedClockForgetsAsBefore() async throws {
        let first = try await surroundings(isSynchronized: false)
        try await count(3, maps, at: 60, in: first)
        try await flush(first)
        let later = try await surroundings(at: 31 * 86_400 + 3600, isSynchronized: true)
        try await flush(later)
        #expect(try await entries(later).isEmpty)
    }

    /// A machine that is never synchronized forgets by the days that it runs.
    @Test func aClockThatRunsOnForgetsAsBefore() async throws {
        let log = try await surroundings(isSynchronized: false)
        try await count(3, maps, at: 60, in: log)
        try await flush(log)
        for day in 1...31 as ClosedRange<Int64> {
            try await count(1, other, at: day * 86_400, in: log)
            try await flush(log)
        }
        #expect(try await !entries(of: 1000, log).contains { $0.app == maps.app.description })
    }
}
