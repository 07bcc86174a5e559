import AuthorizationPolicy
import Linux
import LocationModel
import Logging
import NIOCore
import NIOPosix
import PeerIdentity
import Positioning
import Receivers
import TestSupport
import Testing

@testable import LocationCore

/// Monitoring for an app that may have the location always, or only while it is in use: what is delivered, kept and
/// stored.
@Suite struct MonitoringPresenceTests {
    private static let maps = AppKey(uid: 1000, app: AppIdentity("exe:/usr/bin/maps")!)
    /// Another app, which may have the location always.
    private static let diary = AppKey(uid: 1000, app: AppIdentity("exe:/usr/bin/diary")!)

    private static func time(_ seconds: Int64) -> Timestamp {
        Timestamp(millisecondsSince1970: 1_800_000_000_000 + seconds * 1000)
    }

    /// A process of an app.
    private final class TestClient: Client {
        let front = Front(name: "memory")
        let evidence = PeerEvidence.process
        let pid: Int32 = 1
        let uid: UInt32 = 1000
        var isInUse: Bool

        init(isInUse: Bool) { self.isInUse = isInUse }

        func openProcess() throws(IdentityRefusal) -> ProcessDescriptor { throw .processGone }

        func close() {}
    }

    /// Monitoring without receivers and without connections. Nobody listens on wake sockets.
    private final class Surroundings {
        let folder: TemporaryFolder
        let store: Store
        let writer: MonitoringWriter
        let broker: AuthorizationBroker
        let monitoring: Monitoring
        private let presences = Presences { ($0 as? TestClient)?.isInUse ?? false }
        private let app = ConnectedApp(key: maps)

        init(
            _ level: Decision.Level, _ records: MonitoringRecords, at now: Timestamp, reached: Timestamp?,
            on loop: any EventLoop
        ) throws {
            folder = try TemporaryFolder()
            store = Store(path: folder.path + "/locationd.db", timestamp: "then")
            let log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            let clock = { now }
            let retention = RetentionTime(reached: reached, on: loop, clock: clock)
            let table = AuthorizationTable(decisions: [maps: Decision(level: level), diary: Decision(level: .always)])
            broker = AuthorizationBroker(
                AuthorizationStateMachine(table: table, at: 1_800_000_000, nextMidnight: { $0 + 86_400 }), store: store,
                on: loop, clock: clock, log: log)
            writer = MonitoringWriter(store, on: loop, log: log)
            let waker = Waker(on: loop) { _, _, _ throws(WakeRefusal) in
                throw WakeRefusal(description: "nobody listens")
            }
            let history = AccessHistory(
                log: AccessLog(store: store, on: loop, retention: retention, log: log),
                indicator: Indicator(), clock: clock)
            let delivery = EventDelivery(
                records.pending, writer: writer, waker: waker, history: history, wakeLine: { _ in "{}" }, log: log)
            let monitoring = Monitoring(
                records, writer: writer, delivery: delivery, gate: Gate(broker: broker),
                retention: retention, clock: clock)
            self.monitoring = monitoring
            broker.onChange = { [weak monitoring] in monitoring?.authorizationChanged($0) }
        }

        func changes(_ client: TestClient, wake: String? = nil) throws -> MemoryEvents<Location> {
            try open(client) { try monitoring.openSignificantChanges($0, of: maps, wake: wake, lastKnown: []) }
        }

        func visits(_ client: TestClient, of key: AppKey, wake: String? = nil) throws -> MemoryEvents<Visit> {
            try open(client) { try monitoring.openVisits($0, of: key, wake: wake) }
        }

        func regions(_ client: TestClient) throws -> MemoryEvents<RegionEvent> {
            try open(client) { try monitoring.openRegions($0, of: maps) }
        }

        private func open<Event: MonitoredEvent>(
            _ client: TestClient, _ start: (EventStream<Event>) throws -> () -> Void
        ) throws -> MemoryEvents<Event> {
            let events = MemoryEvents<Event>(client)
            let stream = EventStream<Event>(
                events, since: time(0), presence: client.isInUse ? .inUse : .background)
            events.whenEnded(try start(stream))
            return events
        }

