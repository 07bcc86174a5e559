import Devices
import LocationModel
import NIOCore
import NIOEmbedded
import ReceiverSettings
import Testing

@testable import Receivers

@Suite struct FixedSourceTests {
    private let loop = EmbeddedEventLoop()
    private let place: FixedPlace
    private let receiver: Receiver
    private let events = Events()

    private let handler = EventHandler()

    private final class Events {
        var all: [ReceiverEvent] = []
        var fixes: [Fix] { all.compactMap(\.fix) }
    }

    init() throws {
        place = try FixedPlace(parsing: "-33.9,18.4,25~3")
        receiver = Receiver(.fixed(place), on: loop, seed: 0) { Timestamp(millisecondsSince1970: 1_700_000_000_123) }
        receiver.delegate = handler
        handler.onEvent = { [events] in events.all.append($0) }
    }

    @Test func thePlaceIsReportedOnceASecondWithoutMovement() throws {
        receiver.start()
        #expect(events.all.isEmpty)
        loop.advanceTime(by: .milliseconds(2500))
        let fix = try #require(events.fixes.first)
        #expect(events.fixes.count == 3)
        #expect(fix.location.quality == .fixed)
        #expect((fix.location.latitude, fix.location.longitude) == (-33.9, 18.4))
        #expect((fix.location.altitude, fix.location.horizontalAccuracy) == (25, 3))
        #expect(fix.location.modelledAltitude == .ellipsoidalAltitude)
        #expect(fix.location.timestamp.millisecondsSince1970 == 1_700_000_000_123)
        #expect(fix.location.speed == nil && fix.location.course == nil && !fix.location.simulated)
        #expect(fix.location.receiver == "fixed")
    }

    @Test func nothingIsDueWhileNobodyAsks() {
        receiver.start()
        loop.advanceTime(by: .seconds(2))
        receiver.stop()
        let count = events.fixes.count
        loop.advanceTime(by: .hours(1))
        #expect(events.fixes.count == count)
        #expect(receiver.state == .stopped)
    }

    @Test func fixesComeAtTheIntervalThatIsWanted() {
        receiver.setDemand(ReceiverDemand(interval: 15))
        receiver.start()
        loop.advanceTime(by: .seconds(61))
        #expect(events.fixes.count == 5)
        receiver.setDemand(ReceiverDemand())
    }
}
