internal import ArgumentParser
internal import LocationProtocol
internal import Positioning

struct SessionsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sessions", abstract: "Shows which apps get the location now.")

    @Flag(help: "Go on, and print again whenever a stream opens or closes.")
    var follow = false
    @OptionGroup var user: UserOption
    @OptionGroup var output: OutputOption
    @OptionGroup var target: Target
    @ParentCommand var parent: Locationctl

    func run() async throws {
        let daemon = DaemonConnection(target, parent.target)
        try await daemon.show(ListSessions.self, UserScope(uid: user.resolved), follow: follow, show)
    }

    private func show(_ reply: ListSessions.Reply) throws {
        try output.write(reply.sessions) {
            var table = Table("APP", "UID", "PID", "ACCURACY", "FILTER", "SINCE", "SENT", "REPLACED")
            for session in reply.sessions {
                table.add(
                    session.app, "\(session.uid)", "\(session.pid)", session.desiredAccuracy.rawValue,
                    Decimal.text(session.distanceFilter, digits: 0, unit: " m"), session.since.description,
                    "\(session.delivered)", "\(session.replaced)")
            }
            return table.text(nothing: "No app gets the location now.")
        }
    }
}
