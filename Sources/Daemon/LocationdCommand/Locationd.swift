internal import ArgumentParser
internal import AuthorizationPolicy
internal import CLinux
internal import Devices
internal import EventLoopSupport
internal import Foundation
internal import Glibc
internal import LocationCore
internal import LocationModel
internal import LocationService
internal import Logging
internal import NIOCore
internal import Receivers
internal import ServiceSupport
internal import StateFiles
internal import Varlink

/// The daemon's command: parses the arguments, composes the service, and runs it until SIGTERM.
struct Locationd: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "locationd",
        abstract: "Gives each local app as much of this machine's location as its owner has granted.",
        discussion: """
            SIGTERM stops it, SIGHUP reads the configuration again. Without arguments it uses the sockets in \
            /run/locationd and the database in /var/lib/locationd.
            """,
        version: Version.text)

    @Option(help: ArgumentHelp("The configuration file; conf.d/*.toml beside it is read too.", valueName: "file"))
    var config: String?

    @Option(help: ArgumentHelp("The folder for the sockets.", valueName: "dir"))
    var runtimeDirectory: String?

    @Option(help: ArgumentHelp("The folder of the database.", valueName: "dir"))
    var stateDirectory: String?

    @Option(
        name: .customLong("receiver"),
        help: ArgumentHelp(
            """
            A receiver to use instead of the configured ones: serial:/dev/ttyACM0[@9600], usb:SERIAL[@9600], \
            gpsd:[HOST[:PORT]], socket:PATH, modem:[IMEI or PATH], bluetooth:ADDRESS, \
            fixed:LAT,LON[,ALT][~ACCURACY], simulated[:ROUTE.gpx] or replay:FILE.nmea[@SPEED]. May be repeated; the \
            first is preferred.
            """, valueName: "spec"),
        transform: { try ReceiverSpecification(parsing: $0) })
    var receivers: [ReceiverSpecification] = []

    @OptionGroup var service: ServiceOptions

    func run() throws {
        // Files of this process are closed to other users unless they are opened on purpose, because SQLite may create
        // files next to the database at any time.
        umask(0o077)
        memory_use_one_heap()
        var signals = Signals(SIGTERM, SIGINT, SIGHUP)
        let environment = ProcessInfo.processInfo.environment
        let paths = Paths(arguments: self, environment: environment)
        let configuration = try read(paths)
        if service.check { return }
        let isJournal = JournalLogHandler.isStandardErrorTheJournal(environment["JOURNAL_STREAM"])
        let queue = LogQueue()
        defer { queue.flush() }
        var log = Logger(label: "locationd") { label -> any LogHandler in
            let handler: any LogHandler =
                isJournal ? JournalLogHandler(identifier: "locationd") : StreamLogHandler.standardError(label: label)
            return CleanLogHandler(QueuedLogHandler(handler, queue))
        }
        log.logLevel = service.logLevel ?? configuration.logLevel
        raiseDescriptorLimit()
        // Attack: after a call of 30 MB over the bus, the daemon keeps that much memory forever.
        memory_map_large_blocks()
        do {
            let service = try start(configuration, paths, environment: environment, log: log)
            ServiceManager.ready()
            // Memory that the start used on both threads, for files and interface descriptions.
            service.eventLoop.execute { memory_give_back() }
            memory_give_back()
            while signals.next() == SIGHUP { reload(service, startedWith: configuration, paths, log) }
            ServiceManager.stopping()
            try service.stop().wait()
        } catch {
            let remedy =
                error is DirectoryFailure && getuid() != 0 && (runtimeDirectory == nil || stateDirectory == nil)
                ? ": an ordinary user gives folders with --runtime-directory and --state-directory" : ""
            log.critical("\(error)\(remedy)")
            throw ExitCode.failure
        }
    }

    private func read(_ paths: Paths) throws -> Configuration {
        try Configuration(
            packages: paths.packagedConfiguration, file: paths.configuration, required: config != nil)
    }

    private func start(
        _ configuration: Configuration, _ paths: Paths, environment: [String: String], log: Logger
    ) throws -> Daemon {
        let entries = receiverEntries(in: configuration)
        if entries.isEmpty, configuration.discover == false {
            log.warning("no receiver is configured: add [[receiver]] to \(paths.configuration) or give --receiver")
        }
        var settings = settings(configuration, paths, log)
        settings.peersSocket = environment["LOCATIOND_PEERS"]
        let loop = try PollingLoop()
        let service = try Daemon.make(
            settings,
            fronts: FrontSettings(
                gpsd: configuration.gpsd, geoclue: configuration.geoclue, corrections: configuration.corrections),
            on: loop,
            log: log)
        let inherited = try ListenDescriptors(environment: environment, processID: getpid())
        // When idle, the daemon ends in the same way as when the service manager stops it.
        try service.start(inherited: inherited) { kill(getpid(), SIGTERM) }.wait()
        ServiceManager.watch(loop)
        return service
    }

    /// Reads the configuration again. If it contains an error, the previous configuration stays in force.
    private func reload(
        _ service: Daemon, startedWith initial: Configuration, _ paths: Paths, _ log: Logger
    ) {
        ServiceManager.reloading()
        do {
            let configuration = try read(paths)
            // An administrator who reloads the service expects new restrictions to be in force afterwards.
            try service.apply(settings(configuration, paths, log)).wait()
            log.notice("the configuration was read again")
            for key in configuration.keysThatNeedRestart(since: initial) {
                log.warning("the new value of \(key) has no effect yet: restart locationd, as systemctl restart does")
            }
            ServiceManager.ready()
        } catch {
            log.error("the new configuration was not applied, and the previous one stays in force: \(error)")
            ServiceManager.kept("\(error)")
        }
    }
}

