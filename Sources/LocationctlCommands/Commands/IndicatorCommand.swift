internal import ArgumentParser
internal import LocationModel
internal import LocationProtocol

struct IndicatorCommand: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "indicator",
        abstract: "Shows which apps use the location now, and which did in the last 24 hours.",
        discussion: """
            With --follow --json, prints a line at every change. With --waybar, the line is for a custom module of \
            Waybar with "return-type": "json". It has text (the apps that use the location now; empty if there are \
            none), tooltip and class (idle, active, background, or suspect if something speaks against the location, as \
            false signals). Configure the module with "exec": "locationctl \
            indicator --follow --waybar" and "restart-interval": 5, because the command ends with the daemon. With \
            --line, the line has the first app that uses the location now and the number of others, for a shell's \
            prompt or tmux; it is empty if there is none. Examples are in share/doc/locationd/examples.
            """)

    @Flag(help: "Keep running, and print again at every change.")
    var follow = false
    @Flag(help: "Print JSON for Waybar.")
    var waybar = false
    @Flag(help: "Print one line for a shell's prompt or a status bar.")
    var line = false
    @OptionGroup var user: UserOption
    @OptionGroup var output: OutputOption
    @OptionGroup var target: Target
    @ParentCommand var parent: Locationctl

    func validate() throws {
        if [waybar, line, output.json].count(where: { $0 }) > 1 {
            throw ValidationError("--waybar, --line and --json cannot be combined; use one of them")
        }
    }

    func run(with daemon: DaemonConnection) async throws {
        try await daemon.show(GetIndicator.self, UserScope(uid: user.resolved), follow: follow, show)
    }

    private func show(_ reply: GetIndicator.Reply) throws {
        if line { return try Terminal.writeOutput(StatusLine(reply.apps, .current).text + "\n") }
        guard !waybar else { return try Terminal.writeOutput(JSONLine.line(Waybar(reply.apps))) }
        try output.write(reply.apps) {
            var table = Table("", "APP", "NAME", "UID", "LAST USE (UTC)", "ACCURACY", "BACKGROUND", "INTEGRITY")
            for app in reply.apps {
                table.add(
                    app.active ? "*" : "", app.app, app.displayName ?? "", "\(app.uid)",
                    app.active ? "now" : app.lastUse.minute, app.accuracy.rawValue, app.background ? "yes" : "",
                    ReceiverText.integrity(app.integrity))
            }
            return table.text(
                nothing: "No app uses the location, and none did in the last 24 hours.",
                optional: ["", "NAME", "BACKGROUND", "INTEGRITY"])
        }
    }
}
