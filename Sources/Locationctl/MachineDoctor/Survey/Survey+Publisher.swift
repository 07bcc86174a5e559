internal import Glibc
internal import LocationModel
internal import LocationProtocol
internal import LocationctlSupport

extension Survey {
    /// Reads the state of the publisher, apart from its unit.
    func publisher() async -> PublisherFacts {
        var facts = PublisherFacts()
        guard let program = PublisherQueue.programs.first(where: { access($0, X_OK) == 0 }) else { return facts }
        facts.isPackaged = true
        facts.isConfigured = access("/etc/locationd/publish.toml", F_OK) == 0
        if facts.isConfigured { facts.configurationError = Self.publisherConfigurationError(program) }
        if geteuid() == 0, let user = UserFacts(name: PublisherQueue.user),
            let apps = try? await list(ListApps.self, UserScope(uid: Int(user.uid))).apps
        {
            facts.status = apps.first { $0.app == PublisherCheck.app }?.decided ?? .notDetermined
        }
        return facts
    }

    /// Returns the error that the publisher reports about its configuration: empty if there is none, `nil` if it could
    /// not be checked.
    private static func publisherConfigurationError(_ program: String) -> String? {
        // As the service's user: root can read files that the service cannot.
        let user = geteuid() == 0 ? PublisherQueue.user : nil
        guard let result = ChildProcess.run(program, ["--check"], as: user) else { return nil }
        if result.status == 0 { return "" }
        // A file that this user may not read may still be readable for the service's user.
        guard result.status == 2, geteuid() == 0 || !result.errors.contains("cannot be read") else { return nil }
        return result.errors.split(separator: "\n").first.map { line in
            String(line.hasPrefix("locationd-publish: ") ? line.dropFirst(19) : line)
        }
    }
}