        func set(_ client: TestClient, inUse: Bool) {
            client.isInUse = inUse
            monitoring.presenceChanged(presences, [maps: app])
        }

        /// Reports a fix each ten seconds, all of them at a place some metres north of the first one.
        func stay(_ seconds: ClosedRange<Int64>, north: Double = 0) {
            for second in stride(from: seconds.lowerBound, through: seconds.upperBound, by: 10) {
                let latitude = 47.5 + north / 111_200
                monitoring.observe(
                    Publication(
                        Fix(location: Location(timestamp: time(second), latitude: latitude, longitude: 8.75))))
            }
        }
    }

    private let loop: any EventLoop = MultiThreadedEventLoopGroup.singleton.next()

    /// Returns surroundings in which the user has decided on `level` for the app.
    ///
    /// - Parameters:
    ///   - now: The time by the machine's clock, which stands still.
    ///   - reached: The time that had been reached when the daemon ended, or `nil` if none is stored.
    private func surroundings(
        _ level: Decision.Level, _ records: MonitoringRecords = MonitoringRecords(),
        at now: Timestamp = MonitoringPresenceTests.time(0), reached: Timestamp? = nil
    ) async throws -> NIOLoopBound<Surroundings> {
        try await loop.submit { [loop] in
            NIOLoopBound(try Surroundings(level, records, at: now, reached: reached, on: loop), eventLoop: loop)
        }.get()
    }

    /// Runs `body` on the loop.
    private func on<Value: Sendable>(
        _ surroundings: NIOLoopBound<Surroundings>, _ body: @escaping @Sendable (Surroundings) throws -> Value
    ) async throws -> Value {
        try await loop.submit { try body(surroundings.value) }.get()
    }

    private func decide(_ level: Decision.Level, _ surroundings: NIOLoopBound<Surroundings>) async throws {
        try await loop.flatSubmit { [loop] in
            do {
                return try surroundings.value.broker.decide(Decision(level: level), about: Self.maps)
            } catch {
                return loop.makeFailedFuture(error)
            }
        }.get()
    }

    /// Returns what is on the disk once everything is written.
    private func stored(_ surroundings: NIOLoopBound<Surroundings>) async throws -> MonitoringRecords {
        try await loop.flatSubmit { surroundings.value.writer.flush() }.get()
        return try await on(surroundings) { $0.store }.loadMonitoring().records
    }

    // MARK: Open streams

    @Test(arguments: [
        (Decision.Level.whenInUse, true, 1), (.whenInUse, false, 0), (.provisionalAlways, true, 1),
        (.provisionalAlways, false, 0), (.always, true, 1), (.always, false, 1),
    ])
    func whatAnOpenStreamGets(level: Decision.Level, isInUse: Bool, count: Int) async throws {
        let surroundings = try await surroundings(level)
        try await on(surroundings) { surroundings in
            let client = TestClient(isInUse: isInUse)
            let changes = try surroundings.changes(client)
            let visits = try surroundings.visits(client, of: Self.maps)
            // Receivers run for what is delivered, and for what the user is prompted about again.
            #expect((surroundings.monitoring.plan(.unknown) == .off) == (level == .whenInUse && !isInUse))
            surroundings.stay(0...300)
            #expect(changes.events.count == count)
            #expect(visits.events.count == count)
            #expect(changes.failure == nil && visits.failure == nil)
        }
        #expect(try await stored(surroundings).pending.isEmpty)
    }

