internal import ArgumentParser
internal import Glibc
internal import LocationModel
internal import LocationProtocol
internal import LocationctlSupport

struct LogCommand: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "log", abstract: "Shows how many locations were sent to which app, hour by hour.",
        discussion: "Covers the last 30 days, the latest first. The log does not record where the machine was.")

    @OptionGroup var user: UserOption
    @OptionGroup var list: TimedListOption
    @OptionGroup var target: Target
    @ParentCommand var parent: Locationctl

    func run(with daemon: DaemonConnection) async throws {
        let entries = try await daemon.list(GetAccessLog.self, UserScope(uid: user.resolved)).entries
        try list.write(entries) { Self.text(entries, on: $0, user: getuid()) }
    }

    /// Returns the table of the hours, for a user.
    static func text(_ entries: [AccessLogEntry], on medium: OutputMedium, user: uid_t) -> String {
        let heading = medium.time.heading("HOUR", entries.map(\.hour))
        var table = Table(
            .init(heading), .init("APP", leastWidth: 20), .init("UID", sacrifice: 2, usual: "\(user)"), "SENT",
            .init("ACCURACY", sacrifice: 3, usual: AccuracyAuthorization.full.rawValue),
            .init("BACKGROUND", sacrifice: 4, isOptional: true))
        for entry in entries {
            table.add(
                medium.time.minute(entry.hour), entry.app, "\(entry.uid)", entry.deliveries.map(String.init) ?? "-",
                entry.accuracy.rawValue,
                entry.background ? "yes" : "", styles: ["BACKGROUND": .warning])
        }
        return table.text(on: medium, nothing: "Nothing was sent in the last 30 days.")
    }
}
