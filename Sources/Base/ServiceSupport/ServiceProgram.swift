package import ArgumentParser
internal import ForeignText
internal import Glibc
internal import Linux

/// The main program of a service.
package enum ServiceProgram {
    /// Runs the command with the arguments of the process, and exits with the command's status. Text from arguments and
    /// files is printed without control effects.
    package static func run<Command: ParsableCommand>(_ type: Command.Type) -> Never {
        DispatchLog.disable()
        let arguments = Array(CommandLine.arguments.dropFirst())
        let message = { (error: any Error) in Command.fullMessage(for: error) }
        var command: any ParsableCommand
        do {
            command = try Command.parseAsRoot(arguments)
        } catch {
            guard !Command.exitCode(for: error).isSuccess else {
                print(message(error))
                exit(EXIT_SUCCESS)
            }
            fail(
                ForeignText.refusal(of: arguments, parse: { _ = try Command.parseAsRoot($0) }, message: message),
                Command.exitCode(for: error))
        }
        do {
            try command.run()
            exit(EXIT_SUCCESS)
        } catch {
            let status = Command.exitCode(for: error)
            let text = message(error)
            guard !status.isSuccess else {
                print(text)
                exit(EXIT_SUCCESS)
            }
            fail(ForeignText.lines(text), status)
        }
    }

    private static func fail(_ message: String, _ status: ExitCode) -> Never {
        let line = message.isEmpty ? [] : Array((message + "\n").utf8)
        _ = write(STDERR_FILENO, line, line.count)
        exit(status.rawValue)
    }
}