    @Test func aDenialRefusesAndEndsTheStreams() async throws {
        let surroundings = try await surroundings(.whenInUse)
        let (changes, visits) = try await on(surroundings) { surroundings in
            let client = TestClient(isInUse: true)
            return (
                NIOLoopBound(try surroundings.changes(client), eventLoop: loop),
                NIOLoopBound(try surroundings.visits(client, of: Self.maps), eventLoop: loop)
            )
        }
        try await decide(.denied, surroundings)
        try await on(surroundings) { surroundings in
            let denial = LocationFailure.notAuthorized(status: .denied)
            #expect(changes.value.failure == denial)
            #expect(visits.value.failure == denial)
            #expect(throws: denial) { try surroundings.changes(TestClient(isInUse: true)) }
            #expect(throws: denial) { try surroundings.visits(TestClient(isInUse: true), of: Self.maps) }
            #expect(surroundings.monitoring.apps.isEmpty)
        }
    }

    /// Attack: an app that may have the location while it is in use has a process in use, and leaves another one in
    /// the background, which gets the events too.
    @Test(arguments: [(Decision.Level.whenInUse, 0), (.always, 2)])
    func aProcessInTheBackgroundGetsNothingOfTheOneInUse(level: Decision.Level, count: Int) async throws {
        let surroundings = try await surroundings(level)
        try await on(surroundings) { surroundings in
            let clients = [TestClient(isInUse: true), TestClient(isInUse: false)]
            let changes = try clients.map { try surroundings.changes($0) }
            let visits = try clients.map { try surroundings.visits($0, of: Self.maps) }
            let regions = try clients.map { try surroundings.regions($0) }
            let home = CircularRegion(identifier: "home", latitude: 47.5, longitude: 8.75, radius: 200)
            _ = try surroundings.monitoring.start(.circle(home), of: Self.maps, wake: nil)
            surroundings.stay(0...300)
            surroundings.stay(310...350, north: 1000)
            #expect(changes.map(\.events.count) == [2, count])
            #expect(visits.map(\.events.count) == [2, count])
            #expect(regions.map(\.events.count) == [2, count])
        }
        #expect(try await stored(surroundings).pending.isEmpty)
    }

    /// Attack: an app that may have the location while it is in use shows itself now and then, and learns from the
    /// visits of others when the device came to a place.
    @Test(arguments: [Decision.Level.whenInUse, .provisionalAlways])
    func aVisitIsMadeOfTheTimeInUse(level: Decision.Level) async throws {
        let surroundings = try await surroundings(level)
        try await on(surroundings) { surroundings in
            let diary = try surroundings.visits(TestClient(isInUse: false), of: Self.diary)
            let client = TestClient(isInUse: true)
            let visits = try surroundings.visits(client, of: Self.maps)
            surroundings.stay(0...200)
            surroundings.set(client, inUse: false)
            surroundings.stay(210...400)
            surroundings.set(client, inUse: true)
            surroundings.stay(410...700)
            #expect(diary.events.map(\.arrival) == [Self.time(0)])
            #expect(visits.events.isEmpty)
            // The current visit of others is not the app's either.
            #expect(try surroundings.visits(client, of: Self.maps).events.isEmpty)
            surroundings.stay(710...720)
            #expect(visits.events.map(\.arrival) == [Self.time(410)])
            #expect(try surroundings.visits(client, of: Self.maps).events == visits.events)
            surroundings.stay(730...750, north: 1000)
            #expect(diary.events.map(\.departure) == [nil, Self.time(720)])
            #expect(visits.events.map(\.arrival) == [Self.time(410), Self.time(410)])
            #expect(visits.events.map(\.departure) == [nil, Self.time(720)])
        }
    }

    // MARK: Provisional always

    /// Returns surroundings with an app that monitors visits and a region, and is not connected.
    private func provisional() async throws -> NIOLoopBound<Surroundings> {
        let region = CircularRegion(identifier: "home", latitude: 47.5, longitude: 8.75, radius: 200)
        let records = MonitoringRecords(
            monitorings: [
                MonitoringRecord(app: Self.maps, kind: .visits, wake: "/wake", since: Self.time(0)),
                MonitoringRecord(app: Self.maps, kind: .significantChanges, wake: "/wake", since: Self.time(0)),
            ],
            regions: [
                RegionRecord(
                    app: Self.maps, region: .circle(region), wake: "/wake", since: Self.time(0), state: .unknown)
            ]
        )
        return try await surroundings(.provisionalAlways, records)
    }

