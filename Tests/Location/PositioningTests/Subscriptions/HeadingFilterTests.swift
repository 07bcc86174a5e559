import LocationModel
import Testing

@testable import Positioning

@Suite struct HeadingFilterTests {
    private func heading(magnetic: Double? = nil, true: Double? = nil) -> Heading {
        var heading = Heading(timestamp: Timestamp(millisecondsSince1970: 0))
        heading.magneticHeading = magnetic
        heading.trueHeading = `true`
        return heading
    }

    @Test(arguments: [
        (10.0, 11.0, false), (10, 11.1, true), (10, 9, false), (10, 8.9, true), (359.5, 0.5, false),
        (359.5, 0.6, true), (0.5, 359.4, true), (0, 180, true), (90, 90, false),
    ])
    func aTurnOfMoreThanOneDegreeIsDelivered(before: Double, after: Double, isDelivered: Bool) {
        var filter = HeadingFilter()
        #expect(filter.admits(heading(magnetic: before)) == true)
        #expect(filter.admits(heading(magnetic: after)) == isDelivered)
    }

    @Test func theTurnCountsFromTheLastDelivered() {
        var filter = HeadingFilter(degrees: 10)
        let delivered = [0.0, 6, 10, 11, 20, 22].filter { filter.admits(heading(magnetic: $0)) }
        #expect(delivered == [0, 11, 22])
    }

    @Test(arguments: [0.0, -1])
    func noDegreesDeliverEverything(degrees: Double) {
        var filter = HeadingFilter(degrees: degrees)
        for _ in 0..<3 { #expect(filter.admits(heading(magnetic: 5)) == true) }
    }

    @Test func trueHeadingsCountWhereThereAreNoMagneticOnes() {
        var filter = HeadingFilter(degrees: 5)
        let delivered = [0.0, 4, 6].filter { filter.admits(heading(true: $0)) }
        #expect(delivered == [0, 6])
    }

    @Test func headingsThatCannotBeComparedAreDelivered() {
        var filter = HeadingFilter(degrees: 5)
        #expect(filter.admits(heading(magnetic: 10)) == true)
        #expect(filter.admits(heading(true: 10)) == true)
        #expect(filter.admits(heading(magnetic: 100, true: 10)) == false)
    }
}
