/// The check for databases that were damaged and set aside.
enum DatabaseCheck {
    static func findings(in facts: Facts) -> [Finding] {
        guard facts.isInstalled, let files = facts.databasesSetAside, !files.isEmpty else { return [] }
        return [
            .note(
                "the database was damaged and set aside: \(files.joined(separator: ", "))",
                why: "what was decided before is in there: every app has to be granted again",
                advice: "check the disk; once you do not want anything of it any more, remove it")
        ]
    }
}
