internal import GRDB
internal import Glibc

extension Store {
    /// The reason why the database is not used, although no call failed.
    enum Refusal: Error, CustomStringConvertible {
        /// The file is damaged in a way that SQLite mistakes for a file with less written to it.
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

    /// Opens and migrates the database, and checks its integrity.
    ///
    /// - Parameter busyTimeout: The time to wait for another process that has locked the file, in seconds.
    static func openSound(_ path: String, busyTimeout: Double = 5) throws -> DatabaseQueue {
        // The smallest page size. SQLite mistakes some even smaller files for new ones.
        if let size = size(path), (1..<512).contains(size) { throw Refusal.damage("the file was cut off") }
        try WriteAheadLog.check(path)
        var configuration = Configuration()
        configuration.label = "locationd.database"
        configuration.foreignKeysEnabled = true
        // A user may inspect the file, or a daemon that ends may be closing it: no reason to grant nothing.
        configuration.busyMode = .timeout(busyTimeout)
        let migrator = migrator
        configuration.prepareDatabase { database in
            // Before anything is written. The data of a newer version may mean less than it seems to mean here.
            guard try !migrator.hasBeenSuperseded(database) else { throw Refusal.newer }
            // Not by GRDB's setting for WAL, which synchronises at checkpoints only: a power cut would undo
            // decisions.
            try database.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL")
            // In pages. The rows are few, and SQLite would set 20 pages aside for each of its caches.
            try database.execute(sql: "PRAGMA cache_size = 8")
            // Attack: a thief gets the disk, and with it the places that were deleted but not overwritten.
            try database.execute(sql: "PRAGMA secure_delete = ON")
            // Attack: the same. VACUUM would copy everything to a file in /var/tmp, which is never overwritten.
            try database.execute(sql: "PRAGMA temp_store = MEMORY")
        }
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        try queue.read { try check($0, "quick_check(1)") }
        try migrator.migrate(queue)
        // Attack, or accident: a row with a damaged key is no longer in its place, and the rows behind it are not found
        // by their keys: a revocation would delete nothing. The large tables are not worth the time.
        try queue.read { database in
            for table in ["decision", "servicesOff"] { try check(database, "integrity_check('\(table)')") }
        }
        // Frames left in the journal by an earlier process could not be distinguished from new damage the next time;
        // see `WriteAheadLog`. It is not a failure if another process is reading the file now.
        _ = try? queue.writeWithoutTransaction { try $0.checkpoint(.truncate) }
        return queue
    }

    private static func check(_ database: Database, _ pragma: String) throws {
        let verdict = try String.fetchOne(database, sql: "PRAGMA \(pragma)") ?? "no answer"
        guard verdict == "ok" else { throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: verdict) }
    }

    /// Throws if the database can be read but not written. Changes nothing on the disk.
    static func checkWritable(_ queue: DatabaseQueue) throws {
        // In a read-only file, a transaction alone begins without an error.
        try queue.write { try $0.execute(sql: "DELETE FROM servicesOff WHERE FALSE") }
    }

    /// Returns the length of a file in bytes, or `nil` if there is no such file.
    static func size(_ path: String) -> Int? {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return status.st_size
    }
}