extension Locationd {
    /// Returns the settings from the command line and the configuration.
    fileprivate func settings(_ configuration: Configuration, _ paths: Paths, _ log: Logger) -> ServiceSettings {
        var settings = ServiceSettings(
            runtimeDirectory: paths.runtime, stateDirectory: paths.state, receivers: receiverEntries(in: configuration),
            limits: configuration.limits, version: Version.text)
        settings.manifests = manifests(paths, log)
        settings.restrictions = NamedPrograms.resolved(configuration.restrictions, log)
        settings.inUse = configuration.inUse
        settings.discovers = discovers(configuration)
        settings.exitWhenIdle = configuration.exitWhenIdle
        settings.time = configuration.time
        settings.geocoderSocket = configuration.geocoderSocket
        settings.surroundings = configuration.surroundings
        logMissingFiles(of: settings.receivers, log)
        return settings
    }

    /// Logs recordings and routes that cannot be read. They are opened only once an app needs the location.
    private func logMissingFiles(of receivers: [ServiceSettings.ReceiverEntry], _ log: Logger) {
        for source in receivers.map(\.source) {
            guard let file = source.file, access(file, R_OK) != 0 else { continue }
            log.error("\(source): \(file) cannot be read: \(String(cString: strerror(errno)))")
        }
    }

    /// Returns the manifests of the apps.
    fileprivate func manifests(_ paths: Paths, _ log: Logger) -> [AppIdentity: AppManifest] {
        let manifests = ManifestFolder.load(AppManifest.self, from: paths.manifests, log: log).byApp
        NamedPrograms.check(manifests.keys, log)
        return manifests
    }

    /// Returns the receivers from the command line or, if there are none, from the configuration.
    fileprivate func receiverEntries(in configuration: Configuration) -> [ServiceSettings.ReceiverEntry] {
        receivers.isEmpty ? configuration.receivers : receivers.map { .init(source: $0) }
    }

    /// Returns whether receivers that udev reports are used as well: as configured, or else only if no receiver is
    /// named. A fixed place does not count as a receiver.
    fileprivate func discovers(_ configuration: Configuration) -> Bool {
        configuration.discover ?? receiverEntries(in: configuration).allSatisfy(\.source.isFixedPlace)
    }
}

/// The program `locationd`.
public enum LocationdProgram {
    /// Runs the daemon with the process's arguments until SIGTERM, and exits with the daemon's exit status.
    public static func main() { ServiceProgram.run(Locationd.self) }
}

/// Raises the limit on open descriptors as far as permitted: each connection needs one, and its process another.
func raiseDescriptorLimit() {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
    limit.rlim_cur = limit.rlim_max
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
}
