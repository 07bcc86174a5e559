internal import GRDB
internal import Glibc

extension Store {
    /// Why the database is not used, though nothing failed.
    enum Refusal: Error, CustomStringConvertible {
        /// The file is damaged in a way that SQLite takes for a file in which less was written.
        case damage(String)
        /// The schema has something that this program does not know.
        case newer

        var description: String {
            switch self {
            case .damage(let what): what
            case .newer: "it was made by a newer version of locationd"
            }
        }
    }

    /// Opens and migrates the database, and checks that it is whole.
    ///
    /// - Parameters:
    ///   - checksum: What the rows of an older version, which have none, are given.
    ///   - busyTimeout: How long another process that has locked it is waited for, in seconds.
    static func openSound(_ path: String, _ checksum: RowChecksum, busyTimeout: Double = 5) throws -> DatabaseQueue {
        // The smallest page; of what is still smaller SQLite takes some for new.
        if let size = size(path), (1..<512).contains(size) { throw Refusal.damage("the file was cut off") }
        try WriteAheadLog.check(path)
        var configuration = Configuration()
        configuration.label = "locationd.database"
        configuration.foreignKeysEnabled = true
        // Somebody may look into the file, or a daemon that ends may be closing it: no reason to grant nothing.
        configuration.busyMode = .timeout(busyTimeout)
        let migrator = migrator(checksum)
        configuration.prepareDatabase { database in
            // Before anything is written. What a newer version keeps may mean less than it seems to this one.
            guard try !migrator.hasBeenSuperseded(database) else { throw Refusal.newer }
            // Not by GRDB's own setting for WAL: that one synchronises at checkpoints only, and a power cut would take the
            // last decisions back.
            try database.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL")
            // Attack: someone gets the disk, and with it the places that were deleted but not written over.
            try database.execute(sql: "PRAGMA secure_delete = ON")
        }
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        try queue.read { try check($0, "quick_check(1)") }
        try migrator.migrate(queue)
        // Attack, or accident: a row whose key is damaged is not in its place any more, and those behind it are not found by
        // their keys: a revocation would delete nothing. Of the large tables that is not worth the time.
        try queue.read { database in
            for table in ["decision", "servicesOff"] { try check(database, "integrity_check('\(table)')") }
        }
        // What an earlier process left in the journal is not told from new damage the next time; see `WriteAheadLog`. It is
        // no failure where another process reads the file just now.
        _ = try? queue.writeWithoutTransaction { try $0.checkpoint(.truncate) }
        return queue
    }

    private static func check(_ database: Database, _ pragma: String) throws {
        let verdict = try String.fetchOne(database, sql: "PRAGMA \(pragma)") ?? "no answer"
        guard verdict == "ok" else { throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: verdict) }
    }

    /// Fails where the database can be read but not written. Nothing comes to the disk.
    static func checkWritable(_ queue: DatabaseQueue) throws {
        // In a file that is read-only a transaction alone begins without an error.
        try queue.write { try $0.execute(sql: "DELETE FROM servicesOff WHERE FALSE") }
    }

    /// The length of a file in bytes; `nil` where there is none.
    static func size(_ path: String) -> Int? {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return status.st_size
    }

    /// Renames the database and what belongs to it, to names that nothing has yet; the new name of the main file.
    static func setAside(_ path: String, suffix: String) throws -> String {
        let parts = ["", "-wal", "-shm"]
        var aside = path + suffix
        var number = 1
        // The clock of a machine without a battery tells the same time at each start.
        while parts.contains(where: { access(aside + $0, F_OK) == 0 }) {
            number += 1
            aside = "\(path)\(suffix)-\(number)"
        }
        for part in parts where access(path + part, F_OK) == 0 {
            guard rename(path + part, aside + part) == 0 else {
                throw Failure(description: "renaming \(path + part): \(String(cString: strerror(errno)))")
            }
        }
        return aside
    }
}
