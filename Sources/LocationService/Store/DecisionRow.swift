internal import Authorization
internal import GRDB

/// A decision as a row of the table `decision`.
enum DecisionRow {
    /// The decision in a row; `nil` when any part of it is not understood.
    static func parse(_ row: Row) -> (AppKey, Decision)? {
        guard let storedUID = Int64.fromDatabaseValue(row["uid"]), let uid = UInt32(exactly: storedUID),
            let app = text(row["app"]).flatMap({ AppIdentity($0) }),
            let level = text(row["level"]).flatMap(Decision.Level.init(rawValue:)),
            let accuracy = text(row["accuracy"]).flatMap(AccuracyAuthorization.init(rawValue:)),
            let lifetime = lifetime(text(row["lifetime"]), until: Int64.fromDatabaseValue(row["until"]))
        else { return nil }
        let spent = Bool.fromDatabaseValue(row["alwaysQuestionSpent"]) ?? false
        return (
            AppKey(uid: uid, app: app),
            Decision(level: level, accuracy: accuracy, lifetime: lifetime, alwaysQuestionSpent: spent)
        )
    }

    /// Writes a decision in the place of an older one.
    static func insert(_ decision: Decision, about key: AppKey, into database: Database) throws {
        let (lifetime, until): (String, Int64?) =
            switch decision.lifetime {
            case .permanent: ("permanent", nil)
            case .once: ("once", nil)
            case .until(let seconds): ("until", seconds)
            }
        try database.execute(
            sql: """
                INSERT OR REPLACE INTO decision (uid, app, level, accuracy, lifetime, until, alwaysQuestionSpent)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                Int64(key.uid), key.app.description, decision.level.rawValue, decision.accuracy.rawValue, lifetime,
                until, decision.alwaysQuestionSpent,
            ])
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
