internal import ArgumentParser
internal import ForeignText
internal import Foundation
internal import Logging
internal import ServiceSupport

/// The options of an instance, whatever it does.
struct InstanceOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The configuration of the instance.", valueName: "file"))
    var config: String

    @Option(
        help: ArgumentHelp(
            "The least important messages to log: trace, debug, info, notice, warning, error or critical.",
            valueName: "level"),
        transform: { try LogLevelRule.value(of: $0) })
    var logLevel: Logger.Level?

    @Flag(help: "Read the configuration, report what is wrong with it, and exit.")
    var check = false

    /// Returns the configuration, which `read` reads. Reports what is wrong with it, and fails with status 2.
    func configuration<File>(_ read: (String) throws(ConfigurationError) -> File) throws -> File {
        do {
            return try read(config)
        } catch {
            throw Self.usage("\(error)")
        }
    }

    /// Returns the log of the program.
    func log(level: Logger.Level?) -> Logger {
        Logger(
            service: "locationd-nmea", environment: ProcessInfo.processInfo.environment,
            level: logLevel ?? level ?? .info)
    }

    /// Logs the error of `body`, and fails with status 1.
    static func run(_ log: Logger, _ body: () throws -> Void) throws {
        do {
            try body()
        } catch let status as ExitCode {
            throw status
        } catch {
            log.critical("\(error)")
            throw ExitCode.failure
        }
    }

    /// Reports a mistake of the caller's. Returns status 2.
    static func usage(_ message: String) -> ExitCode {
        FileHandle.standardError.write(Data("locationd-nmea: \(ForeignText.line(message))\n".utf8))
        return ExitCode(2)
    }
}
