internal import AuthorizationPolicy
internal import GRDB
internal import LocationModel
internal import NIOCore

/// Decisions about apps, and the services switches.
extension Store {
    /// Returns the stored decisions. A row that cannot be read, or does not match its checksum, grants nothing.
    /// `notices` names such rows, with what to do about them.
    func loadDecisions() -> (table: AuthorizationTable, notices: [String]) {
        do {
            return try update { queue, checksum in
                let stored = try queue.read { try StoredDecisions($0, checksum) }
                // If the disk cannot be written, the rows stay, and so does the authorization.
                if !stored.repeated.isEmpty { try? queue.write { try stored.removeRepeated(checksum, from: $0) } }
                return (stored.table, stored.notices(path))
            } ?? (AuthorizationTable(), [])
        } catch {
            // Location services stay off while it is unknown whether the user had turned them off.
            return (
                AuthorizationTable(machineServicesEnabled: false),
                [
                    """
                    the decisions in the database \(path) cannot be read (\(error)), so nothing is granted: put that right, \
                    or move the file away to begin with none, then start locationd again
                    """
                ]
            )
        }
    }

    /// Writes a decision, or deletes it if it is `nil`. Succeeds once that is on the disk.
    func record(_ decision: Decision?, about key: AppKey, on loop: any EventLoop) -> EventLoopFuture<Void> {
        write(on: loop) { database, checksum in
            if let decision {
                try DecisionRow.insert(decision, about: key, checksum, into: database)
            } else {
                try DecisionRow.delete(key, from: database)
            }
        }
    }

    /// Writes a services switch, of a user or, if `uid` is `nil`, of the machine.
    func setServicesEnabled(_ enabled: Bool, for uid: UInt32?, on loop: any EventLoop) -> EventLoopFuture<Void> {
        write(on: loop) { database, checksum in
            let off = ServicesOffRow(user: uid)
            if !enabled { return try off.insert(checksum, into: database) }
            try off.delete(checksum, from: database)
            // Because of these rows, location services were off for the machine.
            if uid == nil { try ServicesOffRow.deleteUnmatched(checksum, from: database) }
        }
    }
}
