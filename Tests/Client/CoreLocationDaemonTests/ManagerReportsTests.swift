import LocationClient
import NIOEmbedded
import Testing

@testable import CoreLocationDaemon

/// The reports that several services of a manager would repeat.
@Suite struct ManagerReportsTests {
    private func fix(_ seconds: Int64, latitude: Double = 47.5) -> Location {
        var location = Location(
            timestamp: Timestamp(millisecondsSince1970: 1_800_000_000_000 + seconds * 1000), latitude: latitude,
            longitude: 8.75)
        location.horizontalAccuracy = 5
        location.altitude = 400
        return location
    }

    /// A location as apps with reduced accuracy get it.
    private func cell(_ seconds: Int64, latitude: Double = 47.5) -> Location {
        var location = fix(seconds, latitude: latitude)
        location.horizontalAccuracy = 8500
        location.altitude = nil
        return location
    }

    @Test(arguments: [false, true]) func aFixIsReportedOnce(changeIsFirst: Bool) {
        let reported = ManagerReports(on: EmbeddedEventLoop())
        for second in 0..<100 as Range<Int64> {
            if changeIsFirst {
                #expect(reported.isNew(change: fix(second)))
                #expect(!reported.isNew(update: fix(second)))
            } else {
                #expect(reported.isNew(update: fix(second)))
                #expect(!reported.isNew(change: fix(second)))
            }
        }
    }

    @Test func aChangeThatIsReadLateIsStillKnown() {
        let reported = ManagerReports(on: EmbeddedEventLoop())
        for second in 0..<164 as Range<Int64> { #expect(reported.isNew(update: fix(second))) }
        #expect(!reported.isNew(change: fix(100)) && !reported.isNew(change: fix(163)))
        // The updates skip fixes that are no significant movement, and the other way round.
        #expect(reported.isNew(change: fix(164)))
    }

    /// A receiver at a fixed place repeats it.
    @Test func onlyTheFixOfTheChangeIsLeftOut() {
        let reported = ManagerReports(on: EmbeddedEventLoop())
        #expect(reported.isNew(change: fix(0)))
        #expect(reported.isNew(update: fix(1)))
        #expect(!reported.isNew(update: fix(0)))
        #expect(reported.isNew(update: fix(0)))
    }

    @Test func updatesThatAreStartedLaterBeginWithALocation() {
        let reported = ManagerReports(on: EmbeddedEventLoop())
        #expect(reported.isNew(change: cell(0)))
        reported.updatesStarted()
        #expect(reported.isNew(update: cell(10)))
    }

    /// Each stream gets the cell with the time of its delivery.
    @Test func aCellIsReportedOnceInItsQuarter() {
        let reported = ManagerReports(on: EmbeddedEventLoop())
        #expect(reported.isNew(change: cell(100)))
        #expect(!reported.isNew(update: cell(101)))
        #expect(!reported.isNew(change: cell(102)))
        #expect(reported.isNew(update: cell(905)))
        #expect(reported.isNew(change: cell(905, latitude: 47.6)))
        #expect(reported.isNew(update: cell(1805, latitude: 47.6)))
    }

    @Test func aDenialIsReportedOnceAndToEachServiceStartedAfterIt() {
        let denials = ManagerReports(on: EmbeddedEventLoop())
        // The authorization became known after both were started.
        #expect(denials.isNew(denial: 1, ofServiceStartedAt: 0))
        #expect(!denials.isNew(denial: 1, ofServiceStartedAt: 0))
        #expect(denials.isNew(denial: 1, ofServiceStartedAt: 1))
        // It was granted, and denied again.
        #expect(denials.isNew(denial: 3, ofServiceStartedAt: 0))
        #expect(!denials.isNew(denial: 3, ofServiceStartedAt: 1))
    }
}
