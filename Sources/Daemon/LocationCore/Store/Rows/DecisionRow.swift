internal import AuthorizationPolicy
internal import FoundationEssentials
internal import GRDB
internal import LocationModel

/// A decision as a row of the table `decision`.
///
/// Apps are compared as bytes, as in SQLite. GRDB would read a text up to its first NUL, and repair invalid UTF-8.
enum DecisionRow {
    /// The columns to read.
    static let columns = "uid, CAST(app AS BLOB) AS app, level, accuracy, lifetime, until, alwaysPromptSpent"

    /// Returns the decision in a row, or `nil` if any part of it except `alwaysPromptSpent` is not understood.
    static func parse(_ row: Row) -> (AppKey, Decision)? {
        guard let key = key(row),
            let level = text(row["level"]).flatMap(Decision.Level.init(rawValue:)),
            let accuracy = text(row["accuracy"]).flatMap(AccuracyAuthorization.init(rawValue:)),
            let lifetime = lifetime(text(row["lifetime"]), until: Int64.fromDatabaseValue(row["until"]))
        else { return nil }
        let spent = Bool.fromDatabaseValue(row["alwaysPromptSpent"]) ?? false
        return (key, Decision(level: level, accuracy: accuracy, lifetime: lifetime, alwaysPromptSpent: spent))
    }

    /// Returns the app that a row is about, or `nil` if its columns `uid` and `app` (as bytes) are not understood.
    static func key(_ row: Row) -> AppKey? {
        guard let uid = Int64.fromDatabaseValue(row["uid"]).flatMap(UInt32.init(exactly:)),
            let app = app(row).flatMap({ AppIdentity($0) })
        else { return nil }
        return AppKey(uid: uid, app: app)
    }

    /// Returns the app of a row that grants nothing, for the log: `uid app`, as far as it is readable.
    static func name(_ row: Row) -> String {
        let uid = Int64.fromDatabaseValue(row["uid"]).map(String.init) ?? "?"
        guard let app = app(row) else { return "\(uid) ?" }
        // A text that is not an app's identity may contain characters that a terminal acts on.
        return "\(uid) \(AppIdentity(app) == nil ? String(app.unicodeScalars.prefix(64)).debugDescription : app)"
    }

    /// Writes a decision, replacing an older one.
    static func insert(_ decision: Decision, about key: AppKey, _ checksum: RowChecksum, into database: Database)
        throws
    {
        try database.execute(
            sql: """
                INSERT OR REPLACE INTO decision
                (uid, app, level, accuracy, lifetime, until, alwaysPromptSpent, checksum)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                Int64(key.uid), key.app.description, decision.level.rawValue, decision.accuracy.rawValue,
                decision.lifetime.name, decision.lifetime.end, decision.alwaysPromptSpent,
                checksum.checksum(of: decision, about: key),
            ])
    }

    static func delete(_ key: AppKey, from database: Database) throws {
        try database.execute(
            sql: "DELETE FROM decision WHERE uid = ? AND app = ?",
            arguments: [Int64(key.uid), key.app.description])
    }

    private static func app(_ row: Row) -> String? {
        guard let bytes = Data.fromDatabaseValue(row["app"]), !bytes.contains(0) else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func text(_ value: DatabaseValue) -> String? { String.fromDatabaseValue(value) }

    private static func lifetime(_ name: String?, until: Int64?) -> Decision.Lifetime? {
        switch (name, until) {
        case ("permanent", nil): .permanent
        case ("once", nil): .once
        case ("until", let seconds?): .until(secondsSince1970: seconds)
        default: nil
        }
    }
}

extension Decision.Lifetime {
    /// The name of the lifetime in the database.
    var name: String {
        switch self {
        case .permanent: "permanent"
        case .once: "once"
        case .until: "until"
        }
    }
}
