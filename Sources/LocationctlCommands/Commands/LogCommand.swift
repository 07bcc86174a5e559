internal import ArgumentParser
internal import LocationModel
internal import LocationProtocol

struct LogCommand: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "log", abstract: "Shows how many locations were sent to which app, hour by hour.",
        discussion: "Covers the last 30 days, the latest first. The log does not record where the machine was.")

    @OptionGroup var user: UserOption
    @OptionGroup var output: OutputOption
    @OptionGroup var target: Target
    @ParentCommand var parent: Locationctl

    func run(with daemon: DaemonConnection) async throws {
        let entries = try await daemon.list(GetAccessLog.self, UserScope(uid: user.resolved)).entries
        try output.write(entries) {
            var table = Table("HOUR (UTC)", "APP", "UID", "SENT", "ACCURACY", "BACKGROUND")
            for entry in entries {
                table.add(
                    entry.hour.minute, entry.app, "\(entry.uid)", "\(entry.deliveries)", entry.accuracy.rawValue,
                    entry.background ? "yes" : "")
            }
            return table.text(nothing: "Nothing was sent in the last 30 days.", optional: ["BACKGROUND"])
        }
    }
}
