import LocationModel
import Logging
import NIOConcurrencyHelpers
import NIOCore
import NIOEmbedded
import Publishing
import TestSupport

@testable import LocationPublishCommand

/// A publisher with a scripted server, and a clock that moves when the test says so.
final class PublisherScene: Sendable {
    let folder: TemporaryFolder
    let loop = NIOAsyncTestingEventLoop()
    let server = ScriptedServer()
    private let log = RecordedLines()

    init() throws { folder = try TemporaryFolder() }

    /// A publisher that has been started, on the loop.
    struct Running: Sendable {
        let publisher: NIOLoopBoundBox<ReportPublisher>
        let source: NIOLoopBoundBox<ScriptedSource>
        let store: QueueStore

        init(_ publisher: ReportPublisher, _ source: ScriptedSource, _ store: QueueStore, on loop: any EventLoop) {
            self.publisher = NIOLoopBoundBox(publisher, eventLoop: loop)
            self.source = NIOLoopBoundBox(source, eventLoop: loop)
            self.store = store
        }
    }

    func start(sendsWhileDisabled: Bool = false) async throws -> Running {
        try await start(sendsWhileDisabled) { [loop] in Running($0, $1, $2, on: loop) }
    }

    /// Starts a publisher, and passes it to `body` on the loop.
    func start<Result: Sendable>(
        _ sendsWhileDisabled: Bool = false,
        _ body: @escaping @Sendable (ReportPublisher, ScriptedSource, QueueStore) -> Result
    ) async throws -> Result {
        let store = try QueueStore(path: folder.path + "/queue.db", bounds: QueueBounds(), now: Samples.time(1000))
        var settings = PublisherSettings(
            broker: try BrokerAddress(parsing: "mqtt://broker"), format: .json, device: "van")
        settings.sendsWhileDisabled = sendsWhileDisabled
        let (lines, configuration) = (log, settings)
        let logger = Logger(label: "test") { _ in RecordingLog(lines) }
        let (loop, kind) = (loop, server.kind(window: 2))
        return try await loop.executeInContext {
            let source = ScriptedSource()
            let publisher = ReportPublisher(
                configuration, store: store, kind: kind, source: source,
                clocks: .init(wall: { Samples.time(1000) }, elapsed: { 0 }), on: loop, log: logger)
            publisher.start()
            return body(publisher, source, store)
        }
    }

    /// What the publisher has logged so far.
    var logged: String { log.all.joined(separator: "\n") }

    /// Puts reports into the queue before the publisher starts.
    func fill(_ count: Int) throws {
        let store = try QueueStore(path: folder.path + "/queue.db", bounds: QueueBounds(), now: Samples.time(1000))
        _ = try store.append(Samples.reports(1...count), at: Samples.time(1000))
    }

    func emit(_ event: SourceEvent, _ running: Running) async throws {
        let event = NIOLockedValueBox(event)
        try await loop.executeInContext { running.source.value.emit(event.withLockedValue { $0 }) }
    }

    /// Waits for a connection, and accepts it.
    func accept(_ count: Int) async throws -> ScriptedServer.Connection {
        try await run("connection \(count)") { server.connections.count >= count }
        let connection = server.connections[count - 1]
        connection.accept()
        try await run("the announcement") { !connection.sent.isEmpty }
        return connection
    }

    /// Waits for what the queue's thread and the loop do to each other, without moving the clock.
    func run(_ what: String, _ condition: () throws -> Bool) async throws {
        try await eventually("\(what): \(logged)") {
            await loop.run()
            return try condition()
        }
    }
}
