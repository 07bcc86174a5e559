import LocationModel
import Testing

@testable import LocationctlCommands
@testable import LocationctlSupport

/// The columns of `watch` in windows of several widths.
struct LocationColumnsTests {
    private static func location(receiver: String? = "u-blox 7", isSimulated: Bool = false) -> Location {
        var location = Location(
            timestamp: Timestamp(millisecondsSince1970: 1_700_000_000_000), latitude: -48.1173, longitude: -111.516667)
        location.horizontalAccuracy = 4.5
        location.altitude = 545.4
        location.speed = 12.3
        location.course = 289
        location.receiver = receiver
        location.simulated = isSimulated
        return location
    }

    @Test(arguments: [
        (
            47,
            """
            TIME (UTC)       LATITUDE     LONGITUDE   ACCURACY
            22:13:20.000  -48.117300°  -111.516667°     ±4.5 m

            """
        ),
        (
            60,
            """
            TIME (UTC)       LATITUDE     LONGITUDE   ACCURACY
            22:13:20.000  -48.117300°  -111.516667°     ±4.5 m

            """
        ),
        (
            61,
            """
            TIME (UTC)       LATITUDE     LONGITUDE   ACCURACY      SPEED
            22:13:20.000  -48.117300°  -111.516667°     ±4.5 m   12.3 m/s

            """
        ),
        (
            80,
            """
            TIME (UTC)       LATITUDE     LONGITUDE   ACCURACY  ALTITUDE      SPEED  COURSE
            22:13:20.000  -48.117300°  -111.516667°     ±4.5 m   545.4 m   12.3 m/s    289°

            """
        ),
        (
            120,
            """
            TIME (UTC)       LATITUDE     LONGITUDE   ACCURACY  ALTITUDE      SPEED  COURSE  RECEIVER
            22:13:20.000  -48.117300°  -111.516667°     ±4.5 m   545.4 m   12.3 m/s    289°  u-blox 7

            """
        ),
    ])
    func theyFitTheWindow(width: Int, text: String) {
        let columns = LocationColumns(fitting: width)
        #expect(columns.header(at: Self.location().timestamp) + columns.line(Self.location()) == text)
    }

    /// A line is never wider than its window, from the width of time, place and accuracy on.
    @Test func noLineIsWiderThanItsWindow() {
        for width in 50...200 {
            let columns = LocationColumns(fitting: width)
            let header = columns.header(at: Self.location().timestamp)
            for receiver in [nil, "GPS", String(repeating: "a long name ", count: 20), "界界界界界界界界界界界界"] {
                let line = columns.line(Self.location(receiver: receiver, isSimulated: true)).dropLast()
                #expect(DisplayText.columns(line) <= width && header.count - 1 <= width, "\(width): \(line)")
            }
        }
    }

    @Test func localTimeHasItsZoneInTheHeading() {
        let columns = LocationColumns(fitting: 60, LocalTime(zone: .fixed(offset: 19_800, name: "IST")))
        #expect(columns.header(at: Self.location().timestamp).hasPrefix("TIME (IST)       LATITUDE"))
        #expect(columns.line(Self.location()).hasPrefix("03:43:20.000  -48.1"))
    }

    @Test func aPipeGetsEverything() {
        let name = String(repeating: "x", count: 300)
        #expect(LocationColumns.all.line(Self.location(receiver: name)).hasSuffix("  289°  \(name)\n"))
    }

    @Test(arguments: [
        ("simulated", "  simulated\n"), ("walk", "  walk (simulated)\n"), (nil, "  simulated\n"),
    ])
    func aSimulatedLocationSaysSoOnce(receiver: String?, end: String) {
        let line = LocationColumns.all.line(Self.location(receiver: receiver, isSimulated: true))
        #expect(line.hasSuffix("289°" + end))
    }

    @Test func aSuspectLocationSaysSo() {
        var location = Self.location()
        location.doubts = FixDoubts([.jump])
        #expect(LocationColumns.all.line(location).hasSuffix("  289°  u-blox 7 (suspect)\n"))
    }

    @Test func theHeadingsComeAgainAfterAScreenfulAndInAnotherWindow() {
        var headings = RepeatedHeadings()
        var zone = LocalTime.utc
        func next(_ columns: Int, _ rows: Int) -> Bool {
            let hasHeading = !headings.next((columns, rows), zone, at: Self.location().timestamp).heading.isEmpty
            headings.didWriteLine()
            return hasHeading
        }
        #expect((0..<50).filter { _ in next(80, 24) }.count == 3)
        #expect(!next(80, 24))
        #expect(next(60, 24))
        #expect(!next(60, 24))
        #expect(!next(60, 1))
        zone = LocalTime(zone: .fixed(offset: 3600, name: "CET"))
        #expect(next(60, 24))
        #expect(!next(60, 24))
    }
}
