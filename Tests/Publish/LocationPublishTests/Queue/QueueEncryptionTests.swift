import Foundation
import GRDB
import LocationModel
import Publishing
import TestSupport
import Testing

@testable import LocationPublishCommand

/// Queues that are encrypted, and what becomes of them when the secret changes.
@Suite struct QueueEncryptionTests {
    private static let secret = [UInt8](0..<32)
    private let folder: TemporaryFolder
    private var path: String { folder.path + "/queue.db" }

    init() throws { folder = try TemporaryFolder() }

    private func open(_ secret: [UInt8]?) throws -> QueueStore {
        try QueueStore(path: path, bounds: QueueBounds(), secret: secret, now: Samples.time(0))
    }

    private func files() throws -> [String: Data] {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        return try Dictionary(
            uniqueKeysWithValues: names.map { ($0, try Data(contentsOf: URL(filePath: "\(folder.path)/\($0)"))) })
    }

    private func contains(_ text: String) throws -> Bool {
        try files().values.contains { $0.range(of: Data(text.utf8)) != nil }
    }

    @Test func nothingIsInTheClear() throws {
        var store: QueueStore? = try open(Self.secret)
        let reports = Samples.reports(1...50) + [Samples.crossing(51)]
        let entries = try #require(try store?.append(reports, at: Samples.time(1000))).entries
        #expect(try !contains("47.25") && !contains("home") && !contains("latitude"))
        store = nil
        #expect(try !contains("47.25"))
        let reopened = try open(Self.secret)
        #expect(reopened.notices == [])
        #expect(try reopened.read(after: 0, count: 100).entries == entries)
        #expect(try reopened.append([Samples.report(52)], at: Samples.time(1000)).entries[0].identity.number == 52)
    }

    @Test func withoutASecretItIsInTheClear() throws {
        let store = try open(nil)
        _ = try store.append([Samples.report(1)], at: Samples.time(1000))
        #expect(try contains("47.25") && contains("latitude"))
    }

    /// Another secret, or one where there was none: nothing of it is sent, and the file is kept as it was.
    @Test(
        arguments: [
            (secret, [UInt8](1..<33), "encrypted under another key"),
            (nil, secret, "is not encrypted"),
        ] as [([UInt8]?, [UInt8]?, String)])
    func theSecretChanges(_ before: [UInt8]?, _ after: [UInt8]?, _ notice: String) throws {
        var store: QueueStore? = try open(before)
        let name = try #require(store?.name)
        _ = try store?.append(Samples.reports(1...5), at: Samples.time(1000))
        store = nil
        let contents = try #require(try files()["queue.db"])
        store = try open(after)
        let aside = "queue.db.other-key-1970-01-01T00:00:00.000Z"
        #expect(store?.notices.count == 1)
        #expect(store?.notices.first?.contains(notice) == true, "\(store?.notices ?? [])")
        #expect(store?.notices.first?.contains(aside) == true)
        #expect(store?.count == 0)
        #expect(store?.name != name)
        #expect(try store?.read(after: 0, count: 9).entries == [])
        #expect(try files()[aside] == contents)
        // With the secret back, and the file back, it goes on.
        store = nil
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.moveItem(atPath: "\(folder.path)/\(aside)", toPath: path)
        let again = try open(before)
        #expect(again.name == name)
        #expect(try again.read(after: 0, count: 9).entries.count == 5)
    }

    /// Attack: the secret is away for one start, and from then on a thief of the disk reads the queue.
    @Test func withoutItsSecretNoneIsBegunInTheClear() throws {
        _ = try open(Self.secret).append(Samples.reports(1...5), at: Samples.time(1000))
        let error = #expect(throws: QueueFailure.self) { try open(nil) }
        #expect("\(try #require(error))".contains("there is no credential locationd-publish.queue-key: put it back"))
        #expect(try !contains("47.25") && files().keys.allSatisfy { !$0.contains("other-key") })
        #expect(try open(Self.secret).read(after: 0, count: 9).entries.count == 5)
    }

    /// Attack: somebody who can write to the disk puts an entry in the place of another, or one of their own.
    @Test func whatIsNotAuthenticIsNotSent() throws {
        let store = try open(Self.secret)
        _ = try store.append(Samples.reports(1...4), at: Samples.time(1000))
        let forged = try ReportCoding().encode(Samples.report(9), number: 3)
        try DatabaseQueue(path: path).write { database in
            try database.execute(
                sql: "UPDATE report SET content = (SELECT content FROM report WHERE number = 1) WHERE number = 2")
            try database.execute(sql: "UPDATE report SET content = ? WHERE number = 3", arguments: [Data(forged)])
        }
        let reading = try store.read(after: 0, count: 9)
        #expect(reading.entries.map(\.identity.number) == [1, 4])
        #expect(reading.unreadable == 2)
    }

    /// The secret is the service's alone: whoever clears the queue by hand does not have it.
    @Test func clearingNeedsNoSecret() throws {
        let store = try open(Self.secret)
        _ = try store.append(Samples.reports(1...5), at: Samples.time(1000))
        try QueueFile.clear(path, now: Samples.time(0), busyTimeout: 5)
        #expect(try store.read(after: 0, count: 9).entries == [])
        #expect(try store.append([Samples.report(6)], at: Samples.time(1000)).entries[0].identity.number == 6)
        #expect(try open(Self.secret).notices == [])
    }

    /// Attack: a thief finds the copies that SQLite makes in another folder, which it deletes and does not overwrite. 2
    /// is for memory.
    @Test func copiesThatSQLiteMakesAreInMemory() throws {
        let queue = try QueueFile.open(path, secret: nil, now: Samples.time(0), busyTimeout: 5).database
        #expect(try queue.read { try Int.fetchOne($0, sql: "PRAGMA temp_store") } == 2)
    }

    /// What was set aside has positions too.
    @Test func clearingDeletesWhatWasSetAside() throws {
        _ = try open(nil).append([Samples.report(1)], at: Samples.time(1000))
        let store = try open(Self.secret)
        #expect(try contains("47.25"))
        try store.clear(.everything)
        #expect(try !contains("47.25"))
        #expect(try !files().keys.contains { $0.contains("other-key") })
    }

    @Test func aDamagedQueueIsClearedByHand() throws {
        try folder.write(String(repeating: "47.25 ", count: 1000), to: "queue.db")
        try QueueFile.clear(path, now: Samples.time(0), busyTimeout: 5)
        #expect(try !contains("47.25"))
    }
}
