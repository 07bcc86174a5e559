import AuthorizationPolicy
import GRDB
import LocationModel
import TestSupport
import Testing

@testable import LocationCore

/// The marks of the steps by which a database was made.
@Suite struct StoreMigrationTests {
    private let temporary: TemporaryFolder
    private var path: String { temporary.path + "/locationd.db" }
    private let maps = AppKey(uid: 1000, app: AppIdentity("exe:/usr/bin/maps")!)

    init() throws {
        temporary = try TemporaryFolder()
    }

    private func open() -> Store { Store(path: path, timestamp: "then") }

    private func makeDatabase() throws {
        let queue = try Store.openSound(path, busyTimeout: Store.testBusyTimeout)
        let decision = Decision(level: .whenInUse, accuracy: .reduced)
        try queue.write { try DecisionRow.insert(decision, about: maps, into: $0) }
        try queue.close()
    }

    private func execute(_ sql: String) throws { try Store.behindItsBack(path) { try $0.execute(sql: sql) } }

    /// Attack, or accident: if the mark of a completed step is damaged, repeating it would make other damage valid.
    @Test(arguments: [
        "DELETE FROM grdb_migrations", "DROP TABLE grdb_migrations",
        "DELETE FROM grdb_migrations; ALTER TABLE decision RENAME COLUMN checksum TO checksun",
    ])
    func aDamagedMarkDoesNotRepeatTheMigration(_ damage: String) throws {
        try makeDatabase()
        #expect(open().loadDecisions().table.decidedApps(of: nil) == [maps])
        try execute("UPDATE decision SET level = 'always', accuracy = 'full'; \(damage)")
        let store = open()
        #expect(store.notices.first?.contains("set aside as \(path).damaged-then") == true, "\(store.notices)")
        #expect(store.loadDecisions().table.decidedApps(of: nil) == [])
    }

    @Test func aMarkThatReadsOtherwise() throws {
        try makeDatabase()
        _ = open()
        try execute("UPDATE decision SET level = 'always'; UPDATE grdb_migrations SET identifier = '0.8'")
        let store = open()
        #expect(store.notices.first?.contains("newer version") == true, "\(store.notices)")
        #expect(store.loadDecisions().table.decidedApps(of: nil) == [])
    }
}
