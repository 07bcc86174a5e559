/// The check of locationd's configuration, by locationd itself.
enum ConfigurationCheck {
    static func findings(in facts: Facts) -> [Finding] {
        guard facts.isInstalled, let error = facts.configurationError else { return [] }
        guard !error.isEmpty else { return [.ok("the configuration is well-formed")] }
        return [
            .problem(
                "the configuration has a mistake: \(error)",
                why: "locationd does not start with it; one that runs goes on with the former one",
                advice: "put it right, then `sudo systemctl reload-or-restart locationd`")
        ]
    }
}
