import AuthorizationPolicy
import Foundation
import GRDB
import LocationModel
import NIOCore
import NIOPosix
import TestSupport
import Testing

@testable import LocationCore

/// Damage to the bytes of the database. A damaged file is set aside whole. Nothing is granted that was not granted
/// before.
@Suite struct StoreDamageTests {
    private let loop = MultiThreadedEventLoopGroup.singleton.next()
    private let temporary: TemporaryFolder
    private var folder: String { temporary.path }
    private var path: String { folder + "/locationd.db" }

    init() throws {
        temporary = try TemporaryFolder()
    }

    private func open() -> Store { Store(path: path, timestamp: "then") }

    private func app(_ number: Int) -> AppKey {
        AppKey(uid: 1000, app: AppIdentity("exe:/usr/bin/some-program-with-a-name-\(number)")!)
    }

    /// Returns decisions for several pages of the file. Every second one is a denial.
    private func decisions(_ count: Int) -> [AppKey: Decision] {
        Dictionary(
            uniqueKeysWithValues: (0..<count).map { (app($0), Decision(level: $0 % 2 == 0 ? .always : .denied)) })
    }

    /// Creates a database of several pages: closed, or as `kill -9` leaves it, with all of the decisions in its
    /// journal.
    private func makeDatabase(_ count: Int, isKilled: Bool = false) throws {
        let making = folder + "/making.db"
        let queue = try Store.openSound(making, busyTimeout: Store.testBusyTimeout)
        // One transaction for each, without waiting for the disk.
        try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = OFF") }
        for (app, decision) in decisions(count) {
            try queue.write { try DecisionRow.insert(decision, about: app, into: $0) }
        }
        if !isKilled { try queue.close() }
        for part in ["", "-wal"] where FileManager.default.fileExists(atPath: making + part) {
            try FileManager.default.copyItem(atPath: making + part, toPath: path + part)
        }
        if isKilled { try queue.close() }
        try FileManager.default.removeItem(atPath: making)
    }

    private func change(_ file: String, _ change: (inout Data) -> Void) throws -> Data {
        var bytes = try Data(contentsOf: URL(filePath: file))
        change(&bytes)
        try bytes.write(to: URL(filePath: file))
        return bytes
    }

    /// Expects that the damaged files were set aside unchanged, nothing is granted, and a new database is in use.
    private func expectSetAside(_ parts: [String: Data]) async throws {
        let store = open()
        #expect(store.notices.count == 1)
        #expect(store.notices.first?.contains("damaged") == true, "\(store.notices)")
        #expect(store.notices.first?.contains("set aside as \(path).damaged-then") == true, "\(store.notices)")
        #expect(store.notices.first?.contains("every app has to be granted again") == true)
        for (part, content) in parts {
            #expect(try Data(contentsOf: URL(filePath: path + ".damaged-then" + part)) == content, "\(part)")
        }
        #expect(store.loadDecisions().table.decidedApps(of: nil) == [])
        try await store.record(Decision(level: .whenInUse), about: app(7), on: loop).get()
        let again = open()
        #expect(again.notices == [])
        #expect(again.loadDecisions().table.decision(about: app(7)) == Decision(level: .whenInUse))
    }

    // MARK: The file

    @Test func bytesInTheMiddle() async throws {
        try makeDatabase(200)
        let bytes = try change(path) { bytes in
            let middle = bytes.count / 2 / 4096 * 4096
            bytes.replaceSubrange(middle..<middle + 512, with: Data(repeating: 0xa5, count: 512))
        }
        try await expectSetAside(["": bytes])
    }

    @Test(arguments: [1, 50, 99, 100, 512, 4095, 4096, 5000, 8192]) func truncated(to size: Int) async throws {
        try makeDatabase(200)
        let bytes = try change(path) { $0 = $0.prefix(size) }
        try await expectSetAside(["": bytes])
    }

    @Test func notADatabase() async throws {
        let text = Data("# Configuration of something else\n".utf8) + Data(repeating: 0x0a, count: 10_000)
        try text.write(to: URL(filePath: path))
        try await expectSetAside(["": text])
    }

