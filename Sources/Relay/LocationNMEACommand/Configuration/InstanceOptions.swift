internal import ArgumentParser
internal import ForeignText
internal import Foundation
internal import Logging
internal import ServiceSupport

/// The configuration of an instance: /etc/locationd/nmea/NAME.toml.
protocol InstanceFile: Decodable {
    /// The keys that an error lists.
    static var keys: [String] { get }
    var logLevel: Logger.Level? { get }
}

/// The options of an instance, and the parts common to all subcommands.
struct InstanceOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The configuration of the instance.", valueName: "file"))
    var config: String

    @OptionGroup var service: ServiceOptions

    /// Reads the configuration and, unless it is only being checked, runs `body` with it. A mistake in it is reported
    /// with status 2; an error of `body` is logged, with status 1.
    func run<File: InstanceFile>(_ body: (File, inout Signals, Logger) throws -> Void) throws {
        umask(0o077)
        Foundation.signal(SIGPIPE, SIG_IGN)
        var signals = Signals(SIGTERM, SIGINT)
        let file: File
        do {
            file = try TOMLText(contentsOf: config).decode(File.self, allowed: File.keys)
        } catch {
            throw Self.usage("\(error)")
        }
        if service.check { return }
        let log = Logger(
            service: "locationd-nmea", environment: ProcessInfo.processInfo.environment,
            level: service.logLevel ?? file.logLevel ?? .info)
        do {
            try body(file, &signals, log)
        } catch let status as ExitCode {
            throw status
        } catch {
            log.critical("\(error)")
            throw ExitCode.failure
        }
    }

    /// Reports a mistake in the arguments or the configuration. Returns status 2.
    static func usage(_ message: String) -> ExitCode {
        FileHandle.standardError.write(Data("locationd-nmea: \(ForeignText.line(message))\n".utf8))
        return ExitCode(2)
    }
}