    /// Attack: "while in use" was answered to a request for `always`. The app has the visits and regions of the
    /// background recorded, and collects them when it is in use, or with a later grant.
    @Test func underAProvisionalAlwaysNothingOfTheBackgroundIsRecorded() async throws {
        let surroundings = try await provisional()
        let before = try await stored(surroundings)
        try await on(surroundings) { surroundings in
            surroundings.stay(0...1000)
            surroundings.stay(1010...2000, north: 2000)
            #expect(surroundings.broker.machine.prompt(about: Self.maps)?.subject == .keepAlways, "the user is asked")
            #expect(surroundings.monitoring.visitLog.places(of: 1000).isEmpty)
        }
        #expect(try await stored(surroundings) == before)
        // In use, the app learns nothing of that time.
        try await on(surroundings) { surroundings in
            let client = TestClient(isInUse: true)
            let regions = try surroundings.regions(client)
            let visits = try surroundings.visits(client, of: Self.maps)
            let changes = try surroundings.changes(client)
            #expect(regions.events.map(\.state) == [.unknown] && visits.events.isEmpty && changes.events.isEmpty)
        }
    }

    @Test(arguments: [PromptAnswer.whileUsing, .always])
    func theSecondAnswerDecidesFromThenOn(answer: PromptAnswer) async throws {
        let surroundings = try await provisional()
        try await on(surroundings) { $0.stay(0...1000) }
        try await loop.flatSubmit { [loop] in
            let broker = surroundings.value.broker
            do {
                return try broker.answer(broker.machine.prompt(about: Self.maps)!.id, with: answer, accuracy: nil)
            } catch {
                return loop.makeFailedFuture(error)
            }
        }.get()
        try await on(surroundings) { surroundings in
            surroundings.stay(1010...2000)
            surroundings.stay(2010...3000, north: 2000)
        }
        let records = try await stored(surroundings)
        guard answer == .always else {
            #expect(records.visits.isEmpty && records.pending.isEmpty)
            return #expect(records.regions.allSatisfy { $0.state == .unknown })
        }
        #expect(records.visits.allSatisfy { $0.visit.arrival >= Self.time(1010) } && !records.visits.isEmpty)
        #expect(records.regions.map(\.state) == [.outside])
        #expect(!records.pending.isEmpty)
    }

    /// Attack: an event that is kept from full-accuracy locations is collected after the accuracy was reduced. That the
    /// gate would not release it is tested for itself: GateTests. That a removal leaves no trace in the files, as well:
    /// ErasureTests.
    @Test func aReductionForgetsTheLocationsThatAreKept() async throws {
        var location = Location(timestamp: Self.time(0), latitude: 47.123_456, longitude: 8)
        location.horizontalAccuracy = 3
        let event = try #require(PendingEvent(of: location, for: Self.maps))
        let record = MonitoringRecord(
            app: Self.maps, kind: .significantChanges, wake: "/wake", since: Self.time(0), lastDelivered: location)
        let surroundings = try await surroundings(
            .always, MonitoringRecords(monitorings: [record], pending: [event]))
        let store = try await on(surroundings) { $0.store }
        for change in [MonitoringChange.put(record), .putPending(event)] {
            try await store.write(change, on: loop).get()
        }
        let before = try await stored(surroundings)
        #expect(before.monitorings == [record] && before.pending == [event])
        try await loop.flatSubmit { [loop] in
            do {
                let broker = surroundings.value.broker
                return try broker.setAccuracy(
                    .reduced, of: Self.maps, revision: broker.table.revision(of: Self.maps))
            } catch {
                return loop.makeFailedFuture(error)
            }
        }.get()
        try await on(surroundings) { surroundings in
            #expect(!surroundings.monitoring.delivery.keeps(Self.maps, .significantChange, subject: ""))
        }
        let after = try await stored(surroundings)
        #expect(after.pending.isEmpty, "the event")
        #expect(after.monitorings.map(\.lastDelivered) == [nil], "the place from which the next change counts")
    }

