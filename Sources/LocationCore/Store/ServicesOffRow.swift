internal import GRDB

/// A row of the table `servicesOff`: whom location services are off for.
struct ServicesOffRow {
    /// The user; `nil` is the machine.
    let user: UInt32?

    init(user: UInt32?) {
        self.user = user
    }

    /// `nil` when the row is not understood.
    init?(_ row: Row) {
        let value: DatabaseValue = row["uid"]
        guard !value.isNull else {
            user = nil
            return
        }
        guard let user = Int64.fromDatabaseValue(value).flatMap(UInt32.init(exactly:)) else { return nil }
        self.user = user
    }

    /// The switch in a row with a checksum; `nil` when the row does not match it.
    init?(_ row: Row, _ checksum: RowChecksum) {
        self.init(row)
        guard Int64.fromDatabaseValue(row["checksum"]) == checksum.checksum(ofServicesOffFor: user) else { return nil }
    }

    /// Writes it in the place of the same one.
    func insert(_ checksum: RowChecksum, into database: Database) throws {
        try delete(checksum, from: database)
        // A row that does not match is not known to be this user's: it stays, and has no part in who has one.
        try database.execute(sql: "UPDATE servicesOff SET uid = NULL WHERE uid = ?", arguments: [storedUser])
        try database.execute(
            sql: "INSERT INTO servicesOff (uid, checksum) VALUES (?, ?)",
            arguments: [storedUser, checksum.checksum(ofServicesOffFor: user)])
    }

    /// Gives a row of an older version its checksum.
    func addChecksum(_ checksum: RowChecksum, in database: Database) throws {
        try database.execute(
            sql: "UPDATE servicesOff SET checksum = ? WHERE uid IS ?",
            arguments: [checksum.checksum(ofServicesOffFor: user), storedUser])
    }

    /// Deletes it, and no row that does not match.
    func delete(_ checksum: RowChecksum, from database: Database) throws {
        try database.execute(
            sql: "DELETE FROM servicesOff WHERE uid IS ? AND checksum = ?",
            arguments: [storedUser, checksum.checksum(ofServicesOffFor: user)])
    }

    private var storedUser: Int64? { user.map { Int64($0) } }

    /// Deletes the rows of which nobody knows whose they are.
    static func deleteUnmatched(_ checksum: RowChecksum, from database: Database) throws {
        for row in try Row.fetchAll(database, sql: "SELECT rowid, uid, checksum FROM servicesOff")
        where ServicesOffRow(row, checksum) == nil {
            try database.execute(sql: "DELETE FROM servicesOff WHERE rowid = ?", arguments: [row["rowid"] as Int64])
        }
    }
}
