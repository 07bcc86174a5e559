internal import ArgumentParser
internal import ForeignText
internal import Foundation
internal import Glibc
internal import LocationClient
internal import LocationModel
internal import Logging
internal import NIOCore
internal import NIOPosix
internal import Publishing
internal import ServiceSupport
internal import StateFiles

/// The publisher's command: parses the arguments, composes the publisher, and runs it until SIGTERM.
struct LocationPublish: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "locationd-publish",
        abstract: "Publishes this machine's location to a server, as far as locationd permits.",
        discussion: "SIGTERM stops it. LOCATIOND_RUNTIME_DIRECTORY names the folder of locationd's sockets.",
        version: Version.text)

    @Option(help: ArgumentHelp("The configuration file.", valueName: "file"))
    var config = "/etc/locationd/publish.toml"

    @Option(help: ArgumentHelp("The folder of the queue.", valueName: "dir"))
    var stateDirectory: String?

    @OptionGroup var service: ServiceOptions

    @Flag(help: "Delete the queue and the refused reports, and exit.")
    var clear = false

    @Flag(help: "Put refused reports back into the queue, and exit.")
    var requeue = false

    func run() throws {
        umask(0o077)
        // A broker that closes its end must not end this process.
        Glibc.signal(SIGPIPE, SIG_IGN)
        var signals = Signals(SIGTERM, SIGINT)
        let environment = ProcessInfo.processInfo.environment
        if clear { return try clearQueue(environment) }
        if requeue { return try requeueRefused(environment) }
        let file = try read()
        if service.check {
            if file.settings.tls.lacksKey, !Credentials.mayHaveKey(environment) {
                complain("\(config): \(Credentials.missingKey)")
                throw ExitCode(2)
            }
            return
        }
        let log = Logger(
            service: "locationd-publish", environment: environment,
            level: service.logLevel ?? file.logLevel ?? .info)
        do {
            try serve(file.settings, environment, until: &signals, log: log)
        } catch {
            log.critical("\(error)")
            throw ExitCode.failure
        }
    }

    /// Publishes until a signal arrives.
    private func serve(
        _ settings: PublisherSettings, _ environment: [String: String], until signals: inout Signals, log: Logger
    ) throws {
        let path = statePath(environment)
        let folder = try StateDirectory(path, of: "locationd-publish")
        let credentials = try Credentials(folder: environment["CREDENTIALS_DIRECTORY"])
        try credentials.check(for: settings)
        let publisher = try RunningPublisher(settings, credentials, queue: path + "/queue.db", log: log)
        ServiceManager.ready()
        _ = signals.next()
        ServiceManager.stopping()
        publisher.stop()
        _ = folder
    }

    private func read() throws -> PublisherFile {
        do {
            return try PublisherFile.read(config)
        } catch {
            complain("\(error)")
            throw ExitCode(2)
        }
    }

    private func complain(_ mistake: String) {
        FileHandle.standardError.write(Data("locationd-publish: \(ForeignText.line(mistake))\n".utf8))
    }

    private func statePath(_ environment: [String: String]) -> String {
        stateDirectory ?? environment["STATE_DIRECTORY"]?.split(separator: ":").first.map(String.init)
            ?? "/var/lib/locationd-publish"
    }

    /// Empties the queue, even while a publisher uses it: a publisher reads the reports it sends from the disk.
    private func clearQueue(_ environment: [String: String]) throws {
        let path = statePath(environment) + "/queue.db"
        guard FileManager.default.fileExists(atPath: path) else { return }
        do {
            // Without the secret, which only the service has: nothing is read.
            try QueueFile.clear(path, now: ReportPublisher.Clocks.machine.wall(), busyTimeout: 60)
        } catch {
            try fail(error)
        }
    }

    /// Puts the reports that the server has refused back into the queue, unless a publisher is running.
    private func requeueRefused(_ environment: [String: String]) throws {
        do {
            let path = statePath(environment)
            let folder = try StateDirectory(path, of: "locationd-publish")
            let file = path + "/queue.db"
            let count =
                FileManager.default.fileExists(atPath: file) ? try QueueFile.requeue(file, busyTimeout: 60) : 0
            print("\(count) reports are back in the queue")
            _ = folder
        } catch {
            try fail(error)
        }
    }

    private func fail(_ error: any Error) throws -> Never {
        FileHandle.standardError.write(Data("locationd-publish: \(ForeignText.line("\(error)"))\n".utf8))
        throw ExitCode.failure
    }
}

/// The program `locationd-publish`.
public enum LocationPublishProgram {
    /// Runs the publisher with the process's arguments until SIGTERM, and exits with its exit status.
    public static func main() { ServiceProgram.run(LocationPublish.self) }
}
