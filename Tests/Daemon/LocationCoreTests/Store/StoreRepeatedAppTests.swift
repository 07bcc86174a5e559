import AuthorizationPolicy
import GRDB
import LocationModel
import NIOCore
import NIOPosix
import TestSupport
import Testing

@testable import LocationCore

/// Several rows about one app: the strictest one holds, and one row is left afterwards.
@Suite struct StoreRepeatedAppTests {
    private let loop = MultiThreadedEventLoopGroup.singleton.next()
    private let temporary: TemporaryFolder
    private var path: String { temporary.path + "/locationd.db" }
    private let maps = AppKey(uid: 1000, app: AppIdentity("exe:/usr/bin/maps")!)

    init() throws {
        temporary = try TemporaryFolder()
    }

    private func open() -> Store { Store(path: path, timestamp: "then") }

    private func count() throws -> Int? {
        try Store.behindItsBack(path) { try Int.fetchOne($0, sql: "SELECT count(*) FROM decision") }
    }

    /// Attack: an app has a name of other bytes that mean the same characters, and gets what the other app was
    /// granted.
    @Test(arguments: [("caf\u{e9}", "cafe\u{301}"), ("K", "\u{212a}")], [false, true])
    func namesThatMeanTheSame(_ names: (String, String), isSwapped: Bool) async throws {
        let app = [names.0, names.1].map { AppKey(uid: 1000, app: AppIdentity("exe:/usr/bin/\($0)")!) }
        let (denied, granted) = isSwapped ? (app[1], app[0]) : (app[0], app[1])
        let store = open()
        try await store.record(Decision(level: .always), about: granted, on: loop).get()
        try await store.record(.denied, about: denied, on: loop).get()
        #expect(try count() == 2)
        let table = open().loadDecisions().table
        #expect(table.decision(about: denied) == .denied)
        #expect(try count() == table.decidedApps(of: nil).count)
        try await store.record(nil, about: granted, on: loop).get()
        for app in [granted, denied] { #expect(open().loadDecisions().table.decision(about: app)?.grants != true) }
    }

    /// The rows are in a table that has lost its key.
    @Test(
        arguments: [
            ([Decision(level: .always), .denied], Decision.denied),
            ([.denied, Decision(level: .always)], .denied),
            ([Decision(level: .always), Decision(level: .whenInUse)], Decision(level: .whenInUse)),
            (
                [Decision(level: .always, accuracy: .reduced), Decision(level: .whenInUse)],
                Decision(level: .whenInUse, accuracy: .reduced)
            ),
            (
                [Decision(level: .whenInUse, lifetime: .once), Decision(level: .whenInUse)],
                Decision(level: .whenInUse, lifetime: .once)
            ),
            ([Decision(level: .always), Decision(level: .always), Decision(level: .denied)], .denied),
            ([Decision(level: .always), Decision(level: .always)], Decision(level: .always)),
        ] as [([Decision], Decision)])
    func rowsOfOneApp(_ rows: [Decision], holds: Decision) async throws {
        let queue = try Store.openSound(path)
        try await queue.write { database in
            try database.execute(
                sql: """
                    CREATE TABLE other AS SELECT * FROM decision; DROP TABLE decision;
                    ALTER TABLE other RENAME TO decision
                    """)
            for row in rows { try DecisionRow.insert(row, about: maps, into: database) }
        }
        try queue.close()
        #expect(try count() == rows.count)
        let store = open()
        #expect(store.loadDecisions().table.decision(about: maps) == holds)
        #expect(store.loadDecisions().notices == [])
        #expect(try count() == 1)
        #expect(open().loadDecisions().table.decision(about: maps) == holds)
        try await store.record(nil, about: maps, on: loop).get()
        #expect(open().loadDecisions().table.decidedApps(of: nil) == [])
    }
}
