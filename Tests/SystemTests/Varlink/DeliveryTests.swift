import Foundation
import LocationModel
import LocationProtocol
import TestSupport
import Testing
import Varlink

/// The updates that subscribers receive, from a serial port to their sockets.
@Suite(.timeLimit(.minutes(15))) struct DeliveryTests {
    /// Writes an epoch, and returns the timestamp of the update that `stream` delivers for it.
    private func send(
        _ second: Int, _ wire: Wire, of daemon: TestDaemon, to stream: inout VarlinkStream<Subscribe.Reply>.Iterator
    ) async throws -> String? {
        try await daemon.location(ofEpoch: second, on: wire, in: &stream)?.timestamp.description
    }

    /// Returns the timestamp of the next location in `stream`, past the reports that the receiver was lost and found.
    private func next(in stream: inout VarlinkStream<Subscribe.Reply>.Iterator) async throws -> String? {
        var update = try await stream.next()?.update
        while update?.event == .receiverLost || update?.event == .receiverFound {
            update = try await stream.next()?.update
        }
        return update?.location?.timestamp.description
    }

    @Test func eachEpochComesOnce() async throws {
        let wire = try Wire(sendsTexts: true)
        let daemon = try await TestDaemon(receivers: ["serial:\(wire.path)@9600"])
        try await daemon.grantSelf()
        var first = try await daemon.subscribe().makeAsyncIterator()
        var second = try await daemon.subscribe().makeAsyncIterator()
        try await daemon.waitUntilSubscribed(2)
        try await daemon.waitUntilOpen()
        for epoch in 0..<40 {
            #expect(try await send(epoch, wire, of: daemon, to: &first) == Sentences.timestamp(epoch))
            #expect(try await next(in: &second) == Sentences.timestamp(epoch))
        }
    }

    @Test func theOptionsHold() async throws {
        let wire = try Wire(sendsTexts: true)
        let daemon = try await TestDaemon(receivers: ["serial:\(wire.path)@9600"])
        try await daemon.grantSelf()
        // The track moves north at 18.5 m/s.
        var distance = Options()
        distance.distanceFilter = 50
        distance.maximumUpdates = 4
        var interval = Options()
        interval.minimumInterval = 5
        interval.maximumUpdates = 3
        let far = try await daemon.subscribe(distance)
        let late = try await daemon.subscribe(interval)
        var everything = try await daemon.subscribe().makeAsyncIterator()
        try await daemon.waitUntilSubscribed(3)
        try await daemon.waitUntilOpen()
        for epoch in 0..<14 { _ = try await send(epoch, wire, of: daemon, to: &everything) }
        // A stream that has delivered the requested number of updates ends by itself.
        #expect(
            try await far.first(100).compactMap(\.update?.location?.timestamp.description)
                == [0, 3, 6, 9].map(Sentences.timestamp))
        #expect(
            try await late.first(100).compactMap(\.update?.location?.timestamp.description)
                == [0, 5, 10].map(Sentences.timestamp))
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

    @Test func aSubscriberThatStopsReadingCostsItselfOnly() async throws {
        let wire = try Wire(sendsTexts: true)
        let daemon = try await TestDaemon(receivers: ["serial:\(wire.path)@9600"])
        try await daemon.grantSelf()
        let stuck = try await daemon.subscribe()
        var reading = try await daemon.subscribe().makeAsyncIterator()
        try await daemon.waitUntilSubscribed(2)
        try await daemon.waitUntilOpen()
        // Enough to fill the kernel's buffer of the subscriber that does not read.
        let last = 400
        for epoch in 0...last {
            #expect(try await send(epoch, wire, of: daemon, to: &reading) == Sentences.timestamp(epoch))
        }
        #expect(try #require(try await daemon.call(GetStatistics.self, Nothing()).statistics.replaced) > 0)
        // When it reads again, it gets the contents of the kernel's buffer, then the newest update.
        var count = 0
        for try await reply in stuck {
            count += 1
            if reply.update?.location?.timestamp.description == Sentences.timestamp(last) { break }
        }
        #expect(count < last)
    }

    @Test func theReceiverIsClosedWhenNobodyAsks() async throws {
        let wire = try Wire(sendsTexts: true)
        let daemon = try await TestDaemon(receivers: ["serial:\(wire.path)@9600"])
        try await daemon.grantSelf()
        func state() async throws -> ReceiverStatus {
            try await daemon.call(ListReceivers.self, .init()).receivers[0].state
        }
        #expect(try await state() == .stopped)
        do {
            var stream = try await daemon.subscribe().makeAsyncIterator()
            try await daemon.waitUntilOpen()
            _ = try await send(0, wire, of: daemon, to: &stream)
        }
        try await eventually("the port to be closed") { try await state() == .stopped }
    }

    @Test func oneLocation() async throws {
        let wire = try Wire(sendsTexts: true)
        let daemon = try await TestDaemon(receivers: ["serial:\(wire.path)@9600"])
        try await daemon.grantSelf()
        async let location = daemon.call(
            GetLocation.self, .init(desiredAccuracy: .nearestTenMeters, timeout: 100))
        try await daemon.waitUntilOpen()
        wire.write(Sentences.epoch(0))
        #expect(try await location.location.timestamp.description == Sentences.timestamp(0))
        // A second request does not wait for a new fix.
        let again = try await daemon.call(GetLocation.self, .init(timeout: 0, maximumAge: 60))
        #expect(again.location.receiver == URL(filePath: wire.path).lastPathComponent)
        await #expect { try await daemon.call(GetLocation.self, .init(timeout: 0.05, maximumAge: 0)) } throws: {
            ($0 as? VarlinkError)?.name == "io.locationd.Location.LocationUnknown"
        }
    }
}
