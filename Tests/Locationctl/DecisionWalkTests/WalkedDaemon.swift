import ArgumentParser
import EventLoopSupport
import LocationModel
import LocationProtocol
import Logging
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import TestSupport
import Varlink
import VarlinkFront

@testable import AuthorizationPolicy
@testable import LocationCore
@testable import LocationctlSupport

/// The daemon's core and its management socket in this process, with a clock that the test sets, and locationctl's
/// connection to it.
final class WalkedDaemon: Sendable {
    /// The core with its sockets. Confined to the loop.
    private final class Service {
        let core: Core
        let streams: StreamSockets
        let sockets: VarlinkSockets

        init(_ settings: ServiceSettings, clock: @escaping () -> Timestamp, on loop: any EventLoop) throws {
            let log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            core = try Core(settings, poller: try DescriptorPoller(on: loop), on: loop, log: log, clock: clock) {
                $0.json
            }
            streams = try StreamSockets(on: loop)
            sockets = try VarlinkSockets(core, settings, in: streams, log: log)
            core.start(settings)
        }

        func stop() -> EventLoopFuture<Void> {
            core.stop().and(sockets.close()).assumeIsolated().map { _ in self.streams.stop() }.nonisolated()
        }
    }

    static let start: Int64 = 1_800_000_000
    /// A manifest with a purpose for full accuracy, for every app that the walk names.
    private static let manifest = try! AppManifest(
        whenInUse: LocalizedText("Shows where you are."), always: LocalizedText("Records hikes."),
        temporaryFullAccuracy: ["turns": LocalizedText("Tells you where to turn.")])

    let connection: DaemonConnection
    private let folder: TemporaryFolder
    let loop: any EventLoop = MultiThreadedEventLoopGroup.singleton.next()
    private let service: NIOLockedValueBox<NIOLoopBound<Service>?>
    private let seconds = NIOLockedValueBox(start)

    init() async throws {
        folder = try TemporaryFolder()
        service = NIOLockedValueBox(nil)
        connection = DaemonConnection(
            try Target.parse(["--runtime-directory", folder.path + "/run"]), try Target.parse([]))
        try await begin()
    }

    private func begin() async throws {
        let (folder, loop, seconds) = (folder.path, loop, seconds)
        let bound = try await loop.submit {
            var settings = ServiceSettings(
                runtimeDirectory: folder + "/run", stateDirectory: folder + "/state", receivers: [], limits: Limits(),
                version: "1")
            settings.inUse = .connected
            settings.manifests = [Cell.app: Self.manifest]
            let clock = { Timestamp(millisecondsSince1970: seconds.withLockedValue { $0 } * 1000) }
            return NIOLoopBound(try Service(settings, clock: clock, on: loop), eventLoop: loop)
        }.get()
        try await loop.flatSubmit {
            do {
                return try bound.value.sockets.listen(ListenDescriptors(environment: [:], processID: 0), others: [])
            } catch {
                return loop.makeFailedFuture(error)
            }
        }.get()
        service.withLockedValue { $0 = bound }
    }

    /// The time by the daemon's clock, in seconds since 1970.
    var now: Int64 { seconds.withLockedValue { $0 } }

    func stop() async throws {
        let bound = service.withLockedValue { exchange(&$0, with: nil) }
        try await loop.flatSubmit { bound?.value.stop() ?? self.loop.makeSucceededVoidFuture() }.get()
    }

    func restart() async throws {
        try await stop()
        try await begin()
    }

    /// Runs `body` on the loop with the broker.
    func broker<Value: Sendable>(
        _ body: @escaping @Sendable (AuthorizationBroker) throws -> EventLoopFuture<Value>
    ) async throws -> Value {
        let (bound, loop) = (service.withLockedValue { $0 }, loop)
        return try await loop.flatSubmit {
            do { return try body(bound!.value.core.broker) } catch { return loop.makeFailedFuture(error) }
        }.get()
    }

    /// Advances the clock, and ends expired decisions.
    func pass(_ seconds: Int64) async throws {
        self.seconds.withLockedValue { $0 += seconds }
        let loop = loop
        try await broker { broker in
            broker.clockChanged()
            return loop.makeSucceededVoidFuture()
        }
    }

    /// Returns the apps of all users with their decisions.
    func apps() async throws -> [AppSummary] { try await connection.list(ListApps.self, UserScope()).apps }

    /// Returns the open prompts of all users.
    func prompts() async throws -> [Prompt] { try await connection.list(MonitorPrompts.self, .init()).prompts }
}