    /// Attack: an app goes to the background at a place, comes back when the device has left, and learns when it left.
    @Test func aVisitEndsUnreportedInTheBackground() async throws {
        let surroundings = try await surroundings(.whenInUse)
        try await on(surroundings) { surroundings in
            _ = try surroundings.visits(TestClient(isInUse: false), of: Self.diary)
            let client = TestClient(isInUse: true)
            let visits = try surroundings.visits(client, of: Self.maps)
            surroundings.stay(0...300)
            #expect(visits.events.count == 1)
            surroundings.set(client, inUse: false)
            surroundings.set(client, inUse: true)
            surroundings.stay(310...350, north: 1000)
            #expect(visits.events.count == 1)
        }
    }

    /// The app's own detector and the machine's each report an arrival. There is a departure between the two.
    @Test func aVisitInUseEndsWhenAlwaysIsGranted() async throws {
        let surroundings = try await surroundings(.whenInUse)
        let visits = try await on(surroundings) { surroundings in
            let visits = try [true, false].map { try surroundings.visits(TestClient(isInUse: $0), of: Self.maps) }
            surroundings.stay(0...300)
            return NIOLoopBound(visits, eventLoop: loop)
        }
        try await decide(.always, surroundings)
        try await on(surroundings) { surroundings in
            surroundings.stay(310...610)
            let inUse = visits.value[0].events
            #expect(inUse.map(\.arrival) == [Self.time(0), Self.time(0), Self.time(310)])
            #expect(inUse.map(\.departure) == [nil, Self.time(300), nil])
            // The stream in the background did not get the first arrival.
            #expect(visits.value[1].events.map(\.arrival) == [Self.time(310)])
        }
        #expect(try await stored(surroundings).pending.isEmpty)
    }

    // MARK: Without a stream

    @Test(arguments: [(Decision.Level.whenInUse, 0), (.always, 1)])
    func whatIsKeptWithoutAStream(level: Decision.Level, count: Int) async throws {
        let surroundings = try await surroundings(level)
        try await on(surroundings) { surroundings in
            let changes = try surroundings.changes(TestClient(isInUse: true), wake: "/run/app")
            surroundings.stay(0...10)
            #expect(changes.events.count == 1)
            changes.finish()
            #expect((surroundings.monitoring.plan(.unknown) == .off) == (count == 0))
            surroundings.stay(400...410, north: 1000)
            #expect(changes.events.count == 1)
        }
        let records = try await stored(surroundings)
        #expect(records.pending.count == count)
        // The request is remembered, but no place.
        #expect(records.monitorings.map(\.wake) == ["/run/app"])
        #expect(records.monitorings.compactMap(\.lastDelivered).count == count)
    }

    @Test(arguments: [(Decision.Level.whenInUse, 0), (.always, 1)])
    func whatIsStoredOfAVisit(level: Decision.Level, count: Int) async throws {
        let surroundings = try await surroundings(level)
        try await on(surroundings) { surroundings in
            let visits = try surroundings.visits(TestClient(isInUse: true), of: Self.maps, wake: "/run/app")
            surroundings.stay(0...300)
            #expect(visits.events.count == 1)
            #expect(surroundings.monitoring.visitLog.places(of: 1000).count == count)
        }
        let records = try await stored(surroundings)
        #expect(records.visits.count == count)
        #expect(records.pending.isEmpty)
        #expect(records.monitorings.map(\.kind) == [.visits])
    }

