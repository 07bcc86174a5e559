internal import ArgumentParser
internal import LocationModel
internal import LocationProtocol

struct AppsCommand: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "apps", abstract: "Lists the apps with their authorizations, requests and identities.",
        discussion: """
            IDENTITY says how hard it is for another process to impersonate the app. The kernel keeps "sandboxed" and \
            "service" apps apart; any process of the same user can impersonate an "advisory" one. THROUGH names the \
            protocols through which the app is connected, if they are not the daemon's own: gpsd, geoclue.
            """)

    @OptionGroup var user: UserOption
    @OptionGroup var output: OutputOption
    @OptionGroup var target: Target
    @ParentCommand var parent: Locationctl

    func run(with daemon: DaemonConnection) async throws {
        let apps = try await daemon.list(ListApps.self, UserScope(uid: user.resolved)).apps
        let prompts = output.json ? [] : await openPrompts(daemon)
        try output.write(apps) {
            var table = Table("APP", "NAME", "UID", "ACCESS", "UNTIL", "REQUESTS", "STREAMS", "THROUGH", "IDENTITY")
            for app in apps {
                table.add(
                    app.app, app.displayName ?? "", "\(app.uid)", DecisionText.level(app),
                    app.until?.description ?? "", asks(app), "\(app.sessions)",
                    FrontText.foreign(app.fronts ?? []), app.strength.rawValue)
            }
            return table.text(
                nothing: "No app has requested the location, and none has a decision.", optional: ["NAME", "THROUGH"])
                + waiting(prompts, daemon)
        }
    }

    /// Returns the open prompts, or none if the daemon does not list them.
    private func openPrompts(_ daemon: DaemonConnection) async -> [Prompt] {
        let parameters = MonitorPrompts.Parameters(uid: user.resolved, languages: Languages.preferred)
        return (try? await daemon.list(MonitorPrompts.self, parameters))?.prompts ?? []
    }

    private func asks(_ app: AppSummary) -> String {
        guard let level = app.requested else { return "" }
        let words = app.reason.map { ": \"\(DisplayText.withoutQuotes($0))\" (its own words)" } ?? ""
        return (level == .always ? "always" : "when in use") + words
    }

    /// Returns the commands that answer the open prompts.
    private func waiting(_ prompts: [Prompt], _ daemon: DaemonConnection) -> String {
        prompts.map { prompt in
            "\(DisplayText.shown(prompt.app)) is waiting for an answer: "
                + "run `\(daemon.command("answer \(prompt.id) ANSWER"))`, "
                + "where ANSWER is one of \(PromptAnswer.list(prompt.answers)).\n"
        }.joined()
    }
}
