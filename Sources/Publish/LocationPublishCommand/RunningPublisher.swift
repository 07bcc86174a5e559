internal import Glibc
internal import LocationClient
internal import LocationModel
package import Logging
package import NIOCore
internal import NIOPosix
package import Publishing
internal import ServiceSupport

/// A publisher on an event loop, with its queue and its connections, controlled from another thread.
package struct RunningPublisher: Sendable {
    private let loop: any EventLoop
    private let publisher: NIOLoopBoundBox<ReportPublisher>

    /// Opens the queue and starts a publisher of this machine's location, on a loop of its own.
    init(_ settings: PublisherSettings, _ credentials: Credentials, queue: String, log: Logger) throws {
        let loop = MultiThreadedEventLoopGroup(numberOfThreads: 1).next()
        try self.init(settings, credentials, queue: queue, on: loop, log: log) { loop in
            let daemon = LocationClient(runtimeDirectory: nil, eventLoop: loop)
            return DaemonSession(settings, client: daemon, on: loop, log: log)
        }
        let publisher = publisher
        try loop.submit { publisher.value.onStatus = { ServiceManager.status($0) } }.wait()
    }

    /// Opens the queue and starts a publisher.
    ///
    /// - Parameters:
    ///   - queue: The path of the queue.
    ///   - source: Creates the source of the reports, on the loop.
    package init(
        _ settings: PublisherSettings, _ credentials: Credentials, queue: String, on loop: any EventLoop, log: Logger,
        source: @escaping @Sendable (any EventLoop) -> any ReportSource
    ) throws {
        let store = try QueueStore(
            path: queue, bounds: settings.bounds, secret: credentials.queueSecret,
            now: ReportPublisher.Clocks.machine.wall())
        for notice in store.notices { log.error("\(notice)") }
        if settings.broker.scheme.isHTTP, let problem = HTTPReason.libraryProblem() { log.error("\(problem)") }
        if store.count > 0 { log.notice("\(store.count) reports wait in the queue") }
        self.loop = loop
        let kind = TransportKind.of(settings, credentials)
        publisher = try loop.submit {
            let publisher = ReportPublisher(
                settings, store: store, kind: kind, source: source(loop), clocks: .machine, on: loop, log: log)
            publisher.start()
            return NIOLoopBoundBox(publisher, eventLoop: loop)
        }.wait()
    }

    /// Stops the publisher, and waits until it has stopped.
    package func stop() {
        try? loop.flatSubmit { publisher.value.stop() }.wait()
    }
}

extension TransportKind {
    /// The way to connect to the configured server.
    static func of(_ settings: PublisherSettings, _ credentials: Credentials) -> TransportKind {
        guard !settings.broker.scheme.isHTTP else {
            let http = HTTPSettings(settings, credentials: credentials)
            return TransportKind(window: 1) { loop, onEvent in HTTPConnection(http, on: loop, onEvent: onEvent) }
        }
        let availability = settings.reportFormat.availability
        let mqtt = MQTTSettings(settings, credentials: credentials, availability: availability)
        return TransportKind(window: 16, answerTimeout: MQTTConnection.answerTimeout) { loop, onEvent in
            MQTTConnection(mqtt, on: loop, onEvent: onEvent)
        }
    }
}

extension ReportPublisher.Clocks {
    /// The clocks of this machine.
    static let machine = ReportPublisher.Clocks(
        wall: {
            let time = reading(CLOCK_REALTIME)
            return Timestamp(millisecondsSince1970: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
        },
        elapsed: {
            let time = reading(CLOCK_BOOTTIME)
            return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
        })

    private static func reading(_ identifier: clockid_t) -> timespec {
        var time = timespec()
        clock_gettime(identifier, &time)
        return time
    }
}
