internal import ArgumentParser
internal import ForeignText
internal import Glibc
internal import Linux
internal import LocationctlSupport

/// The program `locationctl`.
public enum LocationctlProgram {
    /// Prepares the process. To be called before the first `await`, which starts threads of Dispatch.
    public static func prepare() {
        // If the reader closes the pipe, as `head` does, the program ends like any other filter.
        signal(SIGPIPE, SIG_DFL)
        DispatchLog.disable()
    }

    /// Runs the command in the process's arguments and exits with its status.
    public static func main() async {
        let arguments = NumberArgument.joined(PlaceArgument.marked(CommandLine.arguments.dropFirst()))
        do {
            var command = try Locationctl.parseAsRoot(arguments)
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
            // Help and version are not errors. Any other error of the parser is wrong usage.
            let isHelp = Locationctl.exitCode(for: error).isSuccess
            let message = { (error: any Error) in Locationctl.fullMessage(for: error) }
            if isHelp, arguments.contains("help"), let unknown = UnknownCommand.find(in: arguments) {
                // For `help` with an unknown command, the parser would print the general help.
                Terminal.writeError(unknown.message + "\n")
                exit(ExitStatus.usage.rawValue)
            }
            if isHelp {
                print(message(error))
            } else {
                let refusal = ForeignText.refusal(
                    of: arguments, parse: { _ = try Locationctl.parseAsRoot($0) }, message: message)
                Terminal.writeError(UsageText.refusal(refusal, of: arguments) + "\n")
            }
            exit(isHelp ? 0 : ExitStatus.usage.rawValue)
        }
    }
}
