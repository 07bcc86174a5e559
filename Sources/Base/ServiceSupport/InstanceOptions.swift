package import ArgumentParser
internal import ForeignText
internal import Foundation
package import Logging

/// The configuration of an instance of a service: /etc/locationd/FOLDER/NAME.toml.
package protocol InstanceFile: Decodable {
    /// The keys that an error lists.
    static var keys: [String] { get }
    var logLevel: Logger.Level? { get }
}

/// The options of an instance, and the parts common to all commands that have instances.
package struct InstanceOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The configuration of the instance.", valueName: "file"))
    package var config: String

    @OptionGroup package var service: ServiceOptions

    package init() {}

    /// The name of the instance: its configuration's, without the folder and the extension.
    package var instance: String { URL(filePath: config).deletingPathExtension().lastPathComponent }

    /// Reads the configuration and, unless it is only being checked, runs `body` with it. A mistake in it is reported
    /// with status 2; an error of `body` is logged, with status 1.
    package func run<File: InstanceFile>(
        _ program: String, _ body: (File, inout Signals, Logger) throws -> Void
    ) throws {
        umask(0o077)
        Foundation.signal(SIGPIPE, SIG_IGN)
        var signals = Signals(SIGTERM, SIGINT)
        let file: File
        do {
            file = try TOMLText(contentsOf: config).decode(File.self, allowed: File.keys)
        } catch {
            throw Self.usage("\(error)", of: program)
        }
        if service.check { return }
        let log = Logger(
            service: program, environment: ProcessInfo.processInfo.environment,
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

    /// Reports a mistake in the arguments or the configuration of a program. Returns status 2.
    package static func usage(_ message: String, of program: String) -> ExitCode {
        FileHandle.standardError.write(Data("\(program): \(ForeignText.line(message))\n".utf8))
        return ExitCode(2)
    }
}
