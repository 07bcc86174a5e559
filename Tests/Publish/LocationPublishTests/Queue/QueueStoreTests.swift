import Foundation
import GRDB
import LocationModel
import Publishing
import TestSupport
import Testing

@testable import LocationPublishCommand

/// The queue on the disk, in a real SQLite file.
@Suite struct QueueStoreTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path + "/queue.db" }

    init() throws { folder = try TemporaryFolder() }

    private func open(_ bounds: QueueBounds = QueueBounds(), now: Double = 1000) throws -> QueueStore {
        try QueueStore(path: path, bounds: bounds, now: Samples.time(now))
    }

    private func numbers(_ store: QueueStore, after: Int64 = 0) throws -> [Int64] {
        try store.read(after: after, count: 1000).entries.map(\.identity.number)
    }

    @Test func reportsSurviveARestart() throws {
        var location = Samples.report(5).location
        location.horizontalAccuracy = 3.25
        location.receiver = "a \"b\"\n"
        location.quality = .rtkFloat
        let reports = [Report(location: location), Samples.crossing(6)]
        var store: QueueStore? = try open()
        let name = try #require(store?.name)
        #expect(name.count == 16)
        let appended = try #require(try store?.append(reports, at: Samples.time(1000)))
        #expect(appended.entries.map(\.identity.description) == ["\(name)-1", "\(name)-2"])
        store = nil
        let reopened = try open()
        #expect(reopened.name == name)
        #expect(reopened.count == 2)
        #expect(try reopened.read(after: 0, count: 9).entries == appended.entries)
        #expect(reopened.lastTime == Samples.time(5))
        #expect(reopened.lastOfEarlierRuns == 2)
    }

    @Test func aNumberIsNeverUsedAgain() throws {
        let store = try open()
        _ = try store.append([Samples.report(1), Samples.report(2)], at: Samples.time(1000))
        try store.delete([1, 2, 77])
        #expect(store.count == 0)
        let again = try open()
        #expect(try again.append([Samples.report(3)], at: Samples.time(1000)).entries[0].identity.number == 3)
        #expect(again.lastTime == Samples.time(2))
    }

    @Test func readingInParts() throws {
        let store = try open()
        _ = try store.append(Samples.reports(1...5) + [Samples.crossing(6)], at: Samples.time(1000))
        let reading = try store.read(after: 2, count: 2)
        #expect(reading.entries.map(\.identity.number) == [3, 4])
        // The newest location, not the crossing.
        #expect(reading.newest?.identity.number == 5)
        #expect(try store.read(after: 6, count: 2).entries == [])
    }

    @Test func theOldestIsDroppedBeyondTheCount() throws {
        let store = try open(QueueBounds(maximumCount: 3))
        #expect(try store.append(Samples.reports(1...3), at: Samples.time(1000)).dropped == 0)
        #expect(try store.append(Samples.reports(4...5), at: Samples.time(1000)).dropped == 2)
        #expect(try numbers(store) == [3, 4, 5])
    }

    @Test func theOldestIsDroppedBeyondTheSize() throws {
        let size = try ReportCoding().encode(Samples.report(1), number: 1).count
        let store = try open(QueueBounds(maximumSize: 3 * size))
        for second in 1...10 { _ = try store.append([Samples.report(Double(second))], at: Samples.time(1000)) }
        #expect(try numbers(store) == [8, 9, 10])
        // The size is counted again when the file is opened.
        let reopened = try open(QueueBounds(maximumSize: 3 * size))
        _ = try reopened.append([Samples.report(11)], at: Samples.time(1000))
        #expect(try numbers(reopened) == [9, 10, 11])
    }

    @Test func theOldIsDropped() throws {
        let store = try open(QueueBounds(maximumAge: 100))
        _ = try store.append([Samples.report(1)], at: Samples.time(1000))
        _ = try store.append([Samples.report(2)], at: Samples.time(1050))
        #expect(try store.dropOld(now: Samples.time(1100)) == 0)
        #expect(try store.dropOld(now: Samples.time(1101)) == 1)
        #expect(try numbers(store) == [2])
        #expect(try store.append([Samples.report(3)], at: Samples.time(1151)).dropped == 1)
        #expect(try numbers(store) == [3])
        #expect(store.count == 1)
    }

    /// A clock that was set back must not keep reports for years.
    @Test func whatSeemsToComeFromTheFutureBeginsToAge() throws {
        let store = try open(QueueBounds(maximumAge: 100))
        _ = try store.append([Samples.report(1)], at: Samples.time(1_000_000))
        #expect(try store.dropOld(now: Samples.time(1000)) == 0)
        #expect(try store.dropOld(now: Samples.time(1101)) == 1)
    }

    /// A machine without a battery for its clock.
    @Test func aClockThatIsSetForwardLosesNothingOfThisRun() throws {
        _ = try open(QueueBounds(maximumAge: 100)).append([Samples.report(1)], at: Samples.time(1000))
        let store = try open(QueueBounds(maximumAge: 100))
        _ = try store.append([Samples.report(2)], at: Samples.time(1010))
        try store.shiftTimes(by: 1e9)
        #expect(try store.dropOld(now: Samples.time(1_000_001_020)) == 1)
        #expect(try numbers(store) == [2])
    }

    @Test func clearingLeavesNoTrace() throws {
        let store = try open()
        var report = Samples.report(1)
        report.location.receiver = "a place that is to be forgotten"
        _ = try store.append([report], at: Samples.time(1000))
        try store.clear(.everything)
        #expect(store.count == 0)
        #expect(try numbers(store) == [])
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            let bytes = try Data(contentsOf: URL(filePath: "\(folder.path)/\(name)"))
            #expect(bytes.range(of: Data("to be forgotten".utf8)) == nil, "\(name)")
        }
    }

    @Test(arguments: [nil, [UInt8](0..<32)]) func whatIsMoreAccurateIsDeleted(_ secret: [UInt8]?) throws {
        let store = try QueueStore(path: path, bounds: QueueBounds(), secret: secret, now: Samples.time(1000))
        var unknown = Samples.report(2)
        unknown.location.horizontalAccuracy = nil
        let reports = [Samples.report(1), unknown, Samples.reduced(3), Samples.crossing(4), Samples.reduced(5)]
        _ = try store.append(reports, at: Samples.time(1000))
        try store.clear(.fullAccuracy)
        #expect(try numbers(store) == [3, 5])
        #expect(store.count == 2)
        #expect(try store.append([Samples.report(6)], at: Samples.time(1000)).entries[0].identity.number == 6)
    }

    @Test func anEntryThatMakesNoSenseIsSkipped() throws {
        let store = try open()
        _ = try store.append(Samples.reports(1...3), at: Samples.time(1000))
        let other = try DatabaseQueue(path: path)
        try other.write {
            try $0.execute(sql: "UPDATE report SET content = x'00ff' WHERE number = 2")
            try $0.execute(sql: "UPDATE report SET content = CAST('{}' AS BLOB) WHERE number = 3")
        }
        let reading = try store.read(after: 0, count: 1)
        #expect(reading.entries.map(\.identity.number) == [1])
        #expect(reading.newest?.identity.number == 1)
        let rest = try store.read(after: 1, count: 9)
        #expect(rest.entries == [])
        #expect(rest.unreadable == 2)
    }

    @Test func anotherProcessEmptiesIt() throws {
        let store = try open()
        _ = try store.append([Samples.report(1)], at: Samples.time(1000))
        try open().clear(.everything)
        #expect(try numbers(store) == [])
        try store.delete([1])
        #expect(try store.append([Samples.report(2)], at: Samples.time(1000)).entries[0].identity.number == 2)
    }
}
