import AuthorizationPolicy
import Foundation
import GRDB
import Glibc
import LocationModel
import NIOCore
import NIOPosix
import TestSupport
import Testing

@testable import LocationCore

/// Faults of the file or its disk. The store opens, reports the fault and a remedy, and grants nothing that it cannot
/// read. A file that is not damaged is left as it is.
@Suite struct StoreFaultTests {
    private let loop = MultiThreadedEventLoopGroup.singleton.next()
    private let temporary: TemporaryFolder
    private let maps = AppKey(uid: 1000, app: AppIdentity("app:org.gnome.Maps")!)
    private var folder: String { temporary.path }
    private var path: String { folder + "/locationd.db" }

    init() throws {
        temporary = try TemporaryFolder()
    }

    /// - Parameter busyTimeout: A short one is for a database that stays locked. A store that was released before may
    ///   still be closing its own.
    private func open(_ path: String? = nil, busyTimeout: Double = Store.testBusyTimeout) -> Store {
        Store(path: path ?? self.path, timestamp: "then", busyTimeout: busyTimeout)
    }

    private func grant(_ store: Store) async throws {
        try await store.record(Decision(level: .always), about: maps, on: loop).get()
    }

    /// Creates a database with a grant, and closes it.
    private func makeDatabase(in folder: String? = nil) async throws {
        let path = (folder ?? self.folder) + "/locationd.db"
        let queue = try Store.openSound(path)
        try await queue.write { try DecisionRow.insert(Decision(level: .always), about: maps, into: $0) }
        try queue.close()
    }

