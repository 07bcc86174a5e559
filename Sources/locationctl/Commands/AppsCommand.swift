internal import ArgumentParser
internal import Authorization
internal import LocationProtocol
internal import Positioning

struct AppsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "apps", abstract: "Shows the apps: what they may have, ask for, and are.",
        discussion: """
            IDENTITY says how hard it is for another process to take the app's name on. "sandboxed" and "service" apps \
            are kept apart by the kernel; any process of the same user can pass for an "advisory" one.
            """)

    @OptionGroup var user: UserOption
    @OptionGroup var output: OutputOption
    @OptionGroup var target: Target
    @ParentCommand var parent: Locationctl

    func run() async throws {
        let daemon = DaemonConnection(target, parent.target)
        let apps = try await daemon.call(ListApps.self, UserScope(uid: user.resolved)).apps
        try output.write(apps) {
            var table = Table("APP", "UID", "MAY", "UNTIL", "ASKS FOR", "STREAMS", "IDENTITY")
            for app in apps {
                table.add(
                    app.app, "\(app.uid)", DecisionText.level(app), app.until?.description ?? "", asks(app),
                    "\(app.sessions)", app.strength.rawValue)
            }
            return table.text(nothing: "No app has asked, and none was granted anything.")
        }
    }

    private func asks(_ app: AppSummary) -> String {
        guard let level = app.requested else { return "" }
        let words = app.reason.map { ": \"\($0)\" (its own words)" } ?? ""
        return (level == .always ? "always" : "when in use") + words
    }
}
