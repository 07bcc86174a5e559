internal import Authorization
internal import GRDB
internal import NIOCore
internal import NIOPosix

/// What is kept on disk: decisions, the services switches, and what monitoring keeps, in SQLite.
///
/// A decision is on the disk when its future succeeds: the journal is synchronised at each commit (synchronous FULL), so
/// neither `kill -9` nor a power cut takes it back. All writing is done on a thread of its own, in the order of the
/// calls; the event loop never waits for the disk.
struct Store: Sendable {
    /// Why a decision could not be written.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private enum Backing {
        case open(DatabaseQueue)
        /// The file could not be opened. Nothing can be granted; the daemon runs and says so.
        case unavailable(reason: String)
    }

    private let backing: Backing
    /// One thread that waits for the disk, so that writes keep their order. Not Dispatch's: see `LocationService`.
    private let thread = NIOThreadPool(numberOfThreads: 1)

    /// What happened to the database at the start, for the log.
    let notices: [String]

    /// Opens the database, making it where there is none.
    ///
    /// A file that is damaged is set aside under a name of its own, never deleted, and a new one takes its place: the
    /// apps that it named have to be granted again. `timestamp` is part of the name that it is set aside under. A file that
    /// cannot be used for another reason is left alone.
    ///
    /// - Parameter patience: How long another process that has locked the file is waited for, in seconds.
    init(path: String, timestamp: String, patience: Double = 5) {
        thread.start()
        (backing, notices) = Self.open(path, timestamp: timestamp, patience: patience)
    }

    private static func open(_ path: String, timestamp: String, patience: Double) -> (Backing, notices: [String]) {
        do {
            // SQLite takes it for a new one.
            let isEmpty = size(path) == 0
            let queue = try openSound(path, patience: patience)
            if isEmpty {
                return (.open(queue), ["the database \(path) was empty: every app has to be granted again"])
            }
            do {
                try checkWritable(queue)
                return (.open(queue), [])
            } catch {
                return (.open(queue), [StoreFault(error).noticeOfReading(path, error)])
            }
        } catch {
            let fault = StoreFault(error)
            guard fault == .damaged else {
                return (.unavailable(reason: "\(error)"), [fault.notice(path, error)])
            }
            do {
                let aside = try setAside(path, suffix: ".damaged-\(timestamp)")
                return (
                    .open(try openSound(path, patience: patience)),
                    ["the database is damaged (\(error)): set aside as \(aside); every app has to be granted again"]
                )
            } catch let second {
                return (
                    .unavailable(reason: "\(second)"),
                    [
                        "the database \(path) is damaged (\(error)) and cannot be set aside (\(second)), so nothing is "
                            + "granted: move it away, then start locationd again"
                    ]
                )
            }
        }
    }

    /// The decisions as they are on disk. What cannot be read grants nothing; `unreadable` says what that was.
    func load() -> (table: AuthorizationTable, unreadable: [String]) {
        do {
            return try read { database in
                var decisions: [AppKey: Decision] = [:]
                var unreadable: [String] = []
                let sql = "SELECT uid, app, level, accuracy, lifetime, until, alwaysQuestionSpent FROM decision"
                for row in try Row.fetchAll(database, sql: sql) {
                    if let (key, decision) = DecisionRow.parse(row) {
                        decisions[key] = decision
                    } else {
                        unreadable.append("\(row["uid"] as DatabaseValue) \(row["app"] as DatabaseValue)")
                    }
                }
                let off = try (Int64?).fetchAll(database, sql: "SELECT uid FROM servicesOff")
                let table = AuthorizationTable(
                    decisions: decisions, machineServicesEnabled: !off.contains(nil),
                    usersWithServicesDisabled: Set(off.compactMap { $0.flatMap(UInt32.init(exactly:)) }))
                return (table, unreadable)
            } ?? (AuthorizationTable(), [])
        } catch {
            // Location services stay off as long as nobody knows whether the person had switched them off.
            return (AuthorizationTable(machineServicesEnabled: false), ["every decision: \(error)"])
        }
    }

    /// Writes a decision, or with `nil` forgets it. Succeeds once it is on the disk.
    func record(_ decision: Decision?, about key: AppKey, on loop: any EventLoop) -> EventLoopFuture<Void> {
        write(on: loop) { database in
            if let decision {
                try DecisionRow.insert(decision, about: key, into: database)
            } else {
                try database.execute(
                    sql: "DELETE FROM decision WHERE uid = ? AND app = ?",
                    arguments: [Int64(key.uid), key.app.description])
            }
        }
    }

    /// Writes a services switch: of a user, or where `uid` is `nil` of the machine.
    func setServicesEnabled(_ enabled: Bool, for uid: UInt32?, on loop: any EventLoop) -> EventLoopFuture<Void> {
        write(on: loop) { database in
            let uid = uid.map(Int64.init)
            try database.execute(sql: "DELETE FROM servicesOff WHERE uid IS ?", arguments: [uid])
            if !enabled { try database.execute(sql: "INSERT INTO servicesOff (uid) VALUES (?)", arguments: [uid]) }
        }
    }

    /// Reads, waiting for it; `nil` where the database could not be opened.
    func read<Value>(_ body: (Database) throws -> Value) throws -> Value? {
        guard case .open(let queue) = backing else { return nil }
        return try queue.read(body)
    }

    /// Reads on the store's thread, after what is to be written before; `body` gets `nil` where the database could not be opened.
    func read<Value: Sendable>(
        on loop: any EventLoop, _ body: @escaping @Sendable (Database?) throws -> Value
    ) -> EventLoopFuture<Value> {
        thread.runIfActive(eventLoop: loop) {
            do {
                guard case .open(let queue) = backing else { return try body(nil) }
                return try queue.read(body)
            } catch {
                throw Failure(description: "\(error)")
            }
        }
    }

    /// Runs `change` in a transaction on the store's thread. Succeeds once it is on the disk.
    ///
    /// - Parameter erasing: Whether what is deleted must not stay in the journal either, where older pages are kept
    ///   until it is written over. As long as another process reads the database it stays there.
    func write(
        on loop: any EventLoop, erasing: Bool = false, _ change: @escaping @Sendable (Database) throws -> Void
    ) -> EventLoopFuture<Void> {
        switch backing {
        case .unavailable(let reason):
            return loop.makeFailedFuture(Failure(description: "the database cannot be opened: \(reason)"))
        case .open(let queue):
            return thread.runIfActive(eventLoop: loop) {
                do {
                    try queue.write(change)
                } catch {
                    throw Failure(description: "\(error)")
                }
                if erasing { _ = try? queue.writeWithoutTransaction { try $0.checkpoint(.truncate) } }
            }
        }
    }
}
