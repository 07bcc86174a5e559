import AuthorizationPolicy
import Bus
import Devices
import EventLoopSupport
import LocationCore
import LocationModel
import Logging
import NIOCore
import NIOPosix
import TestSupport

@testable import GeoClueFront

/// The front with a core, on a loop and a bus of its own, with a simulated receiver.
final class FrontFixture: Sendable {
    let loop: any EventLoop = MultiThreadedEventLoopGroup.singleton.next()
    let folder: TemporaryFolder
    let log = RecordedLines()
    private let parts: NIOLoopBound<Parts>

    /// The parts that are confined to the loop.
    final class Parts {
        let core: Core
        let front: GeoClueFront
        let poller: DescriptorPoller
        var apps: [BusApp] = []
        private var isStopped = false

        init(_ folder: TemporaryFolder, _ limits: Limits, on loop: any EventLoop, log lines: RecordedLines) throws {
            var settings = ServiceSettings(
                runtimeDirectory: folder.path, stateDirectory: folder.path + "/state",
                receivers: [.init(source: .simulated(route: nil))], limits: limits, version: "1")
            settings.inUse = .connected
            let log = Logger(label: "test") { _ in LineHandler(lines: lines) }
            core = try Core(settings, poller: try DescriptorPoller(on: loop), on: loop, log: log) { $0.json }
            poller = try DescriptorPoller(on: loop)
            front = GeoClueFront(core, address: "unix:path=\(folder.path)/bus", poller: poller, on: loop, log: log)
            core.start(settings)
            front.start()
        }

        func stop() -> EventLoopFuture<Void> {
            guard !isStopped else { return front.loop.makeSucceededVoidFuture() }
            isStopped = true
            for app in apps { app.bus.stop() }
            front.stop()
            poller.stop()
            return core.stop()
        }
    }

    init(limits: Limits = Limits()) async throws {
        let (folder, loop, log) = (try TemporaryFolder(), loop, log)
        self.folder = folder
        parts = try await loop.submit {
            NIOLoopBound(try Parts(folder, limits, on: loop, log: log), eventLoop: loop)
        }.get()
    }

    /// Stops the parts that a failed test left running, before they are released.
    deinit {
        loop.execute { [parts] in parts.value.stop().assumeIsolated().whenComplete { _ in _ = parts.value } }
    }

    /// Runs `body` on the loop.
    func on<Value: Sendable>(_ body: @escaping @Sendable (Parts) throws -> Value) async throws -> Value {
        try await loop.submit { [parts] in try body(parts.value) }.get()
    }

    /// Waits until `body` returns a value.
    func eventually<Value: Sendable>(
        _ what: String, _ body: @escaping @Sendable (Parts) throws -> Value?
    ) async throws -> Value {
        var found: Value?
        try await TestSupport.eventually("\(what): \(log.all)") {
            found = try await on(body)
            return found != nil
        }
        return found!
    }

    /// Connects another program. Returns its number.
    func connect() async throws -> Int {
        let (loop, address) = (loop, "unix:path=\(folder.path)/bus")
        let number = try await on { parts in
            parts.apps.append(BusApp(address, parts.poller, on: loop))
            return parts.apps.count - 1
        }
        _ = try await eventually("a connection") { $0.apps[number].isConnected ? true : nil }
        return number
    }

    /// Makes calls, and returns their answers.
    func answers(
        of app: Int, _ calls: @escaping @Sendable (BusApp) -> Void
    ) async throws -> [BusApp.Answer] {
        let before = try await on { parts in
            let before = parts.apps[app].answers.count
            calls(parts.apps[app])
            return before
        }
        return try await eventually("answers") { parts in
            parts.apps[app].unanswered == 0 ? Array(parts.apps[app].answers[before...]) : nil
        }
    }

    /// Decides about the app that this process is.
    func decide(_ decision: Decision?) async throws {
        try await loop.flatSubmit { [parts, loop] () -> EventLoopFuture<Void> in
            guard let app = parts.value.core.peers.apps.keys.first else {
                return loop.makeFailedFuture(Overdue(what: "an app"))
            }
            do { return try parts.value.core.broker.decide(decision, about: app) } catch {
                return loop.makeFailedFuture(error)
            }
        }.get()
    }

    func stop() async throws {
        try await loop.flatSubmit { [parts] in parts.value.stop() }.get()
    }
}

/// A log that keeps its lines.
private struct LineHandler: LogHandler {
    let lines: RecordedLines
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.info

    init(lines: RecordedLines) { self.lines = lines }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) { lines.add("\(event.message)") }
}
