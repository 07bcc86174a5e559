internal import LocationctlSupport

/// The check of locationd's configuration, by locationd itself.
enum ConfigurationCheck {
    static func findings(in facts: Facts) -> [Finding] {
        guard facts.isInstalled, let error = facts.configurationError else { return [] }
        guard !error.isEmpty else { return [.ok(translated("the configuration is valid"))] }
        return [
            .problem(
                translated("the configuration has a mistake: {error}", ["error": error]),
                why: translated("locationd does not start with it; a running one keeps the previous configuration"),
                advice: translated("correct it, then run `sudo systemctl reload-or-restart locationd`"))
        ]
    }
}

/// The check for databases that were damaged and set aside.
enum DatabaseCheck {
    static func findings(in facts: Facts) -> [Finding] {
        guard facts.isInstalled, let files = facts.databasesSetAside, !files.isEmpty else { return [] }
        return [
            .note(
                translated("the database was damaged and set aside: {files}", ["files": files.joined(separator: ", ")]),
                why: translated("earlier decisions are in the damaged file, so every app must be granted again"),
                advice: translated("check the disk; remove the file when you do not need it any more"))
        ]
    }
}
