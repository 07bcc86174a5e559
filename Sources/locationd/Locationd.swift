internal import ArgumentParser
internal import Foundation
internal import Glibc
internal import LocationService
internal import Logging
internal import NIOPosix
internal import Receivers
internal import ServiceLifecycle
internal import UnixSignals
internal import Varlink

/// The daemon: parses arguments, composes the service, runs it until SIGTERM.
@main
struct Locationd: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "locationd",
        abstract: "Gives each local app as much of this machine's location as its owner has granted.",
        discussion: """
            SIGTERM ends it, SIGHUP reads the configuration again. Without arguments it serves the sockets in \
            /run/locationd and keeps its grants in /var/lib/locationd.
            """,
        version: Version.text)

    @Option(help: ArgumentHelp("Configuration, besides conf.d/*.toml next to it.", valueName: "file"))
    var config: String?

    @Option(help: ArgumentHelp("Where the sockets are made.", valueName: "dir"))
    var runtimeDirectory: String?

    @Option(help: ArgumentHelp("Where the database is.", valueName: "dir"))
    var stateDirectory: String?

    @Option(
        name: .customLong("receiver"),
        help: ArgumentHelp(
            """
            A receiver, in the place of the configured ones: serial:/dev/ttyACM0[@9600], gpsd:[HOST[:PORT]], \
            simulated[:ROUTE.gpx] or replay:FILE.nmea[@SPEED]. May be repeated; the first is preferred.
            """, valueName: "spec"),
        transform: { try ReceiverSpecification(parsing: $0) })
    var receivers: [ReceiverSpecification] = []

    @Option(
        help: ArgumentHelp("trace, debug, info, notice, warning, error or critical.", valueName: "level"),
        transform: { try Logger.Level(checking: $0) })
    var logLevel: Logger.Level?

    func run() async throws {
        let paths = Paths(arguments: self, environment: ProcessInfo.processInfo.environment)
        let configuration: Configuration
        do throws(ConfigurationError) {
            configuration = try Configuration(file: paths.configuration, required: config != nil)
        } catch {
            throw error
        }
        var log = Logger(label: "locationd") { StreamLogHandler.standardError(label: $0) }
        log.logLevel = logLevel ?? configuration.logLevel
        raiseDescriptorLimit()

        let entries = self.receiverEntries(in: configuration)
        if entries.isEmpty {
            log.warning("no receiver is configured: add [[receiver]] to \(paths.configuration) or give --receiver")
        }
        let settings = LocationService.Settings(
            runtimeDirectory: paths.runtime, stateDirectory: paths.state, receivers: entries,
            limits: configuration.limits, version: Version.text)
        do {
            let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
            let service = try await LocationService.make(settings, on: group.next(), log: log)
            let inherited = try ListenDescriptors(environment: ProcessInfo.processInfo.environment, processID: getpid())
            try await service.start(inherited: inherited)
            let daemon = Daemon(service: service, log: log) { () throws(ConfigurationError) in
                let configuration = try Configuration(file: paths.configuration, required: config != nil)
                return (receiverEntries(in: configuration), configuration.limits)
            }
            try await ServiceGroup(
                services: [daemon], gracefulShutdownSignals: [.sigterm, .sigint], logger: log.quieted
            ).run()
        } catch {
            log.critical("\(error)")
            throw ExitCode.failure
        }
    }
}

extension Locationd {
    /// The receivers of the command line, else those of the configuration.
    fileprivate func receiverEntries(in configuration: Configuration) -> [LocationService.Settings.ReceiverEntry] {
        receivers.isEmpty ? configuration.receivers : receivers.map { .init(source: $0) }
    }
}

extension Logger {
    /// Without what the lifecycle library tells of its own work.
    fileprivate var quieted: Logger {
        var log = self
        log.logLevel = .warning
        return log
    }
}