    /// A damaged file is not overwritten by another one that is set aside with the same timestamp.
    @Test func damagedAgainAndAgain() throws {
        let contents = (0..<3).map { Data("no database, the \($0)th".utf8) + Data(count: 4096) }
        for content in contents {
            try content.write(to: URL(filePath: path))
            try #require(open().notices.count == 1)
            for part in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + part) }
        }
        for (suffix, content) in zip(["", "-2", "-3"], contents) {
            #expect(try Data(contentsOf: URL(filePath: path + ".damaged-then" + suffix)) == content)
        }
    }

    /// Nothing is lost by using the file, but the user is notified.
    @Test func empty() async throws {
        try Data().write(to: URL(filePath: path))
        let store = open()
        #expect(store.notices.count == 1)
        #expect(store.notices.first?.contains("was empty") == true)
        try await store.record(Decision(level: .whenInUse), about: app(7), on: loop).get()
        #expect(open().notices == [])
    }

    /// A database that another program has made, with a table of the same name.
    @Test func aDatabaseOfSomethingElse() async throws {
        let queue = try DatabaseQueue(path: path)
        try await queue.write {
            try $0.execute(sql: "CREATE TABLE decision (uid INTEGER, app TEXT); INSERT INTO decision VALUES (1, 'x')")
        }
        try queue.close()
        try await expectSetAside([:])
        let aside = try DatabaseQueue(path: path + ".damaged-then")
        #expect(try await aside.read { try String.fetchAll($0, sql: "SELECT app FROM decision") } == ["x"])
    }

    /// A table that somebody has changed is not read, whatever is in it. It is not a reason to exit.
    @Test(arguments: ["decision", "monitoring", "region", "pendingEvent", "visit", "accessLog"])
    func aTableThatLacksAColumn(_ table: String) async throws {
        try makeDatabase(3)
        let queue = try DatabaseQueue(path: path)
        try await queue.write { try $0.execute(sql: "DROP TABLE \(table); CREATE TABLE \(table) (other INTEGER)") }
        try queue.close()
        let store = open()
        #expect(store.loadDecisions().notices.isEmpty == (table != "decision"))
        #expect(store.loadDecisions().table.decidedApps(of: nil).isEmpty == (table == "decision"))
        #expect(store.loadDecisions().table.servicesEnabledOnMachine == (table != "decision"))
        #expect(store.loadMonitoring().unreadable.isEmpty == ["decision", "accessLog"].contains(table))
        #expect(store.lastUses(since: .init(millisecondsSince1970: 0)) == [])
    }

    /// Wherever the damage is, the store opens, and each decision in effect was made, and made about that app.
    @Test(arguments: 1...4 as ClosedRange<UInt64>) func anywhere(seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        try makeDatabase(40)
        let sound = try Data(contentsOf: URL(filePath: path))
        var setAside = 0
        for round in 0..<20 {
            for file in try FileManager.default.contentsOfDirectory(atPath: folder) {
                try FileManager.default.removeItem(atPath: folder + "/" + file)
            }
            var bytes = sound
            let length = [1, 8, 100, 4096].randomElement(using: &random)!
            let start = Int.random(in: 0..<bytes.count, using: &random)
            for offset in start..<min(start + length, bytes.count) {
                bytes[offset] = .random(in: 0 ... .max, using: &random)
            }
            try bytes.write(to: URL(filePath: path))
            let store = open()
            let table = store.loadDecisions().table
            _ = store.loadMonitoring()
            _ = store.lastUses(since: .init(millisecondsSince1970: 0))
            for app in table.decidedApps(of: nil) {
                #expect(table.decision(about: app) == decisions(40)[app], "seed \(seed), round \(round), \(app)")
            }
            if store.notices.contains(where: { $0.contains("set aside as") }) {
                setAside += 1
                #expect(
                    try Data(contentsOf: URL(filePath: path + ".damaged-then")) == bytes, "seed \(seed), \(round)")
            }
        }
        #expect(setAside > 0, "seed \(seed)")
    }

    // MARK: The journal

    private func expectEverything(_ count: Int) {
        let store = open()
        #expect(store.notices == [])
        let table = store.loadDecisions().table
        #expect(Set(table.decidedApps(of: nil)) == Set(decisions(count).keys))
        for (app, decision) in decisions(count) { #expect(table.decision(about: app) == decision) }
    }

    @Test func aJournalThatWasLeft() throws {
        try makeDatabase(40, isKilled: true)
        #expect(try Data(contentsOf: URL(filePath: path + "-wal")).count > 40 * 4096)
        expectEverything(40)
    }

    /// SQLite would consider the journal to end there, and a revocation further on never to have been made.
    @Test(arguments: [0, 8, 20, 31, 32, 36, 40, 60, 32 + 24 + 2000, 32 + 10 * 4120 + 50])
    func aDamagedJournal(at offset: Int) async throws {
        try makeDatabase(40, isKilled: true)
        let file = try Data(contentsOf: URL(filePath: path))
        let journal = try change(path + "-wal") { $0[offset] ^= 0x10 }
        try await expectSetAside(["": file, "-wal": journal])
    }

    /// The power failed before the last transaction was on the disk. Its success was never reported to anybody.
    @Test(arguments: [1, 24, 4119]) func aJournalThatEndsInTheMiddleOfATransaction(_ bytes: Int) throws {
        try makeDatabase(40, isKilled: true)
        var last = try lastFrame()
        _ = try change(path + "-wal") { $0.removeLast(bytes) }
        var store = open()
        #expect(store.notices == [])
        #expect(store.loadDecisions().table.decidedApps(of: nil).count == 39)
        // The same if the file had already been extended for it.
        last.replaceSubrange(100..<200, with: Data(count: 100))
        try FileManager.default.removeItem(atPath: folder)
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try makeDatabase(40, isKilled: true)
        _ = try change(path + "-wal") { $0.replaceSubrange($0.count - 4120..<$0.count, with: last) }
        store = open()
        #expect(store.notices == [])
        #expect(store.loadDecisions().table.decidedApps(of: nil).count == 39)
    }

    private func lastFrame() throws -> Data {
        Data(try Data(contentsOf: URL(filePath: path + "-wal")).suffix(4120))
    }

    @Test func aJournalThatIsEmptyOrOfZeros() throws {
        try makeDatabase(40)
        for content in [Data(), Data(count: 20), Data(count: 32), Data(count: 32 + 4120 * 3)] {
            try content.write(to: URL(filePath: path + "-wal"))
            expectEverything(40)
        }
    }

    /// Frames from before a restart of the journal are not considered lost.
    @Test func aJournalThatWasBegunAnew() throws {
        let making = folder + "/making.db"
        let queue = try Store.openSound(making, busyTimeout: Store.testBusyTimeout)
        for number in 0..<39 {
            try queue.write {
                try DecisionRow.insert(decisions(40)[app(number)]!, about: app(number), into: $0)
            }
        }
        try queue.writeWithoutTransaction { _ = try $0.checkpoint(.restart) }
        try queue.write { try DecisionRow.insert(decisions(40)[app(39)]!, about: app(39), into: $0) }
        for part in ["", "-wal"] { try FileManager.default.copyItem(atPath: making + part, toPath: path + part) }
        #expect(try Data(contentsOf: URL(filePath: path + "-wal")).count > 39 * 4120)
        expectEverything(40)
    }

    /// SQLite would delete the journal.
    @Test(arguments: [false, true]) func aJournalWithoutItsDatabase(isThere: Bool) async throws {
        try makeDatabase(40, isKilled: true)
        try FileManager.default.removeItem(atPath: path)
        if isThere { try Data().write(to: URL(filePath: path)) }
        try await expectSetAside(["-wal": try Data(contentsOf: URL(filePath: path + "-wal"))])
    }

    /// After a start, damage that looks like an unfinished transaction is gone from the journal.
    @Test func whatWasReadIsBroughtIntoTheFile() throws {
        try makeDatabase(40, isKilled: true)
        let queue = try Store.openSound(path, busyTimeout: Store.testBusyTimeout)
        #expect(try Data(contentsOf: URL(filePath: path + "-wal")).isEmpty)
        try queue.close()
    }
}
