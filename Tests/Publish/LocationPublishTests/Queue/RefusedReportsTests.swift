import Foundation
import GRDB
import LocationModel
import Publishing
import TestSupport
import Testing

@testable import LocationPublishCommand

/// The reports that the server has refused, in a real SQLite file.
@Suite struct RefusedReportsTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path + "/queue.db" }

    init() throws { folder = try TemporaryFolder() }

    private func open(_ bounds: QueueBounds = QueueBounds(), secret: [UInt8]? = nil) throws -> QueueStore {
        try QueueStore(path: path, bounds: bounds, secret: secret, now: Samples.time(1000))
    }

    private func numbers(_ store: QueueStore) throws -> [Int64] {
        try store.read(after: 0, count: 10_000).entries.map(\.identity.number)
    }

    private func refused(_ store: QueueStore) throws -> [String] {
        try store.database.read { database in
            try Row.fetchAll(database, sql: "SELECT number, reason FROM refused ORDER BY number").map {
                "\($0["number"] as Int64) \($0["reason"] as String)"
            }
        }
    }

    @Test(arguments: [nil, [UInt8](repeating: 7, count: 32)]) func isKeptWithItsReason(_ secret: [UInt8]?) throws {
        let store = try open(secret: secret)
        let reports = try store.append(Samples.reports(1...3), at: Samples.time(1000)).entries
        try store.setAside(2, reason: "status 400")
        try store.setAside(77, reason: "status 400")
        #expect(store.count == 2 && store.refusedCount == 1)
        #expect(try numbers(store) == [1, 3])
        #expect(try refused(store) == ["2 status 400"])
        // After a restart, too; and back in the queue, in its turn, it is what it was.
        #expect(try open(secret: secret).refusedCount == 1)
        #expect(try QueueFile.requeue(path, busyTimeout: 5) == 1)
        let again = try open(secret: secret)
        #expect(again.count == 3 && again.refusedCount == 0)
        #expect(try again.read(after: 0, count: 9).entries == reports)
    }

    @Test func theOldestAreDroppedBeyondTheBound() throws {
        let store = try open()
        let count = RefusedReports.maximumCount + 2
        _ = try store.append(Samples.reports(1...count), at: Samples.time(1000))
        for number in 1...count { try store.setAside(Int64(number), reason: "status 400") }
        #expect(store.count == 0 && store.refusedCount == RefusedReports.maximumCount)
        #expect(try refused(store).first == "3 status 400")
    }

    @Test func theOldAreDropped() throws {
        let store = try open(QueueBounds(maximumAge: 100))
        _ = try store.append([Samples.report(1)], at: Samples.time(1000))
        try store.setAside(1, reason: "status 400")
        #expect(try store.dropOld(now: Samples.time(1100)) == 0)
        #expect(store.refusedCount == 1)
        #expect(try store.dropOld(now: Samples.time(1101)) == 0)
        #expect(store.refusedCount == 0)
    }

    /// Attack: the user revokes the location, and a thief of the disk finds what the server had refused.
    @Test(arguments: [false, true]) func clearingLeavesNoTrace(byHand: Bool) throws {
        let store = try open()
        var report = Samples.report(1)
        report.location.receiver = "a place that is to be forgotten"
        _ = try store.append([report], at: Samples.time(1000))
        try store.setAside(1, reason: "status 400")
        if byHand {
            try QueueFile.clear(path, now: Samples.time(1), busyTimeout: 5)
        } else {
            try store.clear(.everything)
            #expect(store.refusedCount == 0)
        }
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            let bytes = try Data(contentsOf: URL(filePath: "\(folder.path)/\(name)"))
            #expect(bytes.range(of: Data("to be forgotten".utf8)) == nil, "\(name)")
        }
    }

    /// Attack: the user reduces the accuracy, and what was refused is put back and sent.
    @Test func aReductionHoldsForThem() throws {
        let store = try open()
        _ = try store.append([Samples.report(1), Samples.reduced(2)], at: Samples.time(1000))
        for number in 1...2 { try store.setAside(Int64(number), reason: "status 400") }
        try store.clear(.fullAccuracy)
        #expect(try refused(store) == ["2 status 400"])
        #expect(store.refusedCount == 1)
    }
}
