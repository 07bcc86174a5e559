internal import GRDB
internal import LocationModel
internal import NIOCore

extension Store {
    /// Returns the stored monitoring data. Rows that cannot be read are left out. `unreadable` names their users and
    /// apps, but neither a place nor an app's name for one.
    func loadMonitoring() -> (records: MonitoringRecords, unreadable: [String]) {
        do {
            return try read { database in
                var unreadable: [String] = []
                func records<Record>(
                    _ table: String, _ columns: String, by order: String, _ record: (Row) -> Record?
                ) throws -> [Record] {
                    // By name, so that a missing column is an error here, and not when its value is read.
                    let sql = "SELECT \(columns) FROM \(table) ORDER BY \(order)"
                    return try Row.fetchAll(database, sql: sql).compactMap { row in
                        if let record = record(row) { return record }
                        let app = row.hasColumn("app") ? " \(row["app"] as DatabaseValue)" : ""
                        unreadable.append("\(table) of \(row["uid"] as DatabaseValue)\(app)")
                        return nil
                    }
                }
                let records = MonitoringRecords(
                    monitorings: try records(
                        "monitoring", "uid, app, kind, wake, since, lastDelivered", by: "uid, app, kind",
                        MonitoringRecord.init),
                    regions: try records(
                        "region",
                        """
                        uid, app, identifier, latitude, longitude, radius, uuid, major, minor, notifyOnEntry, \
                        notifyOnExit, wake, since, state
                        """, by: "uid, app, identifier", RegionRecord.init),
                    pending: try records(
                        "pendingEvent", "uid, app, kind, subject, parameters", by: "rowid", PendingEvent.init),
                    visits: try records(
                        "visit", "uid, arrival, latitude, longitude, horizontalAccuracy, departure", by: "uid, arrival",
                        VisitRecord.init))
                return (records, unreadable)
            } ?? (MonitoringRecords(), [])
        } catch {
            return (MonitoringRecords(), ["everything that is monitored: \(error)"])
        }
    }

    /// Writes changes in one transaction. Succeeds once they are on disk, with the failure of each change, or `nil`.
    ///
    /// Attack: an app makes a change that cannot be written, and other apps' changes in its transaction are lost.
    func write(_ changes: [MonitoringChange], on loop: any EventLoop) -> EventLoopFuture<[Failure?]> {
        write(on: loop, erasing: changes.contains(where: \.erases)) { database in
            try changes.map { change in
                do {
                    try database.inSavepoint {
                        try change.write(into: database)
                        return .commit
                    }
                    return nil
                } catch {
                    // A full disk ends the whole transaction.
                    guard database.isInsideTransaction else { throw error }
                    return Failure(description: "\(error)")
                }
            }
        }
    }
}

extension MonitoringChange {
    func write(into database: Database) throws {
        switch self {
        case .put(let record): try record.write(into: database)
        case .remove(let app, let kind):
            try database.execute(
                sql: "DELETE FROM monitoring WHERE uid = ? AND app = ? AND kind = ?",
                arguments: [app.storedUID, app.app.description, kind.rawValue])
        case .putRegion(let record): try record.write(into: database)
        // A text with a NUL is never stored, and the part before the NUL is another one's.
        case .removeRegion(_, let text) where text.utf8.contains(0): break
        case .removePendingEvent(_, _, let text) where text.utf8.contains(0): break
        case .removeRegion(let app, let identifier):
            try database.execute(
                sql: "DELETE FROM region WHERE uid = ? AND app = ? AND identifier = ?",
                arguments: [app.storedUID, app.app.description, identifier])
        case .putPending(let event): try event.write(into: database)
        case .removePendingEvent(let app, let kind, let subject):
            try database.execute(
                sql: "DELETE FROM pendingEvent WHERE uid = ? AND app = ? AND kind = ? AND subject = ?",
                arguments: [app.storedUID, app.app.description, kind.rawValue, subject])
        case .removePendingEvents(let app):
            try database.execute(
                sql: "DELETE FROM pendingEvent WHERE uid = ? AND app = ?",
                arguments: [app.storedUID, app.app.description])
        case .removeApp(let app):
            for table in ["monitoring", "region", "pendingEvent"] {
                try database.execute(
                    sql: "DELETE FROM \(table) WHERE uid = ? AND app = ?",
                    arguments: [app.storedUID, app.app.description])
            }
        case .putVisit(let record): try record.write(into: database)
        case .clearVisits(let uid):
            try database.execute(sql: "DELETE FROM visit WHERE uid = ?", arguments: [Int64(uid)])
        case .clearVisitsBefore(let moment):
            try database.execute(
                sql: "DELETE FROM visit WHERE arrival < ?", arguments: [moment.millisecondsSince1970])
        }
    }

    /// A Boolean value indicating whether the change erases something that must not stay in the journal: where a user
    /// was, or what an app has registered. A record without a location may replace one that has it, and a region whose
    /// state is unknown another region, or a state.
    fileprivate var erases: Bool {
        switch self {
        case .remove, .removeRegion, .removePendingEvent, .removePendingEvents, .removeApp: true
        case .clearVisits, .clearVisitsBefore: true
        case .put(let record): record.lastDelivered == nil
        case .putRegion(let record): record.state == .unknown
        case .putPending, .putVisit: false
        }
    }
}
