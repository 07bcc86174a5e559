internal import GRDB

/// A row of the table `servicesOff`: location services are off for a user or for the machine.
struct ServicesOffRow {
    /// The user, or `nil` for the machine.
    let user: UInt32?

    init(user: UInt32?) {
        self.user = user
    }

    /// Creates a row from a stored one, or `nil` if that is not understood.
    init?(_ row: Row) {
        let value: DatabaseValue = row["uid"]
        guard !value.isNull else {
            user = nil
            return
        }
        guard let user = Int64.fromDatabaseValue(value).flatMap(UInt32.init(exactly:)) else { return nil }
        self.user = user
    }

    /// Creates a row from a stored one, or `nil` if that does not match its checksum.
    init?(_ row: Row, _ checksum: RowChecksum) {
        self.init(row)
        guard Int64.fromDatabaseValue(row["checksum"]) == checksum.checksum(ofServicesOffFor: user) else { return nil }
    }

    /// Writes the row, replacing an older copy.
    func insert(_ checksum: RowChecksum, into database: Database) throws {
        try delete(checksum, from: database)
        // A row that does not match may not be this user's. It stays, but gives up the uid, which has to be unique.
        try database.execute(sql: "UPDATE servicesOff SET uid = NULL WHERE uid = ?", arguments: [storedUser])
        try database.execute(
            sql: "INSERT INTO servicesOff (uid, checksum) VALUES (?, ?)",
            arguments: [storedUser, checksum.checksum(ofServicesOffFor: user)])
    }

    /// Deletes the row if it matches its checksum.
    func delete(_ checksum: RowChecksum, from database: Database) throws {
        try database.execute(
            sql: "DELETE FROM servicesOff WHERE uid IS ? AND checksum = ?",
            arguments: [storedUser, checksum.checksum(ofServicesOffFor: user)])
    }

    private var storedUser: Int64? { user.map { Int64($0) } }

    /// Deletes the rows whose users are unknown, because they do not match.
    static func deleteUnmatched(_ checksum: RowChecksum, from database: Database) throws {
        for row in try Row.fetchAll(database, sql: "SELECT rowid, uid, checksum FROM servicesOff")
        where ServicesOffRow(row, checksum) == nil {
            try database.execute(sql: "DELETE FROM servicesOff WHERE rowid = ?", arguments: [row["rowid"] as Int64])
        }
    }
}
