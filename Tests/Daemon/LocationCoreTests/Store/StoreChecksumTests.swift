import AuthorizationPolicy
import Foundation
import GRDB
import LocationModel
import NIOCore
import NIOPosix
import StateFiles
import TestSupport
import Testing

@testable import LocationCore

/// A row that differs from what was written grants nothing, stays where it is, and is reported with a remedy.
@Suite struct StoreChecksumTests {
    private let loop = MultiThreadedEventLoopGroup.singleton.next()
    private let temporary: TemporaryFolder
    private var path: String { temporary.path + "/locationd.db" }
    private let maps = AppKey(uid: 1000, app: AppIdentity("exe:/usr/bin/maps")!)
    private let radio = AppKey(uid: 1000, app: AppIdentity("exe:/usr/bin/radio")!)
    private let mail = AppKey(uid: 1001, app: AppIdentity("flatpak:org.example.Mail")!)

    /// Decisions that are limited in different ways: by reduced accuracy, a level and an end; by denial; by a level
    /// alone.
    private var decisions: [AppKey: Decision] {
        [
            maps: Decision(level: .whenInUse, accuracy: .reduced, lifetime: .until(secondsSince1970: 1_800_000_000)),
            radio: .denied,
            mail: Decision(level: .whenInUse, alwaysPromptSpent: true),
        ]
    }

    init() throws {
        temporary = try TemporaryFolder()
    }

    private func open(_ secret: [UInt8] = Store.testSecret) -> Store {
        Store(path: path, secret: .success(secret), timestamp: "then")
    }

    private func makeDatabase(switchedOff: UInt32? = nil) throws {
        let queue = try Store.openSound(path, busyTimeout: Store.testBusyTimeout)
        try queue.write { database in
            for (app, decision) in decisions { try DecisionRow.insert(decision, about: app, into: database) }
            guard let switchedOff else { return }
            try ServicesOffRow(user: switchedOff).insert(Store.testChecksum, into: database)
        }
        try queue.close()
    }

    private func execute(_ sql: String) throws { try Store.behindItsBack(path) { try $0.execute(sql: sql) } }

    private func rows(_ table: String = "decision") throws -> [Row] {
        try Store.behindItsBack(path) { try Row.fetchAll($0, sql: "SELECT * FROM \(table)") }
    }

    // MARK: A row

