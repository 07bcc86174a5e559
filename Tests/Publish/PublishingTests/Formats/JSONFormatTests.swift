import JSON
import LocationModel
import Publishing
import Testing

/// The JSON of locationd's own interface.
@Suite struct JSONFormatTests {
    private let format = FormatName.json.format(topic: "fleet/van", device: "van")

    @Test func everythingThatIsKnown() {
        let message = format.message(for: Samples.entry(7, Report(location: Samples.whole)))
        #expect(message.topic == "fleet/van")
        #expect(!message.isRetained)
        #expect(
            message.text == """
                {"unit":"van","queue":"00112233aabbccdd","number":7,"timestamp":"2023-11-14T22:13:20.250Z",\
                "latitude":47.25,"longitude":-8.5,"horizontalAccuracy":2.6,"altitude":431.4,\
                "ellipsoidalAltitude":479.0,"verticalAccuracy":4.2,"course":271.6,"courseAccuracy":1.5,"speed":10.0,\
                "speedAccuracy":0.25,"quality":"differential","correctionAge":3.0,"satellitesUsed":9,\
                "horizontalDilution":0.9,"simulated":false,"receiver":"u-blox"}
                """)
    }

    /// The fields are those of the interface: a program that reads the one reads the other.
    @Test(arguments: [Samples.whole, Samples.bare()]) func itDecodesAsALocation(_ location: Location) throws {
        let text = format.message(for: Samples.entry(1, Report(location: location))).text
        #expect(try JSONValue(parsing: text).decoded(as: Location.self) == location)
    }

    @Test func aCrossing() {
        let text = format.message(for: Samples.crossing(2, isEntry: false)).text
        #expect(
            text.hasPrefix(#"{"unit":"van","queue":"00112233aabbccdd","number":2,"event":"leave","region":"Ümlaut"#))
    }

    @Test func theNewestLocationIsRetained() throws {
        let state = try #require(format.state(of: Samples.entry(3)))
        #expect(state.topic == "fleet/van/state")
        #expect(state.isRetained)
        #expect(state.text == format.message(for: Samples.entry(3)).text)
        #expect(format.availability == Availability(topic: "fleet/van/availability"))
    }
}
