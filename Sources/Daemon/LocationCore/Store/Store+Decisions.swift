internal import AuthorizationPolicy
internal import GRDB
internal import LocationModel
internal import NIOCore

/// Decisions about apps, and the services switches.
extension Store {
    /// Returns the stored decisions. A row that cannot be read, or does not match its checksum, grants nothing.
    /// `notices` names such rows, with what to do about them.
    ///
    /// - Parameter firstRevision: The revision of the stored decisions.
    func loadDecisions(firstRevision: UInt64 = 1) -> (table: AuthorizationTable, notices: [String]) {
        do {
            return try update { queue, checksum in
                let stored = try queue.read { try StoredDecisions($0, checksum) }
                // If the disk cannot be written, the rows stay, and so does the authorization.
                if !stored.repeated.isEmpty { try? queue.write { try stored.removeRepeated(checksum, from: $0) } }
                return (stored.table(firstRevision: firstRevision), stored.notices(path))
            } ?? (AuthorizationTable(), [])
        } catch {
            // Location services stay off while it is unknown whether the user had turned them off.
            return (
                AuthorizationTable(machineServicesEnabled: false),
                [
                    """
                    the decisions in the database \(path) cannot be read (\(error)), so nothing is granted: fix \
                    that, or move the file away to start with a new one, then start locationd again
                    """
                ]
            )
        }
    }

    /// Writes a decision, or deletes it if it is `nil`. Succeeds once that is on the disk.
    ///
    /// A decision that grants nothing erases the data kept under a grant, in the same transaction: the app's
    /// registrations and events. Any decision but `always` erases the visits if it leaves the user no app that may have
    /// the location always.
    ///
    /// Attack: the power is cut after the decision was written. Without the transaction, the regions and sockets of the
    /// app would be there again, and a later grant would start the app from them.
    func record(_ decision: Decision?, about key: AppKey, on loop: any EventLoop) -> EventLoopFuture<Void> {
        let isErasing = decision?.grants != true
        let endsAlways = decision?.level != .always
        return write(on: loop, erasing: { $0 }) { database, checksum in
            if let decision {
                try DecisionRow.insert(decision, about: key, checksum, into: database)
            } else {
                try DecisionRow.delete(key, from: database)
            }
            if decision?.lifetime != .once { try Self.deleteOnceHolders(of: key, from: database) }
            if isErasing { try MonitoringChange.removeApp(key).write(into: database) }
            if endsAlways { try Self.eraseUnobservedVisits(database) }
            return isErasing || (endsAlways && database.changesCount > 0)
        }.map { _ in }
    }

    /// Deletes the visits of users without an app that may have the location always.
    private static func eraseUnobservedVisits(_ database: Database) throws {
        try database.execute(
            sql: """
                DELETE FROM visit WHERE uid NOT IN
                (SELECT uid FROM decision WHERE level = 'always')
                """)
    }

    /// Writes a services switch, of a user or, if `uid` is `nil`, of the machine.
    func setServicesEnabled(_ enabled: Bool, for uid: UInt32?, on loop: any EventLoop) -> EventLoopFuture<Void> {
        write(on: loop) { database, checksum in
            let off = ServicesOffRow(user: uid)
            if !enabled { return try off.insert(checksum, into: database) }
            try off.delete(checksum, from: database)
            // Because of these rows, location services were off for the machine.
            if uid == nil {
                try ServicesOffRow.deleteUnmatched(checksum, from: database)
                try Self.deleteUnmatchedLimits(checksum, from: database)
            }
        }
    }
}
