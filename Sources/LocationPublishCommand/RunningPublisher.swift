internal import Glibc
internal import LocationClient
internal import LocationModel
internal import Logging
internal import NIOCore
internal import NIOPosix
internal import Publishing

/// A publisher with its event loop, its queue and its connections, for the main thread.
struct RunningPublisher {
    private let loop: any EventLoop
    private let publisher: NIOLoopBoundBox<Publisher>

    /// Opens the queue and starts the publisher.
    init(_ settings: PublisherSettings, _ credentials: Credentials, queue: String, log: Logger) throws {
        let store = try QueueStore(path: queue, bounds: settings.bounds, now: Publisher.Clocks.machine.wall())
        for notice in store.notices { log.error("\(notice)") }
        if store.count > 0 { log.notice("\(store.count) reports wait in the queue") }
        let loop = MultiThreadedEventLoopGroup(numberOfThreads: 1).next()
        self.loop = loop
        let kind = TransportKind.of(settings, credentials)
        publisher = try loop.submit {
            let daemon = LocationClient(runtimeDirectory: nil, eventLoop: loop)
            let publisher = Publisher(
                settings, store: store, kind: kind,
                source: DaemonSession(settings, client: daemon, on: loop, log: log), clocks: .machine, on: loop,
                log: log)
            publisher.start()
            return NIOLoopBoundBox(publisher, eventLoop: loop)
        }.wait()
    }

    /// Stops the publisher, and waits for that.
    func stop() {
        try? loop.flatSubmit { publisher.value.stop() }.wait()
    }
}

extension TransportKind {
    /// The way to connect to the configured server.
    static func of(_ settings: PublisherSettings, _ credentials: Credentials) -> TransportKind {
        let address = settings.broker
        guard address.scheme != .http else {
            return TransportKind(window: 1) { loop, onEvent in HTTPConnection(address, on: loop, onEvent: onEvent) }
        }
        let format = settings.format.format(topic: settings.topic, device: settings.device)
        let mqtt = MQTTSettings(settings, credentials: credentials, availability: format.availability)
        return TransportKind(window: 16) { loop, onEvent in MQTTConnection(mqtt, on: loop, onEvent: onEvent) }
    }
}

extension Publisher.Clocks {
    /// The clocks of this machine.
    static let machine = Publisher.Clocks(
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
