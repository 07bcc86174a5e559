/// The check of locationd's configuration, by locationd itself.
enum ConfigurationCheck {
    static func findings(in facts: Facts) -> [Finding] {
        guard facts.isInstalled, let error = facts.configurationError else { return [] }
        guard !error.isEmpty else { return [.ok("the configuration is valid")] }
        return [
            .problem(
                "the configuration has a mistake: \(error)",
                why: "locationd does not start with it; a running one keeps the previous configuration",
                advice: "correct it, then run `sudo systemctl reload-or-restart locationd`")
        ]
    }
}