    @Test(arguments: [
        "uid = 1001", "uid = 0", "app = 'exe:/usr/bin/mapt'", "app = 'exe:/usr/bin'", "app = 'nonsense'",
        "app = CAST(x'6578653A2F00' AS TEXT)", "app = CAST(x'6578653A2FFF' AS TEXT)", "level = 'always'",
        "level = 'superuser'", "level = 'denied'", "accuracy = 'full'", "lifetime = 'permanent', until = NULL",
        "lifetime = 'once', until = NULL", "until = 1900000000", "until = NULL", "alwaysPromptSpent = 1",
        "checksum = checksum + 1", "checksum = NULL", "checksum = 0",
        "checksum = (SELECT checksum FROM decision WHERE level = 'denied')",
    ])
    func aRowThatWasChanged(_ change: String) throws {
        try makeDatabase()
        try execute("UPDATE decision SET \(change) WHERE app = '\(maps.app)'")
        let changed = try rows()
        let store = open()
        #expect(store.notices == [])
        let (table, notices) = store.loadDecisions()
        #expect(Set(table.decidedApps(of: nil)) == [radio, mail])
        for app in [radio, mail] { #expect(table.decision(about: app) == decisions[app]) }
        #expect(notices.count == 1)
        for word in [path, "damaged and grant nothing", "locationctl grant", "locationctl reset"] {
            #expect(notices.first?.contains(word) == true, "\(notices)")
        }
        #expect(try rows() == changed)
    }

    @Test func theNoticeNamesTheApp() throws {
        try makeDatabase()
        try execute("UPDATE decision SET level = 'always' WHERE uid = 1001")
        #expect(open().loadDecisions().notices.first?.contains("(user and app: 1001 flatpak:org.example.Mail)") == true)
        try execute("UPDATE decision SET app = char(27) || ']0;' WHERE uid = 1001")
        let notice = try #require(open().loadDecisions().notices.first)
        #expect(notice.contains(#"1001 "\u{1B}]0;""#) && !notice.contains("\u{1b}"), "\(notice)")
    }

    /// Attack: the checksum of one decision is used for another one that has the same bytes in other fields.
    @Test func fieldsAreKeptApart() {
        let checksum = Store.testChecksum
        let sums = [
            checksum.checksum(of: .denied, about: maps), checksum.checksum(of: .denied, about: radio),
            checksum.checksum(of: Decision(level: .denied, accuracy: .reduced), about: maps),
            checksum.checksum(of: Decision(level: .denied, lifetime: .once), about: maps),
            checksum.checksum(of: Decision(level: .denied, lifetime: .until(secondsSince1970: 0)), about: maps),
            checksum.checksum(of: Decision(level: .denied, alwaysPromptSpent: true), about: maps),
            checksum.checksum(ofServicesOffFor: nil), checksum.checksum(ofServicesOffFor: 0),
            checksum.checksum(ofServicesOffFor: .max),
        ]
        #expect(Set(sums).count == sums.count)
    }

    @Test func decidingAgainMendsARow() async throws {
        try makeDatabase()
        try execute("UPDATE decision SET level = 'always'")
        let store = open()
        #expect(store.loadDecisions().table.decidedApps(of: nil) == [])
        try await store.record(Decision(level: .always), about: maps, on: loop).get()
        try await store.record(nil, about: radio, on: loop).get()
        try await store.record(nil, about: mail, on: loop).get()
        let (table, notices) = open().loadDecisions()
        #expect(notices == [])
        #expect(table.decidedApps(of: nil) == [maps])
        #expect(table.decision(about: maps) == Decision(level: .always))
    }

    /// A row in the wrong place is not found by its key, so a new decision about its app would not take effect.
    @Test func aRowThatIsOutOfOrder() throws {
        try makeDatabase()
        var bytes = try Data(contentsOf: URL(filePath: path))
        let name = try #require(bytes.range(of: Data("exe:/usr/bin/maps".utf8)))
        bytes[name.lowerBound] = UInt8(ascii: "f")
        try bytes.write(to: URL(filePath: path))
        let store = open()
        #expect(store.notices.first?.contains("set aside as \(path).damaged-then") == true, "\(store.notices)")
        #expect(store.loadDecisions().table.decidedApps(of: nil) == [])
    }

    // MARK: Every bit

    /// Skips SQLite's own checks, which find some of these errors.
    @Test func eachBitOfTheRows() async throws {
        try makeDatabase()
        try execute("PRAGMA journal_mode = DELETE")
        let page = try page(of: "decision")
        let file = try FileHandle(forUpdating: URL(filePath: path))
        var read = 0
        for offset in [Int](page.header) + page.rows {
            await Task.yield()
            for bit in 0..<8 {
                try file.write(page.bytes[offset] ^ 1 << bit, at: offset)
                // If SQLite finds nothing readable, nothing is granted.
                if let stored = try? storedDecisions() {
                    read += 1
                    for (app, decision) in stored.decisions {
                        #expect(decision == decisions[app], "\(app), bit \(bit) of byte \(offset)")
                    }
                }
            }
            try file.write(page.bytes[offset], at: offset)
        }
        #expect(read > page.rows.count)
        #expect(try storedDecisions().decisions == decisions)
    }

    /// A user's services switch closes more than a decision does. Covers its table, and the index of that table.
    @Test(arguments: ["servicesOff", "sqlite_autoindex_servicesOff_1"])
    func eachBitOfTheSwitches(_ name: String) throws {
        try makeDatabase(switchedOff: 1000)
        let whole = try Data(contentsOf: URL(filePath: path))
        let page = try page(of: name)
        for offset in page.rows {
            for bit in 0..<8 {
                var bytes = whole
                bytes[offset] ^= 1 << bit
                for file in try FileManager.default.contentsOfDirectory(atPath: temporary.path) {
                    try FileManager.default.removeItem(atPath: temporary.path + "/" + file)
                }
                try bytes.write(to: URL(filePath: path))
                // A file that is set aside contains no decision either.
                guard let stored = try? Store.decisions(at: path) else { continue }
                #expect(!stored.table(firstRevision: 1).servicesEnabled(for: 1000), "bit \(bit) of byte \(offset)")
            }
        }
    }

    private func storedDecisions() throws -> StoredDecisions {
        let queue = try DatabaseQueue(path: path)
        defer { try? queue.close() }
        return try queue.read { try StoredDecisions($0, Store.testChecksum) }
    }

    /// Returns the bytes of the file, and where the page of a table or index has its header and its rows, without the
    /// free space between them.
    private func page(of name: String) throws -> (bytes: Data, header: Range<Int>, rows: Range<Int>) {
        let page = try #require(
            try Store.behindItsBack(path) {
                try Int.fetchOne($0, sql: "SELECT rootpage FROM sqlite_schema WHERE name = ?", arguments: [name])
            })
        let bytes = try Data(contentsOf: URL(filePath: path))
        let start = (page - 1) * 4096
        let cells = Int(bytes[start + 3]) << 8 | Int(bytes[start + 4])
        let content = Int(bytes[start + 5]) << 8 | Int(bytes[start + 6])
        return (bytes, start..<start + 8 + 2 * cells, start + content..<start + 4096)
    }

    // MARK: The secret

