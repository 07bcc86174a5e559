internal import ArgumentParser
internal import Glibc
internal import LocationModel
internal import LocationProtocol
internal import LocationctlSupport

struct IndicatorCommand: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "indicator",
        abstract: "Shows which apps use the location now, and which did in the last 24 hours.",
        discussion: """
            With --follow --json, prints a line at every change. With --waybar, the line is for a custom module of \
            Waybar with "return-type": "json". It has text (the apps that use the location now; empty if there are \
            none), tooltip and class (idle, active, background, or suspect if something speaks against the location, \
            as false signals). Configure the module with "exec": "locationctl indicator --follow --waybar" and \
            "restart-interval": 5, because the command ends with the daemon. With --line, the line has the first app \
            that uses the location now and the number of others, for a shell's prompt or tmux; it is empty if there is \
            none. Examples are in share/doc/locationd/examples.
            """)

    @Flag(help: "Keep running, and print again at every change.")
    var follow = false
    @Flag(help: "Print JSON for Waybar.")
    var waybar = false
    @Flag(help: "Print one line for a shell's prompt or a status bar.")
    var line = false
    @OptionGroup var user: UserOption
    @OptionGroup var list: TimedListOption
    @OptionGroup var target: Target
    @ParentCommand var parent: Locationctl

    func validate() throws {
        if [waybar, line, list.json].count(where: { $0 }) > 1 {
            throw ValidationError("--waybar, --line and --json cannot be combined; use one of them")
        }
    }

    func run(with daemon: DaemonConnection) async throws {
        try await daemon.show(GetIndicator.self, UserScope(uid: user.resolved), follow: follow, show)
    }

    private func show(_ reply: GetIndicator.Reply) throws {
        if line { return try Terminal.writeOutput(StatusLine(reply.apps, .current).text + "\n") }
        guard !waybar else {
            return try Terminal.writeOutput(JSONLine.line(Waybar(reply.apps, list.utc ? .utc : .machine)))
        }
        try list.write(reply.apps) { Self.text(reply.apps, on: $0, user: getuid()) }
    }

    /// Returns the table of the apps, for a user.
    static func text(_ apps: [IndicatorEntry], on medium: OutputMedium, user: uid_t) -> String {
        let heading = medium.time.heading("LAST USE", apps.map(\.lastUse))
        var table = Table(
            .init("", isOptional: true), .init("APP", leastWidth: 20), .init("NAME", leastWidth: 12, isOptional: true),
            .init("UID", sacrifice: 1, usual: "\(user)"), .init(heading),
            .init("ACCURACY", sacrifice: 2, usual: AccuracyAuthorization.full.rawValue),
            .init("BACKGROUND", sacrifice: 3, isOptional: true), .init("INTEGRITY", isOptional: true, isBelow: true))
        for app in apps {
            table.add(
                app.active ? "*" : "", app.app, app.displayName ?? "", "\(app.uid)",
                app.active ? "now" : medium.time.minute(app.lastUse), app.accuracy.rawValue,
                app.background ? "yes" : "", ReceiverText.doubts(app.doubts),
                styles: [
                    "": .good, heading: app.active ? .good : .plain, "BACKGROUND": .warning, "INTEGRITY": .warning,
                ])
        }
        return table.text(
            on: medium, nothing: "No app uses the location, and none did in the last 24 hours.")
    }
}
