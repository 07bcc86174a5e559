import AuthorizationPolicy
import Bus
import EventLoopSupport
import Linux
import LocationModel
import Logging
import NIOCore
import NIOPosix
import PeerIdentity
import TestSupport
import Testing

@testable import Beacons
@testable import LocationCore

/// Streams of beacons and beacon regions, on a machine without a bus.
@Suite struct BeaconRangingTests {
    private static let maps = AppKey(uid: 1000, app: AppIdentity("exe:/usr/bin/maps")!)
    private static let spy = AppKey(uid: 1001, app: AppIdentity("exe:/usr/bin/spy")!)
    private static let constraint = BeaconConstraint(uuid: "e2c56db5-dffb-48d2-b060-d0f5a71096e0")
    private static let shop = BeaconRegion(identifier: "shop", constraint: constraint)
    private static let now = Timestamp(millisecondsSince1970: 1_800_000_000_000)

    private final class TestClient: Client {
        let front = Front(name: "memory")
        let evidence = PeerEvidence.process
        let pid: Int32 = 1
        let uid: UInt32 = 1000

        func openProcess() throws(IdentityRefusal) -> ProcessDescriptor { throw .processGone }

        func close() {}
    }

    private final class Fixture {
        let folder: TemporaryFolder
        let broker: AuthorizationBroker
        let monitoring: Monitoring
        let ranging: BeaconRanging
        private let client = TestClient()

        init(_ records: MonitoringRecords, on loop: any EventLoop) throws {
            folder = try TemporaryFolder()
            let store = Store(path: folder.path + "/locationd.db", timestamp: "then")
            let log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            let clock = { now }
            let retention = RetentionTime(reached: nil, on: loop, clock: clock)
            let always = Decision(level: .always, accuracy: .full)
            let table = AuthorizationTable(decisions: [maps: always, spy: always])
            broker = AuthorizationBroker(
                AuthorizationStateMachine(table: table, at: 1_800_000_000, nextMidnight: { $0 + 86_400 }), store: store,
                on: loop, clock: clock, log: log)
            let history = AccessHistory(
                log: AccessLog(store: store, on: loop, retention: retention, log: log), indicator: Indicator(),
                clock: clock)
            let writer = MonitoringWriter(store, on: loop, log: log)
            let waker = Waker(on: loop) { _, _, _ throws(WakeRefusal) in
                throw WakeRefusal(description: "nobody listens")
            }
            let delivery = EventDelivery(
                [], writer: writer, waker: waker, history: history, wakeLine: { _ in "{}" }, log: log)
            let gate = Gate(broker: broker)
            monitoring = Monitoring(
                records, writer: writer, delivery: delivery, gate: gate, retention: retention, clock: clock)
            let poller = try DescriptorPoller(on: loop)
            let peers = try Peers(
                lookups: PeerLookups(OwnPeerIdentifier(), on: loop), sharedLimit: SharedConnectionLimit(),
                limits: Limits(), poller: poller, on: loop, log: log)
            let bus = Bus(address: "unix:path=\(folder.path)/bus", poller: poller, on: loop)
            ranging = BeaconRanging(
                BeaconScanner(on: bus, loop: loop, wallClock: clock), gate: gate, history: history, peers: peers,
                monitoring: monitoring)
        }

