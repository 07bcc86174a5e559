import AuthorizationPolicy
import CLinux
import Devices
import EventLoopSupport
import Glibc
import Linux
import LocationCore
import LocationModel
import Logging
import NIOCore
import NIOPosix
import PeerIdentity
import Receivers
import TestSupport
import Testing

/// A front without a transport, made only of what the core offers to every front.
///
/// It shows that another front needs no change in the core, and that a front that checks no permission cannot bypass
/// one.
@Suite struct MemoryFrontTests {
    /// The test's own process.
    private final class MemoryClient: Client {
        let front = LocationCore.Front(name: "memory")
        let evidence = PeerEvidence.process
        let pid = getpid()
        let uid: UInt32 = geteuid()

        func openProcess() throws(IdentityRefusal) -> ProcessDescriptor {
            let descriptor = process_open(pid)
            guard descriptor >= 0 else { throw .processGone }
            return ProcessDescriptor(owning: descriptor)
        }

        func close() {}
    }

    private final class MemoryStream: MemorySubscriber, LocationSubscriber {
        private(set) var locations: [Location] = []
        private(set) var events: [String] = []

        func receive(_ publication: borrowing Counted<Publication>, isLast: Bool) {
            locations.append(publication.location)
            if isLast { finish() }
        }

        func receive(_ event: consuming SubscriptionEvent) {
            switch consume event {
            case .authorizationChanged(let authorization): events.append("\(authorization.accuracy)")
            case .suspended: events.append("suspended")
            default: events.append("other")
            }
        }

        func complete() { finish() }
    }

    /// The core on a loop of its own, with a simulated receiver, and the front's only client.
    private final class MemoryFront {
        let core: Core
        let client = MemoryClient()
        private(set) var app: ConnectedApp?
        private var isAwaitingAdmission = false
        var streams: [MemoryStream] = []

        init(_ folder: TemporaryFolder, on loop: any EventLoop) throws {
            var settings = ServiceSettings(
                runtimeDirectory: folder.path, stateDirectory: folder.path + "/state",
                receivers: [.init(source: .simulated(route: nil))], limits: Limits(), version: "1")
            settings.inUse = .connected
            let log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            core = try Core(settings, poller: try DescriptorPoller(on: loop), on: loop, log: log) { $0.json }
            core.start(settings)
        }

        /// Has the client admitted, unless it is admitted already or an answer is outstanding.
        ///
        /// The core refuses a client if its look-up takes longer than a second, as it does if a thread is held up. The
        /// client then connects again.
        func admit() throws {
            guard app == nil, !isAwaitingAdmission else { return }
            isAwaitingAdmission = true
            try core.peers.admit(client) { [self] answer in
                isAwaitingAdmission = false
                app = try? answer.get()
                if app == nil { core.peers.closed(client) }
            }
        }

        func open(_ options: SubscriptionOptions = SubscriptionOptions()) throws -> MemoryStream {
            let stream = MemoryStream(client)
            streams.append(stream)
            core.subscriptions.open(options, of: try #require(app), for: stream)
            return stream
        }
    }

    private let loop: any EventLoop = MultiThreadedEventLoopGroup.singleton.next()
    private let folder: TemporaryFolder
    private let front: NIOLoopBound<MemoryFront>

    init() async throws {
        let (folder, loop) = (try TemporaryFolder(), loop)
        self.folder = folder
        let front = try await loop.submit { NIOLoopBound(try MemoryFront(folder, on: loop), eventLoop: loop) }.get()
        self.front = front
        try await eventually("admission") {
            try await loop.submit {
                try front.value.admit()
                return front.value.app != nil
            }.get()
        }
    }

    /// Runs `body` on the loop.
    private func on<Value: Sendable>(_ body: @escaping @Sendable (MemoryFront) throws -> Value) async throws -> Value {
        try await loop.submit { [front] in try body(front.value) }.get()
    }

    private func decide(_ decision: Decision) async throws {
        try await loop.flatSubmit { [front, loop] in
            do {
                return try front.value.core.broker.decide(decision, about: front.value.app!.key)
            } catch {
                return loop.makeFailedFuture(error)
            }
        }.get()
    }

    private func stop() async throws {
        try await loop.flatSubmit { [front] in
            front.value.core.peers.closed(front.value.client)
            return front.value.core.stop()
        }.get()
    }

    @Test func locationsComeUnderAGrantAndEndWithIt() async throws {
        try await decide(Decision(level: .whenInUse, accuracy: .full))
        try await on { _ = try $0.open() }
        try await eventually("locations") { try await on { $0.streams[0].locations.count >= 2 } }
        let delivered = try await on { front in
            front.core.history.indicator.entries(of: nil, at: WallClock.now()).filter(\.active).count
        }
        #expect(delivered == 1)
        try await decide(.denied)
        try await on { front in
            #expect(front.streams[0].failure == .notAuthorized(status: .denied))
            #expect(front.app?.subscriptions.isEmpty == true)
        }
        try await stop()
    }

    /// Attack: a front does not check what the app is entitled to.
    @Test func aFrontThatChecksNothingGetsNothing() async throws {
        try await decide(Decision(level: .whenInUse, accuracy: .full))
        // Makes the receiver work, so that a location is known.
        try await on { _ = try $0.open() }
        try await eventually("a location") { try await on { !$0.streams[0].locations.isEmpty } }
        try await decide(.denied)
        try await on { front in
            let app = try #require(front.app)
            let stream = try front.open()
            let request = MemoryStream(front.client)
            front.core.subscriptions.request(.best, timeout: 60, maximumAge: 60, of: app, for: request)
            let changes = MemoryEvents<Location>(front.client)
            front.core.events.openSignificantChanges(of: app, wake: nil, for: changes)
            let headings = MemoryEvents<Heading>(front.client)
            front.core.events.openHeadings(of: app, degrees: nil, for: headings)
            #expect(stream.locations.isEmpty && request.locations.isEmpty && changes.events.isEmpty)
            for subscriber in [request, changes, headings] as [MemorySubscriber] {
                #expect(subscriber.failure == .notAuthorized(status: .denied))
            }
        }
        try await stop()
    }

    @Test func aReducedGrantDeliversReducedLocationsOnly() async throws {
        try await decide(Decision(level: .whenInUse, accuracy: .full))
        try await on { _ = try $0.open() }
        try await eventually("a location") { try await on { !$0.streams[0].locations.isEmpty } }
        try await decide(Decision(level: .whenInUse, accuracy: .reduced))
        try await eventually("the change") { try await on { $0.streams[0].events.last == "reduced" } }
        try await on { front in
            let request = MemoryStream(front.client)
            front.streams.append(request)
            front.core.subscriptions.request(
                .best, timeout: 0, maximumAge: 60, of: try #require(front.app), for: request)
        }
        try await eventually("an answer") { try await on { $0.streams[1].isEnded } }
        let isCoarse = try await on { $0.streams[1].locations.allSatisfy { $0.horizontalAccuracy ?? 0 > 1000 } }
        #expect(isCoarse)
        try await stop()
    }

    @Test func oneLocation() async throws {
        try await decide(Decision(level: .whenInUse, accuracy: .full))
        try await on { front in
            let request = MemoryStream(front.client)
            front.streams.append(request)
            front.core.subscriptions.request(
                .best, timeout: 600, maximumAge: 5, of: try #require(front.app), for: request)
        }
        try await eventually("a location") { try await on { $0.streams[0].isEnded } }
        #expect(try await on { $0.streams[0].locations.count } == 1)
        try await stop()
    }
}
