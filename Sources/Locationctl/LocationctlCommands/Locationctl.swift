internal import ArgumentParser
internal import LocationModel
internal import LocationctlSupport

/// The command-line tool for users.
struct Locationctl: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "locationctl",
        abstract: "Shows and controls which apps get this machine's location.",
        discussion: """
            Exit status: 0 done, 1 refused or failed, 2 wrong usage, 3 the daemon is not reachable, 4 not authorized.
            """,
        version: Version.text,
        groupedSubcommands: [
            CommandGroup(
                name: "Location",
                subcommands: [
                    WatchCommand.self, GetCommand.self, RegionCommand.self, VisitsCommand.self, PlacesCommand.self,
                    BeaconsCommand.self,
                ]),
            CommandGroup(
                name: "Permission",
                subcommands: [
                    AgentCommand.self, PromptsCommand.self, AnswerCommand.self, AppsCommand.self, GrantCommand.self,
                    DenyCommand.self, RevokeCommand.self, ResetCommand.self, EnableCommand.self, DisableCommand.self,
                ]),
            CommandGroup(
                name: "Access",
                subcommands: [
                    DashboardCommand.self, IndicatorCommand.self, SessionsCommand.self, LogCommand.self,
                    MetricsCommand.self,
                ]),
            CommandGroup(
                name: "Receiver",
                subcommands: [
                    SetupCommand.self, StatusCommand.self, ReceiversCommand.self, SatellitesCommand.self,
                    FixedPositionCommand.self,
                    SimulateCommand.self, DecodeCommand.self, ReportCommand.self, RecordCommand.self,
                ]),
            CommandGroup(name: "Packaging", subcommands: [ManifestCommand.self]),
            CommandGroup(name: "Troubleshooting", subcommands: [DoctorCommand.self]),
        ])

    @OptionGroup var target: Target
}

/// A subcommand that talks to the daemon.
protocol DaemonCommand: AsyncParsableCommand {
    /// The daemon that is selected after the subcommand's name.
    var target: Target { get }
    var parent: Locationctl { get }
    /// The authorization that the subcommand needs.
    var level: RequestedLevel { get }

    func run(with daemon: DaemonConnection) async throws
}

extension DaemonCommand {
    var level: RequestedLevel { .whenInUse }

    func run() async throws { try await run(with: DaemonConnection(target, parent.target, level: level)) }
}