    /// Attack: a user deletes the visits during one, and the end of that visit brings it back.
    @Test func aVisitThatWasDeletedDoesNotReturnWithItsEnd() async throws {
        let surroundings = try await surroundings(.always)
        try await on(surroundings) { surroundings in
            let visits = try surroundings.visits(TestClient(isInUse: true), of: Self.maps)
            surroundings.stay(0...300)
            _ = surroundings.monitoring.clearPlaces(of: 1000)
            surroundings.stay(310...1000, north: 2000)
            #expect(visits.events.count == 3, "the app has its visits as before")
        }
        let arrivals = try await stored(surroundings).visits.map(\.visit.arrival)
        #expect(!arrivals.isEmpty && arrivals.allSatisfy { $0 > Self.time(300) })
    }

    // MARK: Dates that are wrong

    /// Accident, or attack: the daemon starts once with the clock a year ahead, and the visits are gone.
    @Test(arguments: [(1, 1), (365, 0)] as [(Int64, Int)])
    func oneStartWithTheClockAYearAheadForgetsNoVisit(daysReached: Int64, count: Int) async throws {
        var visit = Visit(latitude: 47.5, longitude: 8.75, horizontalAccuracy: 100, arrival: Self.time(0))
        visit.departure = Self.time(600)
        let records = MonitoringRecords(visits: [VisitRecord(uid: 1000, visit: visit)])
        let surroundings = try await surroundings(
            .always, records, at: Self.time(365 * 86_400), reached: Self.time(daysReached * 86_400))
        try await on(surroundings) { surroundings in
            #expect(surroundings.monitoring.visitLog.places(of: 1000).count == count)
        }
    }

    /// A receiver that does not know in which of its periods of 1,024 weeks it is, or one that is a year off.
    @Test(arguments: [1024, 52] as [Int64]) func aReceiverWithTheWrongWeekForgetsNoVisit(weeks: Int64) async throws {
        let surroundings = try await surroundings(.always)
        let wrong = weeks * 7 * 86_400
        try await on(surroundings) { surroundings in
            _ = try surroundings.visits(TestClient(isInUse: true), of: Self.maps, wake: "/run/app")
            surroundings.stay(0...300)
            surroundings.stay(wrong...wrong + 300, north: 2000)
            #expect(surroundings.monitoring.visitLog.places(of: 1000).count == 2)
        }
        #expect(try await stored(surroundings).visits.map(\.visit.arrival) == [Self.time(0), Self.time(wrong)])
    }

    @Test func monitoringSleepsWithoutAlwaysAndGoesOnWithIt() async throws {
        let surroundings = try await surroundings(.always)
        try await on(surroundings) { surroundings in
            try surroundings.changes(TestClient(isInUse: false), wake: "/run/app").finish()
            surroundings.stay(0...10)
        }
        #expect(try await stored(surroundings).pending.count == 1)
        try await decide(.whenInUse, surroundings)
        var records = try await stored(surroundings)
        #expect(records.pending.isEmpty)
        #expect(records.monitorings.map(\.lastDelivered) == [nil])
        try await on(surroundings) { surroundings in
            #expect(surroundings.monitoring.plan(.unknown) == .off)
            surroundings.stay(400...410, north: 1000)
        }
        #expect(try await stored(surroundings).pending.isEmpty)
        try await decide(.always, surroundings)
        try await on(surroundings) { $0.stay(800...810, north: 2000) }
        records = try await stored(surroundings)
        #expect(records.pending.count == 1)
        #expect(records.monitorings.map(\.lastDelivered?.timestamp) == [Self.time(800)])
    }

