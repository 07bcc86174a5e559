import EventLoopSupport
import LocationClient
import LocationModel
import LocationProtocol
import TestSupport
import Testing
import Varlink

/// Streams against a scripted daemon: their order, their ends, and who closes which connection.
@Suite(.timeLimit(.minutes(15))) struct StreamTests {
    private let denied = VarlinkError("io.locationd.Location.NotAuthorized", parameters: ["status": "denied"])

    private func client(_ daemon: ScriptedDaemon) -> LocationClient {
        LocationClient(runtimeDirectory: daemon.runtime, eventLoop: nil, backoff: Backoff(first: 0.002, greatest: 0.02))
    }

    @Test func everyEventIsToldInOrder() async throws {
        let daemon = try await ScriptedDaemon()
        let updates = client(daemon).updates()
        async let told = Array(updates)
        try await daemon.waitUntilOpen("Subscribe")
        try await daemon.send(
            "Subscribe", .fix(0), .fix(1), ["update": ["event": "paused", "location": .location(1)]],
            .event("resumed"), .event("suspended"), .event("unsuspended"), .event("receiverLost"),
            .event("receiverFound"), .fix(2))
        try await daemon.send(
            "Subscribe",
            ["update": ["event": "authorizationChanged", "authorization": .authorization("authorizedWhenInUse")]])
        try await daemon.send("Subscribe", [:], last: true)
        let all = try await told
        #expect(all.compactMap { $0.location?.timestamp.millisecondsSince1970 } == [0, 1000, 1000, 2000])
        #expect(
            Array(all[3..<8]) == [.resumed, .suspended, .unsuspended, .receiverLost, .receiverFound])
        let whenInUse = AuthorizationState(
            status: .authorizedWhenInUse, accuracy: .full, servicesEnabled: true)
        #expect(all.last == .authorizationChanged(whenInUse))
        try await daemon.waitUntilConnections(0)
    }

    @Test func aRefusalIsThrownOnce() async throws {
        let daemon = try await ScriptedDaemon()
        try await daemon.fail("Subscribe", with: denied)
        var updates = client(daemon).updates().makeAsyncIterator()
        await #expect(throws: LocationError.notAuthorized(.denied)) { try await updates.next() }
        #expect(try await updates.next() == nil)
        try await daemon.waitUntilConnections(0)
    }

    @Test func theEndOfTheAuthorizationIsThrown() async throws {
        let daemon = try await ScriptedDaemon()
        var updates = client(daemon).updates().makeAsyncIterator()
        async let sent: Void = {
            try await daemon.waitUntilOpen("Subscribe")
            try await daemon.send("Subscribe", .fix(0))
            try await daemon.end("Subscribe", with: denied)
        }()
        #expect(try await updates.next()?.location != nil)
        await #expect(throws: LocationError.notAuthorized(.denied)) { try await updates.next() }
        try await sent
    }

    @Test func aRefusedConnectionTellsWhy() async throws {
        let daemon = try await ScriptedDaemon()
        try await daemon.refuse(
            with: VarlinkError("io.locationd.Location.LimitExceeded", parameters: ["limit": "connectionsPerUser"]))
        var updates = client(daemon).updates().makeAsyncIterator()
        await #expect(throws: LocationError.limitExceeded(limit: "connectionsPerUser")) { try await updates.next() }
    }

    @Test func cancellingTheTaskClosesTheConnection() async throws {
        let daemon = try await ScriptedDaemon()
        let updates = client(daemon).updates()
        let task = Task { try await Array(updates) }
        try await daemon.waitUntilOpen("Subscribe")
        task.cancel()
        #expect(try await task.value.isEmpty)
        try await daemon.waitUntilConnections(0)
    }

    @Test func releasingTheIteratorClosesTheConnection() async throws {
        let daemon = try await ScriptedDaemon()
        let updates = client(daemon).updates()
        async let sent: Void = {
            try await daemon.waitUntilOpen("Subscribe")
            try await daemon.send("Subscribe", .fix(0))
        }()
        for try await update in updates {
            #expect(update.location != nil)
            break
        }
        try await sent
        try await daemon.waitUntilConnections(0)
    }

    @Test func eachIterationIsAStreamOfItsOwn() async throws {
        let daemon = try await ScriptedDaemon()
        let updates = client(daemon).updates()
        async let first = Array(updates)
        async let second = Array(updates)
        try await daemon.waitUntilOpen("Subscribe", 2)
        #expect(try await daemon.connections() == 2)
        try await daemon.send("Subscribe", .fix(0))
        try await daemon.send("Subscribe", [:], last: true)
        #expect(try await first.count == 1)
        #expect(try await second.count == 1)
    }

    @Test func aReaderThatFallsBehindGetsTheNewest() async throws {
        let daemon = try await ScriptedDaemon()
        var updates = client(daemon).updates().makeAsyncIterator()
        async let sent: Void = {
            try await daemon.waitUntilOpen("Subscribe")
            try await daemon.send("Subscribe", .fix(0))
        }()
        #expect(try await updates.next()?.location != nil)
        try await sent
        // Nobody reads. The daemon keeps the updates that do not fit into the sockets, and of these the newest alone.
        let count = 20_000
        #expect(try await daemon.offer("Subscribe", (1...count).map { .fix($0) }) > count / 2)
        var last: Int64 = 0
        while last < count, let location = try await updates.next()?.location {
            let second = location.timestamp.millisecondsSince1970 / 1000
            #expect(second > last)
            last = second
        }
        #expect(last == count)
    }

    @Test func anInvalidReplyEndsTheStream() async throws {
        let daemon = try await ScriptedDaemon()
        var updates = client(daemon).updates().makeAsyncIterator()
        async let sent: Void = {
            try await daemon.waitUntilOpen("Subscribe")
            try await daemon.send("Subscribe", ["update": ["event": "teleported"]])
        }()
        await #expect {
            try await updates.next()
        } throws: {
            if case .protocolViolation? = $0 as? LocationError { true } else { false }
        }
        try await sent
        try await daemon.waitUntilConnections(0)
    }

    @Test func theMonitoringStreams() async throws {
        let daemon = try await ScriptedDaemon()
        let client = client(daemon)
        async let changes = Array(client.significantChanges(wake: "/run/wake"))
        async let regions = Array(client.regionEvents(identifier: "home"))
        async let visits = Array(client.visits(wake: "/run/wake"))
        async let headings = Array(client.headings(filter: 5))
        for method in ["MonitorSignificantChanges", "MonitorRegions", "MonitorVisits", "MonitorHeading"] {
            try await daemon.waitUntilOpen(method)
        }
        try await daemon.send("MonitorSignificantChanges", .fix(1), [:], last: true)
        try await daemon.send(
            "MonitorRegions", ["event": ["identifier": "shop", "state": "inside"]],
            ["event": ["identifier": "home", "state": "outside", "location": .location(1)]], [:], last: true)
        let time: JSONValue = "2026-06-01T12:00:00.000Z"
        try await daemon.send(
            "MonitorVisits",
            ["visit": ["latitude": 1.5, "longitude": 2.5, "horizontalAccuracy": 30.0, "arrival": time]], [:],
            last: true)
        try await daemon.send("MonitorHeading", ["heading": ["true": 90.0, "timestamp": time]], [:], last: true)

        #expect(try await changes.map { $0.location?.timestamp.millisecondsSince1970 } == [1000])
        #expect(try await daemon.asked("MonitorSignificantChanges") == [["wake": "/run/wake"]])
        guard case .event(let region)? = try await regions.first else { throw Overdue(what: "an event") }
        #expect((region.identifier, region.state) == ("home", .outside))
        #expect(try await regions.count == 1)
        guard case .event(let visit)? = try await visits.first else { throw Overdue(what: "a visit") }
        #expect(visit.departure == nil)
        #expect(try await daemon.asked("MonitorVisits") == [["wake": "/run/wake"]])
        guard case .event(let heading)? = try await headings.first else { throw Overdue(what: "a heading") }
        #expect(heading.trueHeading == 90)
        #expect(try await daemon.asked("MonitorHeading") == [["filter": 5.0]])
    }
}

extension Array {
    /// Collects all elements of a sequence.
    init<S: AsyncSequence>(_ sequence: S) async throws where S.Element == Element {
        self.init()
        for try await element in sequence { append(element) }
    }
}