    /// One notice, not one for each decision.
    @Test func anotherSecret() async throws {
        let apps = (0..<1000).map { AppKey(uid: 1000, app: AppIdentity("exe:/usr/bin/\($0)")!) }
        let queue = try Store.openSound(path, busyTimeout: Store.testBusyTimeout)
        try await queue.write {
            for app in apps { try DecisionRow.insert(Decision(level: .always), about: app, into: $0) }
        }
        try queue.close()
        let other = open([UInt8](0..<32))
        #expect(other.notices == [])
        let (table, notices) = other.loadDecisions()
        #expect(table.decidedApps(of: nil) == [])
        #expect(notices.count == 1)
        for word in [
            path, "nothing is granted", "and 992 others", "secret", "put it back from a backup", "locationctl",
        ] {
            #expect(notices.first?.contains(word) == true, "\(notices)")
        }
        #expect((notices.first?.utf8.count ?? 0) < 1000)
        // Decisions made meanwhile hold with the other secret. With the old secret, what they closed stays closed.
        try await other.record(.denied, about: apps[0], on: loop).get()
        try await other.record(nil, about: apps[1], on: loop).get()
        #expect(open([UInt8](0..<32)).loadDecisions().table.decision(about: apps[0]) == .denied)
        let again = open().loadDecisions()
        #expect(Set(again.table.decidedApps(of: nil)) == Set(apps[2...]))
        #expect(again.notices.first?.contains("(user and app: 1000 exe:/usr/bin/0)") == true, "\(again.notices)")
    }

    @Test func noSecret() async throws {
        try makeDatabase()
        let content = try Data(contentsOf: URL(filePath: path))
        let store = Store(
            path: path, secret: .failure(Secret.Failure(description: "/there/secret is gone: put it back")),
            timestamp: "then")
        #expect(store.notices == ["nothing is granted: /there/secret is gone: put it back"])
        #expect(store.loadDecisions().table.decidedApps(of: nil) == [])
        #expect(store.loadDecisions().notices == [])
        await #expect(throws: Store.Failure.self) {
            try await store.record(Decision(level: .always), about: maps, on: loop).get()
        }
        #expect(try Data(contentsOf: URL(filePath: path)) == content)
        #expect(Set(open().loadDecisions().table.decidedApps(of: nil)) == Set(decisions.keys))
    }

    // MARK: The switches

    @Test(arguments: ["uid = 1001", "uid = -1", "checksum = 1", "checksum = NULL"])
    func aSwitchThatWasChanged(_ change: String) async throws {
        try makeDatabase(switchedOff: 1000)
        try execute("UPDATE servicesOff SET \(change)")
        let store = open()
        let (table, notices) = store.loadDecisions()
        #expect(!table.servicesEnabledOnMachine)
        #expect(notices.count == 1 && notices[0].contains("root runs locationctl enable"), "\(notices)")
        #expect(try rows("servicesOff").count == 1)
        // A user's own switch does not turn the services of the machine on.
        for enabled in [true, false, true] {
            try await store.setServicesEnabled(enabled, for: 1001, on: loop).get()
            #expect(!open().loadDecisions().table.servicesEnabledOnMachine)
            #expect(open().loadDecisions().table.servicesEnabled(for: 1001) == false)
        }
        try await store.setServicesEnabled(true, for: nil, on: loop).get()
        #expect(open().loadDecisions().table.servicesEnabledOnMachine)
        #expect(open().loadDecisions().notices == [])
    }

    /// A damaged row of a desktop's limit may be any user's: another user's own change does not delete it.
    @Test(arguments: ["uid = 1001", "uid = 1001, maximum = 'reduced'", "app = 'nonsense'", "checksum = NULL"])
    func aLimitThatWasChanged(_ change: String) async throws {
        let shell = AppIdentity("exe:/usr/bin/gnome-shell")!
        let store = open()
        try await store.set(desktopLimits: [shell: .off], of: 1000, on: loop).get()
        #expect(open().loadDecisions().table.desktopLimits(of: 1000) == [shell: .off])
        try execute("UPDATE desktopLimit SET \(change)")
        for limit in [DesktopLimit.off, .reduced] {
            try await store.set(desktopLimits: [shell: limit], of: 1001, on: loop).get()
            let table = open().loadDecisions().table
            #expect(!table.servicesEnabledOnMachine && table.desktopLimits(of: 1001) == [shell: limit])
            #expect(try rows("desktopLimit").count == 2)
        }
        try await store.setServicesEnabled(true, for: nil, on: loop).get()
        #expect(open().loadDecisions().table.servicesEnabledOnMachine)
    }
}

extension FileHandle {
    fileprivate func write(_ byte: UInt8, at offset: Int) throws {
        try seek(toOffset: UInt64(offset))
        try write(contentsOf: Data([byte]))
    }
}