    /// Attack: the power is cut when the end of `always` is on the disk, and the events that were kept under it have
    /// not been removed yet.
    @Test(arguments: [(Decision.Level.whenInUse, 0), (.always, 1)])
    func whatAPowerCutLeftBehind(level: Decision.Level, count: Int) async throws {
        let location = """
            {"timestamp":"2026-06-01T12:00:00.000Z","latitude":1.25,"longitude":8.75,"simulated":false}
            """
        let visit = """
            {"latitude":1.25,"longitude":8.75,"horizontalAccuracy":100,"arrival":"2026-06-01T12:00:00.000Z"}
            """
        let crossing = "{\"identifier\":\"home\",\"state\":\"outside\",\"location\":\(location)}"
        let home = CircularRegion(identifier: "home", latitude: 47.5, longitude: 8.75, radius: 200)
        let records = MonitoringRecords(
            regions: [
                RegionRecord(app: Self.maps, region: .circle(home), wake: nil, since: Self.time(0), state: .outside)
            ],
            pending: [
                PendingEvent(app: Self.maps, kind: .significantChange, subject: "", json: location),
                PendingEvent(app: Self.maps, kind: .visit, subject: "", json: visit),
                PendingEvent(app: Self.maps, kind: .region, subject: "home", json: crossing),
            ])
        let surroundings = try await surroundings(level, records)
        let store = try await on(surroundings) { $0.store }
        for event in records.pending { try await store.write(.putPending(event), on: loop).get() }
        try await on(surroundings) { surroundings in
            let client = TestClient(isInUse: true)
            let changes = try surroundings.changes(client)
            let visits = try surroundings.visits(client, of: Self.maps)
            let regions = try surroundings.regions(client)
            #expect(changes.events.count == count)
            #expect(visits.events.count == count)
            // The missed crossing comes after the state before it.
            let states: [RegionState] = count == 0 ? [.unknown] : [.inside, .outside]
            #expect(regions.events.map(\.state) == states)
            #expect(regions.events.filter { $0.location != nil }.count == count)
        }
        let left = try await stored(surroundings)
        #expect(left.pending.isEmpty)
        let written: [RegionState] = count == 0 ? [.unknown] : []
        #expect(left.regions.map(\.state) == written)
    }

    /// Attack: an app that had the location always is closed. The user reduces that to the time in use. When the app
    /// comes into use again, it learns on which side of a border the device was while the app was closed.
    @Test(arguments: [(false, RegionState.unknown), (true, .inside)])
    func whatIsKnownOfARegionAfterAlways(isInUse: Bool, state: RegionState) async throws {
        let surroundings = try await surroundings(.always)
        let home = CircularRegion(identifier: "home", latitude: 47.5, longitude: 8.75, radius: 200)
        try await on(surroundings) { surroundings in
            _ = try surroundings.monitoring.start(.circle(home), of: Self.maps, wake: nil)
            if isInUse { _ = try surroundings.regions(TestClient(isInUse: true)) }
            surroundings.stay(0...20)
        }
        #expect(try await stored(surroundings).regions.map(\.state) == [.inside])
        try await decide(.whenInUse, surroundings)
        #expect(try await stored(surroundings).regions.map(\.state) == [state])
        try await on(surroundings) { surroundings in
            let regions = try surroundings.regions(TestClient(isInUse: true))
            #expect(regions.events == [RegionEvent(identifier: "home", state: state)])
            #expect(try surroundings.monitoring.state(ofRegion: "home", of: Self.maps, presence: .inUse) == state)
            surroundings.stay(30...60, north: 1000)
            #expect(regions.events.dropFirst().map(\.state) == [.outside])
            // It is a crossing only if the state before it was known.
            #expect((regions.events.last?.location != nil) == isInUse)
        }
    }

    /// The daemon starts after the end of `always`. The place at which the device was is not continued for an app that
    /// has registered for visits, and that may have the location only while it is in use.
    @Test func anOpenVisitIsNotContinuedWithoutAlways() async throws {
        let visit = Visit(latitude: 47.5, longitude: 8.75, horizontalAccuracy: 100, arrival: Self.time(-600))
        let records = MonitoringRecords(
            monitorings: [MonitoringRecord(app: Self.maps, kind: .visits, wake: "/run/app", since: Self.time(-600))],
            visits: [VisitRecord(uid: 1000, visit: visit)])
        let surroundings = try await surroundings(.whenInUse, records)
        try await on(surroundings) { surroundings in
            surroundings.stay(0...10)
            #expect(surroundings.monitoring.visitLog.current == visit)
        }
        // No departure is made up.
        #expect(try await stored(surroundings).visits.isEmpty)
    }
}
