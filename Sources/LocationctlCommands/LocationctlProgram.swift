internal import ArgumentParser
internal import Glibc

/// The program `locationctl`.
public enum LocationctlProgram {
    /// Runs the command that the process was started with, and ends with its exit status.
    public static func main() async {
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
