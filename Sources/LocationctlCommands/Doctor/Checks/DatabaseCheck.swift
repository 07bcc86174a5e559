/// The check for databases that were damaged and set aside.
enum DatabaseCheck {
    static func findings(in facts: Facts) -> [Finding] {
        guard facts.isInstalled, let files = facts.databasesSetAside, !files.isEmpty else { return [] }
        return [
            .note(
                "the database was damaged and set aside: \(files.joined(separator: ", "))",
                why: "earlier decisions are in the damaged file, so every app must be granted again",
                advice: "check the disk; remove the file when you do not need it any more")
        ]
    }
}