    /// Opens the database as another process would.
    private func anotherConnection() throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        return try DatabaseQueue(path: path, configuration: configuration)
    }

    private func files(_ folder: String? = nil) throws -> Set<String> {
        Set(try FileManager.default.contentsOfDirectory(atPath: folder ?? self.folder))
    }

    /// Expects that the store grants nothing and stores nothing, and that its notice contains `words`.
    private func expectNothing(_ store: Store, saying words: String...) async {
        #expect(store.notices.count == 1)
        for word in words { #expect(store.notices.first?.contains(word) == true, "\(store.notices)") }
        #expect(store.loadDecisions().table.decidedApps(of: nil) == [])
        #expect(store.loadDecisions().notices == [])
        await #expect(throws: Store.Failure.self) { try await grant(store) }
    }

    @Test func aSoundDatabaseCausesNoNotice() async throws {
        #expect(open().notices == [])
        try await makeDatabase()
        let store = open()
        #expect(store.notices == [])
        #expect(store.loadDecisions().table.decision(about: maps) == Decision(level: .always))
        let queue = try Store.openSound(path)
        #expect(try await queue.read { try Int.fetchOne($0, sql: "PRAGMA foreign_keys") } == 1)
    }

    // MARK: Left alone

    @Test func aNewerVersion() async throws {
        try await makeDatabase()
        let queue = try DatabaseQueue(path: path)
        try await queue.write { database in
            try database.execute(
                sql: """
                    INSERT INTO grdb_migrations VALUES ('something newer');
                    ALTER TABLE decision ADD COLUMN unless TEXT;
                    """)
        }
        // Another version may use another journal mode.
        try await queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = DELETE") }
        try queue.close()
        let content = try Data(contentsOf: URL(filePath: path))
        await expectNothing(open(), saying: path, "newer version", "install that version again")
        #expect(try Data(contentsOf: URL(filePath: path)) == content)
        #expect(try files() == ["locationd.db"])
    }

    /// Another process has locked the database exclusively.
    @Test func aLockedOne() async throws {
        try await makeDatabase()
        let queue = try anotherConnection()
        try await queue.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE")
        }
        await expectNothing(open(busyTimeout: 0.2), saying: path, "locked", "end the process")
        try await queue.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
        try queue.close()
        #expect(!(try files().contains { $0.contains("damaged") }))
        #expect(open().loadDecisions().table.decision(about: maps) != nil)
    }

    /// Another process is writing. The existing decisions can be read.
    @Test func oneThatIsBeingWritten() async throws {
        try await makeDatabase()
        let queue = try anotherConnection()
        try await queue.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
        let store = open(busyTimeout: 0.2)
        #expect(store.notices.count == 1)
        #expect(store.notices.first?.contains("read but not written") == true)
        #expect(store.loadDecisions().table.decision(about: maps) != nil)
        await #expect(throws: Store.Failure.self) { try await grant(store) }
        try await queue.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
        try await grant(store)
    }

    @Test func aFolderInItsPlace() async throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        await expectNothing(open(), saying: path, "cannot be opened", "start locationd again")
        #expect(try files() == ["locationd.db"])
    }

    @Test(.enabled(if: geteuid() != 0, "needs a user other than root, who can write everywhere"))
    func aFileThatMayNotBeWritten() async throws {
        try await makeDatabase()
        try FileManager.default.setAttributes([.posixPermissions: 0o400], ofItemAtPath: path)
        let store = open()
        #expect(store.notices.count == 1)
        #expect(store.notices.first?.contains("read but not written") == true, "\(store.notices)")
        #expect(store.notices.first?.contains("let the user that locationd runs as write it") == true)
        #expect(store.loadDecisions().table.decision(about: maps) != nil)
        await #expect(throws: Store.Failure.self) { try await grant(store) }
        try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: path)
        await expectNothing(open(), saying: path, "let the user that locationd runs as read and write it")
        #expect(!(try files().contains { $0.contains("damaged") }))
    }

    @Test(.enabled(if: geteuid() != 0, "needs a user other than root, who can write everywhere"))
    func aFolderThatMayNotBeWritten() async throws {
        try await makeDatabase()
        try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: folder)
        defer { try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder) }
        await expectNothing(open(), saying: path, "let the user that locationd runs as read and write it")
        #expect(try files() == ["locationd.db"])
        // A new database cannot be created there either.
        await expectNothing(open(folder + "/new.db"), saying: "new.db", "let the user")
    }

    // MARK: Disks for one test

    /// A Boolean value indicating whether this process is root and may mount. In a container, root may lack that right.
    private static let mayMount: Bool = {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("CapEff:") }
        let rights = line.flatMap { UInt64($0.split(separator: "\t").last ?? "", radix: 16) } ?? 0
        // capabilities(7): CAP_SYS_ADMIN is 21.
        return geteuid() == 0 && rights >> 21 & 1 == 1
    }()

    /// A small file system in memory.
    private struct Disk: ~Copyable {
        let path: String
        private let options: String

        init(_ path: String, kilobytes: Int) throws {
            self.path = path
            options = "size=\(kilobytes)k"
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
            try #require(mount("tmpfs", path, "tmpfs", 0, options) == 0, "mount: errno \(errno)")
        }

        deinit { umount2(path, Int32(MNT_DETACH)) }

        func makeReadOnly() async throws {
            let (path, options) = (self.path, self.options)
            // A process that another test starts has copies of this process's descriptors until its execve(2). The disk
            // is busy while one of them is open for writing.
            try await eventually("the disk to be idle") {
                let status = mount("tmpfs", path, "tmpfs", UInt(MS_REMOUNT | MS_RDONLY), options)
                let error = errno
                try #require(status == 0 || error == EBUSY, "mount: errno \(error)")
                return status == 0
            }
        }

        /// Uses up all room on the disk.
        func fill() throws {
            let filler = path + "/filler"
            try #require(FileManager.default.createFile(atPath: filler, contents: nil))
            let file = try #require(FileHandle(forWritingAtPath: filler))
            #expect(throws: (any Error).self) {
                while true { try file.write(contentsOf: Data(repeating: 0x20, count: 1024)) }
            }
            try file.close()
        }

        /// Removes the file that uses up the room. It is emptied first: a process that another test starts has a copy
        /// of its descriptor until its execve(2), and a removed file keeps its room while it is open.
        func makeRoom() throws {
            let filler = path + "/filler"
            try #require(truncate(filler, 0) == 0, "truncate: errno \(errno)")
            try FileManager.default.removeItem(atPath: filler)
        }
    }

    @Test(.enabled(if: mayMount, "needs root with CAP_SYS_ADMIN: mounts a disk"))
    func aDiskThatIsMountedReadOnly() async throws {
        let disk = try Disk(folder + "/disk", kilobytes: 1024)
        try await makeDatabase(in: disk.path)
        try await disk.makeReadOnly()
        await expectNothing(
            open(disk.path + "/locationd.db"), saying: "/disk/locationd.db",
            "let the user that locationd runs as read and write it")
        #expect(try files(disk.path) == ["locationd.db"])
    }

    @Test(.enabled(if: mayMount, "needs root with CAP_SYS_ADMIN: mounts a disk"))
    func aFullDisk() async throws {
        let disk = try Disk(folder + "/disk", kilobytes: 512)
        let path = disk.path + "/locationd.db"
        try await makeDatabase(in: disk.path)
        let content = try Data(contentsOf: URL(filePath: path))
        try disk.fill()
        await expectNothing(open(path), saying: path, "free space on the disk")
        #expect(try Data(contentsOf: URL(filePath: path)) == content)
        #expect(!(try files(disk.path).contains { $0.contains("damaged") }))
        try disk.makeRoom()
        let store = open(path)
        #expect(store.notices == [])
        #expect(store.loadDecisions().table.decision(about: maps) == Decision(level: .always))
    }

    /// Existing grants hold, a grant that cannot be written is refused, and all is well once there is room again.
    @Test(.enabled(if: mayMount, "needs root with CAP_SYS_ADMIN: mounts a disk"))
    func aDiskThatFillsUp() async throws {
        let disk = try Disk(folder + "/disk", kilobytes: 512)
        let path = disk.path + "/locationd.db"
        let store = open(path)
        try await grant(store)
        try disk.fill()
        var granted: [AppKey] = []
        var isRefused = false
        for number in 0..<1000 where !isRefused {
            let app = AppKey(uid: 1000, app: AppIdentity("exe:/" + String(repeating: "x", count: 2000) + "\(number)")!)
            do {
                try await store.record(Decision(level: .whenInUse), about: app, on: loop).get()
                granted.append(app)
            } catch let failure as Store.Failure {
                #expect(failure.description.contains("full"), "\(failure)")
                isRefused = true
            }
        }
        #expect(isRefused)
        #expect(Set(store.loadDecisions().table.decidedApps(of: nil)) == Set(granted + [maps]))
        try disk.makeRoom()
        try await store.record(nil, about: maps, on: loop).get()
        let reopened = open(path)
        #expect(reopened.notices == [])
        #expect(Set(reopened.loadDecisions().table.decidedApps(of: nil)) == Set(granted))
    }

    /// The disk is full at the very first start.
    @Test(.enabled(if: mayMount, "needs root with CAP_SYS_ADMIN: mounts a disk"))
    func aDiskWithoutRoomForANewOne() async throws {
        let disk = try Disk(folder + "/disk", kilobytes: 512)
        try disk.fill()
        await expectNothing(open(disk.path + "/locationd.db"), saying: "free space on the disk")
        try disk.makeRoom()
        try await grant(open(disk.path + "/locationd.db"))
    }
}
