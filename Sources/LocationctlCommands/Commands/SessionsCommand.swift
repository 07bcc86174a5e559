internal import ArgumentParser
internal import LocationModel
internal import LocationProtocol
internal import Varlink

struct SessionsCommand: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "sessions", abstract: "Shows which apps get the location now, and what is monitored for them.",
        discussion: """
            THROUGH is the protocol of the connection, if it is not the daemon's own: gpsd or geoclue. METHOD is the \
            kind of subscription, as in the options of `locationctl watch`, or region for a monitored region. STATE is active, paused (the device is stationary), suspended (the app is not in use) or waiting \
            (for an event). BACKGROUND means that the subscription continues while the app is not in use. WAKE is the \
            socket that starts the app if it is not connected (PID is then -). SENT counts locations and events. \
            REPLACED counts locations that a newer one replaced because the app did not read them.
            """)

    @Flag(help: "Keep running, and print again whenever a subscription begins, ends, pauses or resumes.")
    var follow = false
    @OptionGroup var user: UserOption
    @OptionGroup var output: OutputOption
    @OptionGroup var target: Target
    @ParentCommand var parent: Locationctl

    func run(with daemon: DaemonConnection) async throws {
        try await daemon.show(ListSessions.self, UserScope(uid: user.resolved), follow: follow, show)
    }

    private func show(_ reply: ListSessions.Reply) throws {
        try output.write(reply.sessions) {
            var table = Table(
                "APP", "UID", "PID", "THROUGH", "METHOD", "STATE", "BACKGROUND", "REGION", "ACCURACY", "FILTER",
                "SINCE (UTC)", "SENT", "REPLACED", "WAKE")
            for session in reply.sessions {
                table.add(
                    session.app, "\(session.uid)", session.pid.map(String.init) ?? "-",
                    FrontText.foreign([session.front].compactMap(\.self)), SessionText.method(session.method),
                    session.state.rawValue, session.background ? "yes" : "", session.region ?? "",
                    session.desiredAccuracy?.rawValue ?? "",
                    Decimal.text(session.distanceFilter, digits: 0, unit: " m"), session.since.minute,
                    "\(session.delivered)", session.replaced > 0 ? "\(session.replaced)" : "", session.wake ?? "")
            }
            return table.text(
                nothing: "No app gets the location now.",
                optional: ["THROUGH", "BACKGROUND", "REGION", "ACCURACY", "FILTER", "REPLACED", "WAKE"])
        }
    }
}
