internal import AuthorizationPolicy
internal import GRDB
internal import LocationModel
internal import NIOCore

/// What was decided about apps, and the services switches.
extension Store {
    /// The decisions as they are on disk. What cannot be read, or does not match its checksum, grants nothing; `notices`
    /// says what that is, and what to do.
    func load() -> (table: AuthorizationTable, notices: [String]) {
        do {
            return try update { queue, checksum in
                let stored = try queue.read { try StoredDecisions($0, checksum) }
                // On a disk that cannot be written they stay, and so does what holds.
                if !stored.repeated.isEmpty { try? queue.write { try stored.removeRepeated(checksum, from: $0) } }
                return (stored.table, stored.notices(path))
            } ?? (AuthorizationTable(), [])
        } catch {
            // Location services stay off as long as nobody knows whether the user had switched them off.
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

    /// Writes a decision, or with `nil` forgets it. Succeeds once it is on the disk.
    func record(_ decision: Decision?, about key: AppKey, on loop: any EventLoop) -> EventLoopFuture<Void> {
        write(on: loop) { database, checksum in
            if let decision {
                try DecisionRow.insert(decision, about: key, checksum, into: database)
            } else {
                try DecisionRow.delete(key, from: database)
            }
        }
    }

    /// Writes a services switch: of a user, or where `uid` is `nil` of the machine.
    func setServicesEnabled(_ enabled: Bool, for uid: UInt32?, on loop: any EventLoop) -> EventLoopFuture<Void> {
        write(on: loop) { database, checksum in
            let off = ServicesOffRow(user: uid)
            if !enabled { return try off.insert(checksum, into: database) }
            try off.delete(checksum, from: database)
            // The machine was off for them.
            if uid == nil { try ServicesOffRow.deleteUnmatched(checksum, from: database) }
        }
    }
}