        func range(
            _ app: AppKey = BeaconRangingTests.maps, presence: Presence = .inUse
        ) throws -> MemoryEvents<RangingReport> {
            let events = MemoryEvents<RangingReport>(client)
            let stream = EventStream<RangingReport>(events, since: now, presence: presence)
            events.whenEnded(try ranging.open(stream, of: app, try #require(BeaconPattern(constraint))))
            ranging.followDemand()
            return events
        }

        func regions() throws -> MemoryEvents<RegionEvent> {
            let events = MemoryEvents<RegionEvent>(client)
            let stream = EventStream<RegionEvent>(events, since: now, presence: .inUse)
            events.whenEnded(try monitoring.openRegions(stream, of: maps))
            return events
        }
    }

    private let loop: any EventLoop = MultiThreadedEventLoopGroup.singleton.next()

    private func fixture(_ state: RegionState? = nil) async throws -> NIOLoopBound<Fixture> {
        try await loop.submit { [loop] in
            var records = MonitoringRecords()
            if let state {
                records.regions = [
                    RegionRecord(app: Self.maps, region: .beacons(Self.shop), wake: nil, since: Self.now, state: state)
                ]
            }
            return NIOLoopBound(try Fixture(records, on: loop), eventLoop: loop)
        }.get()
    }

    private func on<Value: Sendable>(
        _ fixture: NIOLoopBound<Fixture>, _ body: @escaping @Sendable (Fixture) throws -> Value
    ) async throws -> Value {
        try await loop.submit { try body(fixture.value) }.get()
    }

    // MARK: Streams

    /// Attack: an app opens as many streams as it has connections, and all the lists are made in one turn of the loop.
    @Test func anAppHasAFewStreams() async throws {
        try await on(try await fixture()) { fixture in
            let streams = try (0..<BeaconRanging.maximumCountPerApp).map { _ in try fixture.range() }
            #expect(throws: LocationFailure.limitExceeded(limit: "rangingStreamsPerApp")) { try fixture.range() }
            _ = try fixture.range(Self.spy)
            streams[0].finish()
            _ = try fixture.range()
            fixture.ranging.stop()
        }
    }

    /// Attack: an app ranges for a moment, and learns from beacons heard before that another app, of any user, ranges
    /// them. Or an app in the background comes into use, and gets those from before.
    @Test func aStreamBeginsWithBeaconsThatAreHeardAfterwards() async throws {
        try await on(try await fixture()) { fixture in
            func heard(_ time: Double) -> BeaconTable.HeardBeacon {
                .init(beacon: Beacon(uuid: Self.constraint.uuid, major: 1, minor: 2, timestamp: Self.now), heard: time)
            }
            _ = try fixture.range()
            let stream = try #require(fixture.ranging.streams.first)
            let since = try #require(stream.dueSince)
            #expect(stream.report([heard(since - 0.1), heard(since), heard(since + 1)]).beacons.count == 2)
            // As long as it is due, it stays.
            fixture.ranging.followDemand()
            #expect(stream.dueSince == since)
            _ = try fixture.broker.decide(Decision(level: .whenInUse, accuracy: .full), about: Self.maps)
            stream.stream.presence = .background
            fixture.ranging.followDemand()
            #expect(stream.dueSince == nil && stream.report([heard(since + 1)]).beacons.isEmpty)
            stream.stream.presence = .inUse
            fixture.ranging.followDemand()
            #expect(stream.dueSince.map { $0 >= since } == true)
            fixture.ranging.stop()
        }
    }

    /// The reason is sent once, and nothing wakes the daemon until it ends. Later streams get it, too.
    @Test func theReasonIsSentOnceOnEachStream() async throws {
        let fixture = try await fixture()
        let streams = NIOLoopBoundBox<[MemoryEvents<RangingReport>]>.makeBoxSendingValue([], eventLoop: loop)
        for count in 1...2 {
            try await on(fixture) { streams.value.append(try $0.range()) }
            try await eventually("the reason") {
                try await on(fixture) { _ in streams.value.allSatisfy { $0.events.last?.unavailable != nil } }
            }
            #expect(try await on(fixture) { _ in streams.value.count } == count)
        }
        try await on(fixture) { fixture in
            for stream in streams.value { #expect(stream.events.count { $0.unavailable != nil } == 1) }
            fixture.ranging.stop()
        }
    }

    /// Attack: a user who manages only their own apps learns that another user's app wants beacons.
    @Test func theReasonIsForUsersWhoseAppsWantBeacons() async throws {
        let fixture = try await fixture()
        try await on(fixture) { _ = try $0.range() }
        try await eventually("the reason") {
            try await on(fixture) { $0.ranging.unavailability { $0 == 1000 } != nil }
        }
        try await on(fixture) { fixture in
            #expect(fixture.ranging.unavailability { $0 == 1001 } == nil)
            #expect(fixture.ranging.unavailability { _ in true } != nil)
            fixture.ranging.stop()
        }
    }

    /// Attack: an app without a grant learns that the user simulates beacons.
    @Test func aSimulationIsForAppsWithAGrant() async throws {
        try await on(try await fixture()) { fixture in
            let constraint = BeaconConstraint(uuid: Self.constraint.uuid, major: 1, minor: 2)
            fixture.ranging.simulate([try #require(SimulatedBeacon(constraint, distance: 1))])
            #expect(fixture.ranging.isPossible(for: Self.maps))
            _ = try fixture.broker.decide(.denied, about: Self.spy)
            #expect(fixture.ranging.isPossible(for: Self.spy) == BeaconScanner.hasAdapter())
            fixture.ranging.stop()
        }
    }

    // MARK: Regions

    /// Bluetooth is off, or the daemon has just started: the last known state may be days old.
    @Test func aStateIsUnknownWhileNothingListens() async throws {
        try await on(try await fixture(.inside)) { fixture in
            let monitoring = fixture.monitoring
            #expect(try monitoring.state(ofRegion: "shop", of: Self.maps, presence: .inUse) == .unknown)
            #expect(!monitoring.awaitsBeacons)
            let stream = try fixture.regions()
            #expect(monitoring.awaitsBeacons)
            #expect(stream.events == [RegionEvent(identifier: "shop", state: .unknown)])
            // The region is still known as entered: this is no crossing.
            let watch = try #require(monitoring.watchedBeacons.first)
            monitoring.observeBeacons([.init(watch: watch, state: .inside, beacon: nil)])
            #expect(stream.events.last == RegionEvent(identifier: "shop", state: .inside))
            monitoring.observeBeacons([.init(watch: watch, state: .outside, beacon: nil)])
            let exit = RegionEvent(identifier: "shop", state: .outside, beacon: Self.constraint)
            #expect(stream.events.last == exit && stream.events.count == 3)
        }
    }
}
