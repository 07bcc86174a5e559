import AuthorizationPolicy
import Foundation
import GRDB
import LocationModel
import NIOCore
import NIOPosix
import TestSupport
import Testing

@testable import LocationCore

/// The decisions on disk, with the real SQLite.
@Suite struct StoreTests {
    private let loop = MultiThreadedEventLoopGroup.singleton.next()
    private let temporary: TemporaryFolder
    private var folder: String { temporary.path }
    private let maps = AppKey(uid: 1000, app: AppIdentity("app:org.gnome.Maps")!)

    init() throws {
        temporary = try TemporaryFolder()
    }

    private func open() -> Store { Store(path: folder + "/locationd.db", timestamp: "then") }

    @Test(arguments: [
        Decision(level: .whenInUse), Decision(level: .always, accuracy: .reduced), Decision(level: .denied),
        Decision(level: .whenInUse, lifetime: .once),
        Decision(level: .always, lifetime: .until(secondsSince1970: 1_800_000_000)),
    ])
    func aDecisionIsReadAsItWasWritten(decision: Decision) async throws {
        try await open().record(decision, about: maps, on: loop).get()
        let store = open()
        #expect(store.loadDecisions().table.decision(about: maps) == decision)
        #expect(store.loadDecisions().notices.isEmpty)
        try await store.record(nil, about: maps, on: loop).get()
        #expect(open().loadDecisions().table.decision(about: maps) == nil)
    }

    @Test func theSwitches() async throws {
        let store = open()
        try await store.setServicesEnabled(false, for: 1000, on: loop).get()
        try await store.setServicesEnabled(false, for: 1000, on: loop).get()
        #expect(!open().loadDecisions().table.servicesEnabled(for: 1000))
        #expect(open().loadDecisions().table.servicesEnabled(for: 1001))
        try await store.setServicesEnabled(false, for: nil, on: loop).get()
        try await store.setServicesEnabled(true, for: 1000, on: loop).get()
        #expect(!open().loadDecisions().table.servicesEnabledOnMachine)
        try await store.setServicesEnabled(true, for: nil, on: loop).get()
        #expect(open().loadDecisions().table.servicesEnabled(for: 1000))
    }

    @Test func commitsAreSynchronised() throws {
        let queue = try Store.openSound(folder + "/locationd.db", busyTimeout: Store.testBusyTimeout)
        // 2 is FULL (sqlite.org/pragma.html).
        #expect(try queue.read { try Int.fetchOne($0, sql: "PRAGMA synchronous") } == 2)
        #expect(try queue.read { try String.fetchOne($0, sql: "PRAGMA journal_mode") } == "wal")
    }

    @Test(arguments: [0, 100, 5000]) func damageIsSetAside(at offset: Int) async throws {
        let path = folder + "/locationd.db"
        // Closed before the damage: a store would close the file on its own thread, at some later time.
        let queue = try Store.openSound(path, busyTimeout: Store.testBusyTimeout)
        try await queue.write { try DecisionRow.insert(Decision(level: .always), about: maps, into: $0) }
        try queue.close()
        var bytes = try Data(contentsOf: URL(filePath: path))
        try #require(bytes.count > offset + 64)
        bytes.replaceSubrange(offset..<offset + 64, with: Data(repeating: 0xa5, count: 64))
        try bytes.write(to: URL(filePath: path))
        let store = open()
        // Whether this damage is detected or not, nothing holds that was not granted.
        let decision = store.loadDecisions().table.decision(about: maps)
        #expect(decision == nil || decision == Decision(level: .always))
        #expect(store.notices.isEmpty || FileManager.default.fileExists(atPath: path + ".damaged-then"))
        try await store.record(Decision(level: .whenInUse), about: maps, on: loop).get()
    }
}
