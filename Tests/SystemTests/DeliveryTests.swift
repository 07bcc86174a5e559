import Foundation
import LocationProtocol
import Positioning
import Testing
import Varlink

/// What subscribers get, from a serial port to their sockets.
@Suite struct DeliveryTests {
    /// Writes epochs, one after the other, as the subscriber takes them.
    private func feed(_ wire: Wire, _ seconds: Range<Int>, every pause: Duration = .milliseconds(20)) async throws {
        for second in seconds {
            wire.write(Sentences.epoch(second))
            try await Task.sleep(for: pause)
        }
    }

    /// Waits until the port is open: what is written before is lost.
    private func waitUntilOpen(_ daemon: TestDaemon) async throws {
        try await eventually("the port to be open") {
            let state = try await daemon.call(ListReceivers.self, Nothing()).receivers[0].state
            return state == .searching || state == .running
        }
    }

    @Test func eachEpochComesOnce() async throws {
        let wire = try Wire()
        let daemon = try await TestDaemon(receivers: ["serial:\(wire.path)"])
        try await daemon.grantSelf()
        let first = try await daemon.subscribe()
        let second = try await daemon.subscribe()
        async let locations = first.first(40)
        async let others = second.first(40)
        try await waitUntilOpen(daemon)
        try await feed(wire, 0..<41)
        let timestamps = try await locations.compactMap(\.update?.location?.timestamp.description)
        #expect(timestamps == (0..<40).map(Sentences.timestamp))
        #expect(try await others.compactMap(\.update?.location?.timestamp.description) == timestamps)
    }

    @Test func theOptionsHold() async throws {
        let wire = try Wire()
        let daemon = try await TestDaemon(receivers: ["serial:\(wire.path)"])
        try await daemon.grantSelf()
        // The track moves 18.5 m a second to the north.
        var distance = Options()
        distance.distanceFilter = 50
        distance.maximumUpdates = 4
        var interval = Options()
        interval.minimumInterval = 5
        interval.maximumUpdates = 3
        async let far = daemon.subscribe(distance).first(100)
        async let late = daemon.subscribe(interval).first(100)
        try await eventually("both streams") {
            try await daemon.call(GetStatistics.self, Nothing()).statistics.sessions == 2
        }
        try await waitUntilOpen(daemon)
        try await feed(wire, 0..<14)
        // A stream that has brought all that was asked for ends by itself.
        #expect(
            try await far.compactMap(\.update?.location?.timestamp.description)
                == [0, 3, 6, 9].map(Sentences.timestamp))
        #expect(
            try await late.compactMap(\.update?.location?.timestamp.description) == [0, 5, 10].map(Sentences.timestamp))
    }

    @Test func aStreamEndsByItsDuration() async throws {
        let daemon = try await TestDaemon(receivers: [])
        try await daemon.grantSelf()
        var options = Options()
        options.duration = 0.2
        let replies = try await daemon.subscribe(options).first(100)
        #expect(replies.last == Subscribe.Reply())
    }

    @Test(arguments: [
        "{\"options\":{\"distanceFilter\":\"10\"}}", "{\"options\":{\"maximumUpdates\":0}}",
        "{\"options\":{\"duration\":-1}}", "{\"options\":{\"desiredAccuracy\":\"exact\"}}",
        "{\"options\":{\"minimumInterval\":-0.1}}",
    ])
    func optionsThatMakeNoSense(parameters: String) async throws {
        let daemon = try await TestDaemon(receivers: [])
        try await daemon.grantSelf()
        let client = try await daemon.connect(to: LocationInterface.self)
        let value = try JSONValue(parsing: Array(parameters.utf8).span)
        await #expect {
            try await client.stream(Subscribe.qualifiedName, value, of: Subscribe.Reply.self).first(1)
        } throws: {
            ($0 as? VarlinkError)?.name == "org.varlink.service.InvalidParameter"
                && "\($0)".contains("options.")
        }
    }

    @Test func subscribeNeedsMore() async throws {
        let daemon = try await TestDaemon(receivers: [])
        try await daemon.grantSelf()
        await #expect(throws: VarlinkError.expectedMore) { try await daemon.call(Subscribe.self, .init()) }
    }

    @Test func aMethodThatIsNotThereYetSaysSo() async throws {
        let daemon = try await TestDaemon(receivers: [])
        let client = try await daemon.connect(to: LocationInterface.self)
        await #expect(throws: VarlinkError.methodNotImplemented("io.locationd.Location.MonitorVisits")) {
            try await client.call("io.locationd.Location.MonitorVisits", returning: Nothing.self)
        }
    }

    @Test func aSubscriberThatStopsReadingCostsItselfOnly() async throws {
        let wire = try Wire()
        let daemon = try await TestDaemon(receivers: ["serial:\(wire.path)"])
        try await daemon.grantSelf()
        let stuck = try await daemon.subscribe()
        let reading = try await daemon.subscribe()
        let count = 600
        async let locations = reading.first(count)
        try await waitUntilOpen(daemon)
        try await feed(wire, 0..<(count + 1), every: .milliseconds(2))
        #expect(
            try await locations.compactMap(\.update?.location?.timestamp.description)
                == (0..<count).map(Sentences.timestamp))
        try await eventually("updates to be replaced") {
            try await daemon.call(GetStatistics.self, Nothing()).statistics.replaced > 0
        }
        // When it reads again, what it gets last is the newest.
        wire.write(Sentences.epoch(count + 1))
        var newest: String?
        for try await reply in stuck {
            newest = reply.update?.location?.timestamp.description
            if newest == Sentences.timestamp(count) || newest == Sentences.timestamp(count + 1) { break }
        }
        #expect(newest != nil)
    }

    @Test func theReceiverIsClosedWhenNobodyAsks() async throws {
        let wire = try Wire()
        let daemon = try await TestDaemon(receivers: ["serial:\(wire.path)"])
        try await daemon.grantSelf()
        func state() async throws -> ReceiverStatus {
            try await daemon.call(ListReceivers.self, Nothing()).receivers[0].state
        }
        #expect(try await state() == .stopped)
        do {
            let stream = try await daemon.subscribe()
            async let location = stream.first(1)
            try await waitUntilOpen(daemon)
            try await feed(wire, 0..<2)
            _ = try await location
        }
        try await eventually("the port to be closed") { try await state() == .stopped }
    }

    @Test func oneLocation() async throws {
        let wire = try Wire()
        let daemon = try await TestDaemon(receivers: ["serial:\(wire.path)"])
        try await daemon.grantSelf()
        async let location = daemon.call(GetLocation.self, .init(desiredAccuracy: .nearestTenMeters))
        try await waitUntilOpen(daemon)
        try await feed(wire, 0..<2)
        #expect(try await location.location.timestamp.description == Sentences.timestamp(0))
        // A second one does not wait for a new fix.
        let again = try await daemon.call(GetLocation.self, .init(timeout: 0, maximumAge: 60))
        #expect(again.location.receiver == URL(filePath: wire.path).lastPathComponent)
        await #expect { try await daemon.call(GetLocation.self, .init(timeout: 0.05, maximumAge: 0)) } throws: {
            ($0 as? VarlinkError)?.name == "io.locationd.Location.LocationUnknown"
        }
    }
}
