import LocationModel
import Publishing
import Testing

/// OwnTracks' JSON.
@Suite struct OwnTracksFormatTests {
    private let format = FormatName.owntracks.format(topic: "owntracks/fleet/van", device: "van")

    @Test func everythingThatIsKnown() {
        let message = format.message(for: Samples.entry(7, Report(location: Samples.whole)))
        #expect(message.topic == "owntracks/fleet/van")
        #expect(message.isRetained)
        #expect(
            message.text == """
                {"_type":"location","_id":"00112233aabbccdd-7","tid":"an","tst":1700000000,"lat":47.25,"lon":-8.5,\
                "acc":3,"alt":431,"vac":5,"vel":36,"cog":272}
                """)
    }

    /// rtk-for-owntracks.nmea: Home Assistant drops a location with an accuracy of 0.
    @Test(arguments: [(0.012, 1), (0, 1), (1, 1), (1.2, 2), (3.0, 3), (4.5, 5), (1e300, nil)] as [(Double, Int?)])
    func accuraciesAreRoundedUp(_ metres: Double, _ whole: Int?) {
        var location = Samples.whole
        (location.horizontalAccuracy, location.verticalAccuracy) = (metres, metres)
        let text = format.message(for: Samples.entry(7, Report(location: location))).text
        #expect(text.contains(#""acc":\#(whole ?? 0),"#) == (whole != nil), "\(text)")
        #expect(text.contains(#""vac":\#(whole ?? 0),"#) == (whole != nil), "\(text)")
    }

    @Test func timeAndPlaceAlone() {
        #expect(
            format.message(for: Samples.entry(1)).text
                == #"{"_type":"location","_id":"00112233aabbccdd-1","tid":"an","tst":1700000000,"lat":47.25,"lon":-8.5}"#
        )
    }

    @Test(arguments: [(true, "enter"), (false, "leave")]) func aCrossing(isEntry: Bool, event: String) {
        let message = format.message(for: Samples.crossing(2, isEntry: isEntry))
        #expect(message.topic == "owntracks/fleet/van/event")
        #expect(!message.isRetained)
        #expect(
            message.text == """
                {"_type":"transition","_id":"00112233aabbccdd-2","tid":"an","tst":1700000000,"lat":47.25,"lon":-8.5,\
                "event":"\(event)","desc":"Ümlaut & co","t":"c"}
                """)
    }

    /// The Recorder adds what is sent below `owntracks/` to the track.
    @Test func theNewestLocationIsOutsideOfTheTrack() throws {
        let state = try #require(format.state(of: Samples.entry(3)))
        #expect(state.topic == "locationd/van/state")
        #expect(state.isRetained)
        #expect(state.text == format.message(for: Samples.entry(3)).text)
        #expect(format.availability?.offline.topic == "locationd/van/availability")
        #expect(format.announcements == [])
    }

    @Test(arguments: [
        (Int64(-1), "-1"), (Int64(-1000), "-1"), (Int64(-1001), "-2"), (Int64(999), "0"), (Int64(1000), "1"),
    ])
    func secondsAreRoundedDown(milliseconds: Int64, seconds: String) {
        let text = format.message(for: Samples.entry(1, Report(location: Samples.bare(milliseconds)))).text
        #expect(text.contains("\"tst\":\(seconds),"))
    }

    @Test(arguments: [Double.infinity, -.infinity, .nan, 1e300]) func aValueThatIsNoIntegerIsLeftOut(_ value: Double) {
        var location = Samples.bare()
        location.altitude = value
        location.speed = value
        let text = format.message(for: Samples.entry(1, Report(location: location))).text
        #expect(!text.contains("alt") && !text.contains("vel"))
    }

    @Test func theTrackerOfAShortName() {
        let format = FormatName.owntracks.format(topic: "t", device: "x")
        #expect(format.message(for: Samples.entry(1)).text.contains(#""tid":"x""#))
    }
}
