import ArgumentParser
import Glibc
import LocationPublishCommand
import Logging
import NIOConcurrencyHelpers
import NIOPosix
import Publishing
import ServiceSupport

/// Plays units of a fleet: each has a publisher and a queue of its own, as on a machine of its own, and moves.
///
/// SIGUSR1 ends the movement; waiting reports are still sent. SIGTERM ends the program.
@main
struct PublishLoad: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "publish-load", abstract: "Play units of a fleet that publish their locations.")

    @Option(help: "The port of the broker on this machine.")
    var port: Int
    @Option(help: "The folder of the queues.")
    var folder: String
    @Option(help: "The number of the first unit.")
    var first: Int
    @Option(help: "The number of units.")
    var units: Int
    @Option(help: "Locations a second of each unit.")
    var rate = 1.0

    func run() throws {
        Glibc.signal(SIGPIPE, SIG_IGN)
        var signals = Signals(SIGTERM, SIGUSR1)
        raiseDescriptorLimit()
        let isMoving = NIOLockedValueBox(true)
        let loop = MultiThreadedEventLoopGroup(numberOfThreads: 1).next()
        var log = Logger(label: "publish-load") { StreamLogHandler.standardError(label: $0) }
        log.logLevel = .error
        let rate = rate
        let publishers = try (first..<first + units).map { number in
            let settings = PublisherSettings(
                broker: try BrokerAddress(parsing: "mqtt://127.0.0.1:\(port)"), format: .json, device: "unit-\(number)")
            return try RunningPublisher(
                settings, Credentials(), queue: "\(folder)/unit-\(number).db", on: loop, log: log
            ) { MovingUnit(number, rate: rate, while: isMoving, on: $0) }
        }
        print("started")
        fflush(nil)
        while signals.next() == SIGUSR1 { isMoving.withLockedValue { $0 = false } }
        for publisher in publishers { publisher.stop() }
    }

    /// Each unit needs a connection, a pipe and the three files of a queue.
    private func raiseDescriptorLimit() {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
}
