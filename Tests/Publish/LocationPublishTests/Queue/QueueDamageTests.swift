import Foundation
import GRDB
import LocationModel
import Publishing
import TestSupport
import Testing

@testable import LocationPublishCommand

/// Files that are damaged, of another version, not to be written, or too large for the disk.
@Suite struct QueueDamageTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path + "/queue.db" }

    init() throws { folder = try TemporaryFolder() }

    private func open() throws -> QueueStore {
        try QueueStore(path: path, bounds: QueueBounds(), now: Samples.time(0), busyTimeout: 0)
    }

    private func fill() throws {
        let store = try open()
        _ = try store.append(Samples.reports(1...500), at: Samples.time(1000))
    }

    private var names: Set<String> {
        Set((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [])
    }

    @Test func aFileThatIsNoDatabaseIsSetAside() throws {
        try folder.write(String(repeating: "no database ", count: 100), to: "queue.db")
        let store = try open()
        #expect(store.notices.count == 1)
        #expect(store.notices.first?.contains("queue.db.damaged-1970-01-01T00:00:00.000Z") == true)
        #expect(names.contains("queue.db.damaged-1970-01-01T00:00:00.000Z"))
        #expect(try store.append([Samples.report(1)], at: Samples.time(1)).entries.count == 1)
    }

    /// Whatever is damaged: the queue works, or it was set aside, and nothing is deleted.
    @Test(arguments: 1...40) func damageAnywhere(_ seed: UInt64) throws {
        try fill()
        var random = SeededRandom(seed: seed)
        var bytes = try Data(contentsOf: URL(filePath: path))
        if Bool.random(using: &random) {
            for _ in 0..<Int.random(in: 1...200, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
        } else {
            bytes = bytes.prefix(Int.random(in: 1..<bytes.count, using: &random))
        }
        try bytes.write(to: URL(filePath: path))
        do {
            let store = try open()
            let reading = try store.read(after: 0, count: 1000)
            #expect(reading.entries.count <= 500, "seed \(seed)")
            let aside = "queue.db.damaged-1970-01-01T00:00:00.000Z"
            if names.contains(aside) {
                #expect(!store.notices.isEmpty, "seed \(seed)")
                #expect(try Data(contentsOf: URL(filePath: "\(folder.path)/\(aside)")) == bytes, "seed \(seed)")
            }
            _ = try? store.append([Samples.report(1)], at: Samples.time(1))
        } catch {
            // The version, which is not to be touched.
            guard case .otherVersion = error as? QueueFailure else {
                Issue.record("seed \(seed): \(error)")
                return
            }
        }
    }

    @Test func aFileOfAnotherVersionIsLeftAlone() throws {
        try fill()
        try DatabaseQueue(path: path).writeWithoutTransaction {
            try $0.execute(sql: "PRAGMA user_version = \(QueueSchema.version + 1)")
            _ = try $0.checkpoint(.truncate)
        }
        let before = try Data(contentsOf: URL(filePath: path))
        #expect {
            try open()
        } throws: {
            "\($0)".contains("has version \(QueueSchema.version + 1)") && "\($0)".contains(path)
        }
        #expect(try Data(contentsOf: URL(filePath: path)) == before)
        #expect(!names.contains { $0.contains("damaged") })
    }

    @Test func aDatabaseOfAnotherProgramIsSetAside() throws {
        try DatabaseQueue(path: path).write { try $0.execute(sql: "CREATE TABLE other (x)") }
        let store = try open()
        #expect(store.notices.count == 1)
        #expect(store.count == 0)
    }

    @Test func aFolderInItsPlace() throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        #expect {
            try open()
        } throws: {
            "\($0)".contains(path) && "\($0)".contains("write it and its folder")
        }
    }

    @Test func aFileThatIsLocked() throws {
        try fill()
        let other = try DatabaseQueue(path: path)
        try other.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE")
            #expect {
                try open()
            } throws: {
                "\($0)".contains("end the process that has locked it")
            }
            try database.execute(sql: "COMMIT")
        }
    }

    /// As on a full disk: what cannot be written is an error, what was written stays, and later it goes on.
    @Test func aDiskThatIsFull() throws {
        let store = try open()
        _ = try store.append([Samples.report(1)], at: Samples.time(1))
        let many = Samples.reports(2...2000)
        try store.limitPages(to: 12)
        #expect {
            try store.append(many, at: Samples.time(1))
        } throws: {
            "\($0)".contains("free space on the disk")
        }
        #expect(store.count == 1)
        #expect(try store.read(after: 0, count: 9).entries.map(\.identity.number) == [1])
        try store.limitPages(to: 1_000_000)
        #expect(try store.append([Samples.report(2)], at: Samples.time(1)).entries[0].identity.number == 2)
    }

    /// The text of an error gets into the log.
    @Test func errorsContainNoPositions() throws {
        let store = try open()
        try DatabaseQueue(path: path).write { try $0.execute(sql: "DROP TABLE report") }
        #expect {
            try store.append([Samples.report(1)], at: Samples.time(1))
        } throws: {
            !"\($0)".contains("47.25")
        }
    }
}

extension QueueStore {
    /// Limits the size of the file, in pages.
    fileprivate func limitPages(to count: Int) throws {
        try database.writeWithoutTransaction { try $0.execute(sql: "PRAGMA max_page_count = \(count)") }
    }
}
