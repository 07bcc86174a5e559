import LocationModel
import Publishing
import Testing

/// Traccar's OsmAnd protocol.
@Suite struct OsmAndFormatTests {
    private let format = FormatName.osmand.format(topic: "", device: "van")

    @Test func everythingThatIsKnown() {
        #expect(
            format.message(for: Samples.entry(7, Report(location: Samples.whole))).text
                == "id=van&timestamp=1700000000250&lat=47.25&lon=-8.5&speed=19.438&bearing=271.6&altitude=431.4"
                + "&accuracy=2.6")
    }

    @Test func timeAndPlaceAlone() {
        #expect(
            format.message(for: Samples.entry(7)).text == "id=van&timestamp=1700000000250&lat=47.25&lon=-8.5")
    }

    @Test func aRegionWithUnusualCharacters() {
        #expect(
            format.message(for: Samples.crossing(7)).text.hasSuffix("&event=enter&region=%C3%9Cmlaut%20%26%20co"))
    }

    @Test func thereIsNothingButReports() {
        #expect(format.state(of: Samples.entry(1)) == nil)
        #expect(format.availability == nil)
        #expect(format.announcements == [])
    }
}
