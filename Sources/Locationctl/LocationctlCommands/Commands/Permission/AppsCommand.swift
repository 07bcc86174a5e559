internal import ArgumentParser
internal import Glibc
internal import LocationModel
internal import LocationProtocol
internal import LocationctlSupport

struct AppsCommand: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "apps", abstract: "Lists the apps with their authorizations, requests and identities.",
        discussion: """
            IDENTITY says how hard it is for another process to impersonate the app. The kernel keeps "sandboxed" and \
            "service" apps apart; any process of the same user can impersonate an "advisory" one. THROUGH names the \
            protocols through which the app is connected, if they are not the daemon's own: gpsd, geoclue.
            """)

    @OptionGroup var user: UserOption
    @OptionGroup var list: TimedListOption
    @OptionGroup var target: Target
    @ParentCommand var parent: Locationctl

    func run(with daemon: DaemonConnection) async throws {
        let apps = try await daemon.list(ListApps.self, UserScope(uid: user.resolved)).apps
        let prompts = list.json ? [] : await openPrompts(daemon)
        try list.write(apps) { medium in
            Self.text(apps, on: medium, user: getuid())
                + prompts.map { Self.waiting($0, on: medium, daemon.command) }.joined()
        }
    }

    /// Returns the table of the apps, for a user.
    static func text(_ apps: [AppSummary], on medium: OutputMedium, user: uid_t) -> String {
        let isWindow = medium.columns != nil
        let until = isWindow ? medium.time.heading("UNTIL", apps.compactMap(\.decision?.until)) : "UNTIL"
        var table = Table(
            .init("APP", leastWidth: 24), .init("NAME", leastWidth: 12, isOptional: true),
            .init("UID", sacrifice: 4, usual: "\(user)"), "ACCESS", .init(until, sacrifice: 5, usual: ""),
            .init("REQUESTS", usual: "", isBelow: true), .init("STREAMS", sacrifice: 2, usual: "0"),
            .init("THROUGH", sacrifice: 3, isOptional: true), .init("IDENTITY", sacrifice: 1))
        for app in apps {
            table.add(
                app.app, app.displayName ?? "", "\(app.uid)",
                isWindow ? DecisionText.brief(app) : DecisionText.level(app),
                app.decision?.until.map { isWindow ? medium.time.minute($0) : $0.description } ?? "", requests(app),
                "\(app.sessions)",
                FrontText.foreign(app.fronts ?? []), app.strength.rawValue,
                styles: ["ACCESS": DecisionText.style(app), "REQUESTS": .warning])
        }
        return table.text(on: medium, nothing: "No app has requested the location, and none has a decision.")
    }

    /// Returns the open prompts, or none if the daemon does not list them.
    private func openPrompts(_ daemon: DaemonConnection) async -> [Prompt] {
        let parameters = MonitorPrompts.Parameters(uid: user.resolved, languages: Languages.preferred)
        return (try? await daemon.list(MonitorPrompts.self, parameters))?.prompts ?? []
    }

    private static func requests(_ app: AppSummary) -> String {
        guard let level = app.requested else { return "" }
        let words = app.reason.map { ": \"\(DisplayText.withoutQuotes($0))\" (its own words)" } ?? ""
        return DecisionText.words(level == .always ? .authorizedAlways : .authorizedWhenInUse) + words
    }

    /// Returns the command that answers an open prompt.
    static func waiting(_ prompt: Prompt, on medium: OutputMedium, _ command: (String) -> String) -> String {
        medium.lines(
            "\(DisplayText.shown(prompt.app)) is waiting for an answer: "
                + "run `\(command("answer \(prompt.id) ANSWER"))`, "
                + "where ANSWER is one of \(PromptAnswer.list(prompt.answers)).")
    }
}
