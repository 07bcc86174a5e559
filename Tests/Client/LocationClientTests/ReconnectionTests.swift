import EventLoopSupport
import LocationClient
import LocationModel
import LocationProtocol
import NIOConcurrencyHelpers
import TestSupport
import Testing
import Varlink

/// Clients whose daemon goes away and comes back.
@Suite(.timeLimit(.minutes(15))) struct ReconnectionTests {
    private func client(_ daemon: ScriptedDaemon) -> LocationClient {
        LocationClient(runtimeDirectory: daemon.runtime, eventLoop: nil, backoff: Backoff(first: 0.002, greatest: 0.02))
    }

    @Test func aStreamReportsTheLossAndContinues() async throws {
        let daemon = try await ScriptedDaemon()
        var options = LocationClient.Options()
        options.maximumUpdates = 3
        var updates = client(daemon).updates(options).makeAsyncIterator()
        async let first: Void = {
            try await daemon.waitUntilOpen("Subscribe")
            try await daemon.send("Subscribe", .fix(0))
        }()
        #expect(try await updates.next()?.location != nil)
        try await first
        try await daemon.stop()
        #expect(try await updates.next() == .disconnected)
        async let second: Void = {
            try await daemon.authorize("authorizedWhenInUse")
            try await daemon.start()
            try await daemon.waitUntilOpen("Subscribe")
            try await daemon.send("Subscribe", .fix(1))
        }()
        #expect(try await updates.next() == .reconnected)
        let whenInUse = AuthorizationState(
            status: .authorizedWhenInUse, accuracy: .full, servicesEnabled: true)
        #expect(try await updates.next() == .authorizationChanged(whenInUse))
        #expect(try await updates.next()?.location != nil)
        try await second
        #expect(try await daemon.connections() == 1)
        let asked = try await daemon.asked("Subscribe").map { $0["options"]?["maximumUpdates"] }
        #expect(asked == [3, 2])
    }

    @Test func aDaemonThatComesBackWithARefusalEndsTheStream() async throws {
        let daemon = try await ScriptedDaemon()
        var updates = client(daemon).updates().makeAsyncIterator()
        async let restarted: Void = {
            try await daemon.waitUntilOpen("Subscribe")
            try await daemon.stop()
            try await daemon.fail("Subscribe", with: VarlinkError("io.locationd.Location.ServicesDisabled"))
            try await daemon.start()
        }()
        #expect(try await updates.next() == .disconnected)
        #expect(try await updates.next() == .reconnected)
        await #expect(throws: LocationError.servicesDisabled) { try await updates.next() }
        try await restarted
    }

    @Test func withoutADaemonAStreamDoesNotBegin() async throws {
        let daemon = try await ScriptedDaemon(starts: false)
        var updates = client(daemon).updates().makeAsyncIterator()
        let path = daemon.runtime + "/io.locationd.Location"
        await #expect(
            throws: LocationError.daemonUnreachable(path: path, reason: "No such file or directory")
        ) { try await updates.next() }
    }

    @Test func cancellingWhileItWaitsEndsIt() async throws {
        let daemon = try await ScriptedDaemon()
        let updates = client(daemon).updates()
        let (told, continuation) = AsyncStream.makeStream(of: LocationUpdate.self)
        let task = Task { for try await update in updates { continuation.yield(update) } }
        try await daemon.waitUntilOpen("Subscribe")
        try await daemon.stop()
        for await update in told {
            #expect(update == .disconnected)
            break
        }
        task.cancel()
        try await task.value
    }

    @Test func authorizationChangesContinueSilently() async throws {
        let daemon = try await ScriptedDaemon()
        var changes = client(daemon).authorizationChanges.makeAsyncIterator()
        #expect(try await changes.next()?.status == .authorizedAlways)
        try await daemon.waitUntilOpen("GetAuthorization")
        try await daemon.stop()
        try await daemon.start()
        async let changed: Void = {
            // The unchanged state is not reported again.
            try await daemon.waitUntilOpen("GetAuthorization")
            try await daemon.send("GetAuthorization", ["authorization": .authorization("denied", services: false)])
        }()
        let denied = AuthorizationState(status: .denied, accuracy: .full, servicesEnabled: false)
        #expect(try await changes.next() == denied)
        try await changed
    }

    @Test func anEarlierLocationIsNotReportedAgain() async throws {
        let daemon = try await ScriptedDaemon()
        var changes = client(daemon).significantChanges().makeAsyncIterator()
        async let scene: Void = {
            try await daemon.waitUntilOpen("MonitorSignificantChanges")
            try await daemon.send("MonitorSignificantChanges", .fix(1))
            try await daemon.stop()
            try await daemon.start()
            try await daemon.waitUntilOpen("MonitorSignificantChanges")
            try await daemon.send("MonitorSignificantChanges", .fix(1), .fix(2))
        }()
        #expect(try await changes.next()?.location?.timestamp.millisecondsSince1970 == 1000)
        #expect(try await changes.next() == .disconnected)
        #expect(try await changes.next() == .reconnected)
        #expect(try await changes.next()?.location?.timestamp.millisecondsSince1970 == 2000)
        try await scene
    }

    // MARK: Subscriptions without tasks

    @Test func aSubscriptionWaitsForADaemonAndReportsEverything() async throws {
        let daemon = try await ScriptedDaemon(starts: false)
        let (steps, continuation) = AsyncStream.makeStream(of: StreamStep<LocationUpdate>.self)
        let subscription = client(daemon).updates().subscribe(waitsForDaemon: true) { continuation.yield($0) }
        var told = steps.makeAsyncIterator()
        func next() async -> LocationUpdate? {
            guard case .element(let update)? = await told.next() else { return nil }
            return update
        }
        #expect(await next() == .disconnected)
        try await daemon.start()
        #expect(await next() == .reconnected)
        try await daemon.waitUntilOpen("Subscribe")
        // The replies are read at once, but the handler is called for one after the other and never from within
        // itself.
        for second in 0..<200 { try await daemon.send("Subscribe", .fix(second)) }
        for second in 0..<200 {
            #expect(await next()?.location?.timestamp.millisecondsSince1970 == Int64(second) * 1000)
        }
        try await daemon.send("Subscribe", [:], last: true)
        guard case .ended(nil)? = await told.next() else { throw Overdue(what: "the end") }
        subscription.cancel()
    }

    @Test func nothingIsToldAfterCancellingOnTheEventLoop() async throws {
        let daemon = try await ScriptedDaemon()
        let subscription = NIOLockedValueBox<CancellationHandle?>(nil)
        let count = NIOLockedValueBox(0)
        let made = client(daemon).updates().subscribe { _ in
            count.withLockedValue { $0 += 1 }
            subscription.withLockedValue { $0 }?.cancel()
        }
        subscription.withLockedValue { $0 = made }
        try await daemon.waitUntilOpen("Subscribe")
        try await daemon.send("Subscribe", .fix(0), .fix(1), .fix(2))
        try await daemon.waitUntilConnections(0)
        #expect(count.withLockedValue { $0 } == 1)
    }
}
