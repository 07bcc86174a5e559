internal import GRDB
internal import LocationModel
internal import StateFiles

/// The file of the queue: opening, checking and setting aside.
enum QueueFile {
    /// The suffixes of files set aside, each followed by the time.
    private static let damaged = ".damaged-"
    private static let otherKey = ".other-key-"

    /// An opened queue.
    struct Opened {
        var database: DatabaseQueue
        var facts: QueueFacts
        /// The cipher of the contents, or `nil` for contents in the clear.
        var cipher: StateCipher?
        /// The messages about the file, for the log.
        var notices: [String] = []
    }

    /// Opens the file, and creates it if there is none. Sets aside a damaged file, and a file whose contents need
    /// another secret, or are in the clear despite a secret.
    ///
    /// Attack: the secret is missing for one start, because its TPM or server is unavailable, and a thief of the disk
    /// then reads a queue in the clear. So an encrypted queue is neither opened nor replaced without a secret.
    ///
    /// - Parameters:
    ///   - secret: The secret that encrypts the contents, or `nil` for contents in the clear.
    ///   - now: The time, for the name of a file that is set aside.
    ///   - busyTimeout: The time to wait for another process to unlock the file, in seconds.
    static func open(
        _ path: String, secret: [UInt8]?, now: Timestamp, busyTimeout: Double
    ) throws(QueueFailure) -> Opened {
        let failure: QueueFailure
        do {
            return try openSound(path, secret, busyTimeout)
        } catch {
            failure = error
        }
        let suffix: String
        switch failure {
        case .otherKey(path: _, isEncrypted: _, hasSecret: true): suffix = otherKey
        case _ where failure.isDamage: suffix = damaged
        default: throw failure
        }
        let aside: String
        do {
            aside = try setAside(database: path, suffix: "\(suffix)\(now)")
        } catch {
            throw QueueFailure(error, path: path)
        }
        var opened = try openSound(path, secret, busyTimeout)
        opened.notices = ["\(failure); it is set aside as \(aside), and its reports will not be sent"]
        return opened
    }

    /// Deletes all reports without reading them, and the files set aside. Other processes may have the file open.
    static func clear(_ path: String, now: Timestamp, busyTimeout: Double) throws(QueueFailure) {
        do {
            let database = try connect(path, busyTimeout)
            try database.write { database in
                try database.execute(sql: "DELETE FROM report")
                try database.execute(sql: "DELETE FROM refused")
            }
            try removeTraces(database, path)
        } catch {
            let failure = QueueFailure(error, path: path)
            guard failure.isDamage else { throw failure }
            try remove(path, now)
        }
    }

    /// Puts refused reports back into the queue, without reading them. Returns their number. No other process may use
    /// the file.
    static func requeue(_ path: String, busyTimeout: Double) throws(QueueFailure) -> Int {
        do {
            return try connect(path, busyTimeout).write { database in
                guard try database.tableExists("refused") else { return 0 }
                return try RefusedReports.requeue(database)
            }
        } catch {
            throw QueueFailure(error, path: path)
        }
    }

    private static func remove(_ path: String, _ now: Timestamp) throws(QueueFailure) {
        do {
            _ = try setAside(database: path, suffix: "\(damaged)\(now)")
            try removeSetAside(path)
        } catch {
            throw QueueFailure(error, path: path)
        }
    }

    /// Removes deleted reports from the journal, and deletes the files set aside.
    static func removeTraces(_ database: DatabaseQueue, _ path: String) throws {
        _ = try? database.writeWithoutTransaction { try $0.checkpoint(.truncate) }
        try removeSetAside(path)
    }

    private static func removeSetAside(_ path: String) throws(DirectoryFailure) {
        try StateFiles.removeSetAside(database: path, suffixes: [damaged, otherKey])
    }

    private static func connect(_ path: String, _ busyTimeout: Double) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.label = "locationd-publish.queue"
        configuration.busyMode = .timeout(busyTimeout)
        configuration.prepareDatabase { database in
            // Before writing anything: the data of a newer version must not be changed.
            let found = try QueueSchema.version(of: database)
            guard (0...QueueSchema.version).contains(found) else {
                throw QueueFailure.otherVersion(path: path, version: found)
            }
            // Nor a damaged file, which is kept as found.
            try QueueSchema.check(database)
            if try Int.fetchOne(database, sql: "PRAGMA page_count") == 0 {
                // Lets the file shrink again once the reports are sent.
                try database.execute(sql: "PRAGMA auto_vacuum = FULL")
            }
            try database.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL")
            // Attack: a thief gets the disk, and with it deleted locations that were not overwritten.
            try database.execute(sql: "PRAGMA secure_delete = ON")
            // Attack: the same. SQLite's temporary files in /var/tmp are never overwritten.
            try database.execute(sql: "PRAGMA temp_store = MEMORY")
        }
        return try DatabaseQueue(path: path, configuration: configuration)
    }

    private static func openSound(
        _ path: String, _ secret: [UInt8]?, _ busyTimeout: Double
    ) throws(QueueFailure) -> Opened {
        do {
            let database = try connect(path, busyTimeout)
            try database.write { try QueueSchema.prepare($0, secret: secret) }
            // Nor may previously deleted reports stay in the journal.
            _ = try? database.writeWithoutTransaction { try $0.checkpoint(.truncate) }
            let facts = try database.read { try QueueFacts($0) }
            let cipher = try secret.map { try StateCipher(secret: $0, queue: facts.name) }
            guard facts.keyCheck == cipher?.check else {
                throw QueueFailure.otherKey(path: path, isEncrypted: facts.keyCheck != nil, hasSecret: secret != nil)
            }
            return Opened(database: database, facts: facts, cipher: cipher)
        } catch {
            throw QueueFailure(error, path: path)
        }
    }
}
