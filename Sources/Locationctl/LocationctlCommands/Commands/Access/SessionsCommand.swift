internal import ArgumentParser
internal import Glibc
internal import LocationModel
internal import LocationProtocol
internal import LocationctlSupport
internal import Varlink

struct SessionsCommand: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "sessions", abstract: "Shows which apps get the location now, and what is monitored for them.",
        discussion: """
            THROUGH is the protocol of the connection, if it is not the daemon's own: gpsd or geoclue. METHOD is the \
            kind of subscription, as in the options of `locationctl watch`, or region for a monitored region. STATE is \
            active, paused (the device is stationary), suspended (the app is not in use) or waiting (for an event). \
            BACKGROUND means that the subscription continues while the app is not in use. WAKE is the socket that \
            starts the app if it is not connected (PID is then -). SENT counts locations and events. REPLACED counts \
            locations that a newer one replaced because the app did not read them.
            """)

    @Flag(help: "Keep running, and print again whenever a subscription begins, ends, pauses or resumes.")
    var follow = false
    @OptionGroup var user: UserOption
    @OptionGroup var list: TimedListOption
    @OptionGroup var target: Target
    @ParentCommand var parent: Locationctl

    func run(with daemon: DaemonConnection) async throws {
        try await daemon.show(ListSessions.self, UserScope(uid: user.resolved), follow: follow) { reply in
            try list.write(reply.sessions) { Self.text(reply.sessions, on: $0, user: getuid()) }
        }
    }

    /// Returns the table of the streams and the monitored regions and places, for a user.
    static func text(_ sessions: [SessionSummary], on medium: OutputMedium, user: uid_t) -> String {
        let heading = medium.time.heading("SINCE", sessions.map(\.since))
        var table = Table(
            .init("APP", leastWidth: 24), .init("UID", sacrifice: 6, usual: "\(user)"), .init("PID", sacrifice: 4),
            .init("THROUGH", sacrifice: 7, isOptional: true), "METHOD", "STATE",
            .init("BACKGROUND", sacrifice: 8, isOptional: true), .init("REGION", leastWidth: 8, isOptional: true),
            .init("ACCURACY", sacrifice: 3, isOptional: true), .init("FILTER", sacrifice: 2, isOptional: true),
            .init(heading, sacrifice: 5), .init("SENT", sacrifice: 9), .init("REPLACED", isOptional: true),
            .init("WAKE", sacrifice: 1, leastWidth: 12, isOptional: true))
        for session in sessions {
            table.add(
                session.app, "\(session.uid)", session.pid.map(String.init) ?? "-",
                FrontText.foreign([session.front].compactMap(\.self)), SessionText.method(session.method),
                session.state.rawValue, session.background ? "yes" : "", session.region ?? "",
                session.desiredAccuracy?.rawValue ?? "",
                Decimal.text(session.distanceFilter, digits: 0, unit: " m"), medium.time.minute(session.since),
                session.delivered.map(String.init) ?? "-",
                session.replaced.flatMap { $0 > 0 ? "\($0)" : nil } ?? "", session.wake ?? "",
                styles: [
                    "STATE": session.state == .active ? .good : .hint, "BACKGROUND": .warning, "REPLACED": .warning,
                ])
        }
        return table.text(on: medium, nothing: "No app gets the location now.")
    }
}
