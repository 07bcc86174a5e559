import Foundation
import StateFiles
import TestSupport
import Testing

/// Databases that are moved out of the way, and the deletion of the moved files.
@Suite struct SetAsideTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path + "/a.db" }
    private var names: Set<String> {
        Set((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [])
    }

    init() throws { folder = try TemporaryFolder() }

    private func write(_ names: String...) throws { for name in names { try folder.write(name, to: name) } }

    @Test func allFilesOfADatabaseAreRenamed() throws {
        try write("a.db", "a.db-wal", "a.db-shm", "a.db2")
        #expect(try setAside(database: path, suffix: ".damaged-1") == path + ".damaged-1")
        #expect(names == ["a.db.damaged-1", "a.db.damaged-1-wal", "a.db.damaged-1-shm", "a.db2"])
    }

    /// The clock of a machine without a battery has the same time at each start.
    @Test func nothingIsReplaced() throws {
        try write("a.db", "a.db.damaged-1", "a.db.damaged-1-2-wal")
        #expect(try setAside(database: path, suffix: ".damaged-1") == path + ".damaged-1-3")
        #expect(try String(contentsOfFile: path + ".damaged-1", encoding: .utf8) == "a.db.damaged-1")
    }

    @Test func whatWasSetAsideIsDeletedAlone() throws {
        try write("a.db", "a.db-wal", "a.db.damaged-1", "a.db.damaged-1-wal", "a.db.other-2", "b.db.damaged-1")
        try write("a.db.d")
        try removeSetAside(database: path, suffixes: [".damaged-", ".other-"])
        #expect(names == ["a.db", "a.db-wal", "b.db.damaged-1", "a.db.d"])
        try removeSetAside(database: path, suffixes: [".damaged-"])
    }

    @Test func aFolderThatIsNotThere() throws {
        #expect {
            try removeSetAside(database: "/nowhere/a.db", suffixes: [".damaged-"])
        } throws: {
            "\($0)".contains("/nowhere")
        }
    }
}
