internal import ArgumentParser
internal import Glibc

/// The person's tool.
struct Locationctl: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "locationctl",
        abstract: "Shows and decides which apps get this machine's location.",
        discussion: """
            Exit status: 0 done, 1 refused or failed, 2 wrong usage, 3 the daemon is not reachable, 4 not authorized.
            """,
        version: "0.1.0",
        groupedSubcommands: [
            CommandGroup(
                name: "Where am I",
                subcommands: [WatchCommand.self, GetCommand.self, RegionCommand.self, PlacesCommand.self]),
            CommandGroup(
                name: "Who may know",
                subcommands: [
                    AgentCommand.self, PromptsCommand.self, AnswerCommand.self, AppsCommand.self, GrantCommand.self,
                    DenyCommand.self, RevokeCommand.self, ResetCommand.self, EnableCommand.self, DisableCommand.self,
                ]),
            CommandGroup(
                name: "Who knows",
                subcommands: [IndicatorCommand.self, SessionsCommand.self, LogCommand.self]),
            CommandGroup(
                name: "What the receivers say",
                subcommands: [
                    StatusCommand.self, ReceiversCommand.self, SatellitesCommand.self, SimulateCommand.self,
                    DecodeCommand.self,
                ]),
            CommandGroup(name: "For packagers", subcommands: [ManifestCommand.self]),
            CommandGroup(name: "When something is wrong", subcommands: [DoctorCommand.self]),
        ])

    @OptionGroup var target: Target
}

/// Which daemon is meant. May stand before or after the subcommand's name.
struct Target: ParsableArguments {
    @Option(
        help: ArgumentHelp("Where the daemon's sockets are; LOCATIOND_RUNTIME_DIRECTORY says so too.", valueName: "dir")
    )
    var runtimeDirectory: String?
}

@main
enum Main {
    /// Runs the command and ends with its exit status.
    static func main() async {
        // A reader that goes away, as `head` does, ends the program like any other filter.
        signal(SIGPIPE, SIG_DFL)
        // Dispatch complains to syslog that it may not raise the priority of a thread, and with that the journal keeps the
        // command line: the place of a region or of a simulation.
        setenv("LIBDISPATCH_LOG", "NO", 1)
        do {
            var command = try Locationctl.parseAsRoot(PlaceArgument.marked(CommandLine.arguments.dropFirst()))
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
        } catch let failure as Failure {
            Terminal.writeError("locationctl: \(failure.message)\n")
            exit(failure.status.rawValue)
        } catch let status as ExitStatus {
            exit(status.rawValue)
        } catch {
            // Help and version are no errors; everything else that the parser throws is wrong usage.
            let isHelp = Locationctl.exitCode(for: error).isSuccess
            let text = Locationctl.fullMessage(for: error)
            if isHelp { print(text) } else { Terminal.writeError(text + "\n") }
            exit(isHelp ? 0 : ExitStatus.usage.rawValue)
        }
    }
}
