internal import AuthorizationPolicy
internal import FoundationEssentials
internal import GRDB
internal import LocationModel
internal import NIOCore

/// The rows, besides the decisions, that determine access after a restart: the processes with a grant for "once", and
/// the limits of desktops.
extension Store {
    /// Returns the stored processes of that start of the machine. Rows that are not understood are left out.
    func loadOnceHolders(boot: String) -> [AppKey: [ProcessStart]] {
        // Without an ID, a process of another start could be taken for one of this start.
        guard !boot.isEmpty else { return [:] }
        let rows = try? update { queue, checksum in
            try queue.read { database in
                try Row.fetchAll(
                    database,
                    sql: "SELECT uid, CAST(app AS BLOB) AS app, boot, pid, start, checksum FROM onceHolder"
                ).compactMap { row -> (AppKey, ProcessStart)? in
                    guard let app = DecisionRow.key(row), String.fromDatabaseValue(row["boot"]) == boot,
                        let pid = Int64.fromDatabaseValue(row["pid"]).flatMap(Int32.init(exactly:)),
                        let start = Int64.fromDatabaseValue(row["start"]).flatMap(UInt64.init(exactly:))
                    else { return nil }
                    let process = ProcessStart(pid: pid, ticks: start)
                    guard
                        Int64.fromDatabaseValue(row["checksum"])
                            == checksum.checksum(ofHolder: process, boot: boot, of: app)
                    else { return nil }
                    return (app, process)
                }
            }
        }
        return Dictionary(grouping: rows.flatMap(\.self) ?? [], by: \.0).mapValues { $0.map(\.1) }
    }

    /// Writes the processes with a grant for "once", replacing those stored for the same apps. Succeeds once that is on
    /// the disk.
    func set(onceHolders: [AppKey: [ProcessStart]], boot: String, on loop: any EventLoop) -> EventLoopFuture<Void> {
        write(on: loop) { database, checksum in
            for (app, processes) in onceHolders {
                try Self.deleteOnceHolders(of: app, from: database)
                for process in processes {
                    try database.execute(
                        sql: "INSERT INTO onceHolder (uid, app, boot, pid, start, checksum) VALUES (?, ?, ?, ?, ?, ?)",
                        arguments: [
                            Int64(app.uid), app.app.description, boot, Int64(process.pid),
                            Int64(clamping: process.ticks),
                            checksum.checksum(ofHolder: process, boot: boot, of: app),
                        ])
                }
            }
        }
    }

    static func deleteOnceHolders(of app: AppKey, from database: Database) throws {
        try database.execute(
            sql: "DELETE FROM onceHolder WHERE uid = ? AND app = ?", arguments: [Int64(app.uid), app.app.description])
    }

    /// Writes the limits of a user's desktops, replacing the stored ones. Succeeds once that is on the disk.
    ///
    /// A row that does not match may not be this user's. It stays, but gives up its key, which has to be unique.
    func set(
        desktopLimits: [AppIdentity: DesktopLimit], of uid: UInt32, on loop: any EventLoop
    ) -> EventLoopFuture<Void> {
        write(on: loop) { database, checksum in
            let columns = "SELECT rowid, \(DesktopLimit.columns) FROM desktopLimit WHERE uid = ?"
            for row in try Row.fetchAll(database, sql: columns, arguments: [Int64(uid)]) {
                let change =
                    DesktopLimit.parse(row, checksum) == nil
                    ? "UPDATE desktopLimit SET uid = -rowid WHERE rowid = ?"
                    : "DELETE FROM desktopLimit WHERE rowid = ?"
                try database.execute(sql: change, arguments: [row["rowid"] as Int64])
            }
            for (agent, limit) in desktopLimits {
                try database.execute(
                    sql: "INSERT INTO desktopLimit (uid, app, maximum, checksum) VALUES (?, ?, ?, ?)",
                    arguments: [
                        Int64(uid), agent.description, limit.rawValue,
                        checksum.checksum(of: limit, by: AppKey(uid: uid, app: agent)),
                    ])
            }
        }
    }

    /// Deletes the limits that do not match their checksums.
    static func deleteUnmatchedLimits(_ checksum: RowChecksum, from database: Database) throws {
        for row in try Row.fetchAll(database, sql: "SELECT rowid, \(DesktopLimit.columns) FROM desktopLimit")
        where DesktopLimit.parse(row, checksum) == nil {
            try database.execute(sql: "DELETE FROM desktopLimit WHERE rowid = ?", arguments: [row["rowid"] as Int64])
        }
    }
}

extension DesktopLimit {
    static let columns = "uid, CAST(app AS BLOB) AS app, maximum, checksum"

    /// Returns the limit in a row of the table `desktopLimit`, or `nil` if that does not match its checksum.
    static func parse(_ row: Row, _ checksum: RowChecksum) -> (AppKey, DesktopLimit)? {
        guard let agent = DecisionRow.key(row),
            let limit = String.fromDatabaseValue(row["maximum"]).flatMap(DesktopLimit.init(rawValue:)),
            Int64.fromDatabaseValue(row["checksum"]) == checksum.checksum(of: limit, by: agent)
        else { return nil }
        return (agent, limit)
    }
}
