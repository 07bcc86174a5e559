import LocationClient
import LocationModel
import Testing

@testable import CoreLocationDaemon

@Suite struct RegionListTests {
    private func region(_ identifier: String, radius: Double = 100) -> Region {
        .circle(CircularRegion(identifier: identifier, latitude: 47.5, longitude: 8.75, radius: radius))
    }

    private func names(_ list: RegionList) -> [String] { list.regions.keys.sorted() }

    /// Another process of the app has started one, and the user has cleared the other.
    @Test func theDaemonsListReplacesTheEarlierOne() {
        var list = RegionList()
        list.received([region("home")], isComplete: true)
        list.received([region("work", radius: 50)], isComplete: true)
        #expect(list.regions == ["work": region("work", radius: 50)])
        list.received([region("work")], isComplete: true)
        #expect(list.regions == ["work": region("work")])
    }

    @Test func ownChangesCountUntilTheyAreAnswered() {
        var list = RegionList()
        list.received([region("home"), region("work")], isComplete: true)
        let (before, none) = (list.starts(region("home", radius: 50)), list.starts(region("gym")))
        #expect(before == region("home") && none == nil)
        list.stops("work")
        list.received([region("home"), region("work")], isComplete: true)
        #expect(names(list) == ["gym", "home"] && list.regions["home"] == region("home", radius: 50))
        for identifier in ["home", "gym", "work"] { list.answered(identifier) }
        list.received([region("home"), region("gym")], isComplete: true)
        #expect(names(list) == ["gym", "home"] && list.regions["home"] == region("home", radius: 100))
        // A region that was stopped and started in one turn has two changes.
        list.stops("gym")
        _ = list.starts(region("gym"))
        list.answered("gym")
        list.received([], isComplete: true)
        #expect(names(list) == ["gym"])
    }

    @Test func aFailedStartPutsBackTheRegionBefore() {
        var list = RegionList()
        list.received([region("home")], isComplete: true)
        let before = list.starts(region("home", radius: 50))
        list.answered("home")
        list.restore(before, insteadOf: region("home", radius: 50))
        #expect(list.regions["home"] == region("home"))
        // It has changed again in the meantime.
        _ = list.starts(region("home", radius: 70))
        list.restore(nil, insteadOf: region("home", radius: 50))
        #expect(list.regions["home"] == region("home", radius: 70))
        list.restore(nil, insteadOf: region("home", radius: 70))
        #expect(names(list).isEmpty)
    }

    /// The daemon drops the regions with the grant.
    @Test func regionsWaitForTheGrant() {
        var list = RegionList()
        list.received([region("home"), region("work")], isComplete: true)
        list.received([], isComplete: false)
        #expect(names(list) == ["home", "work"])
        // The list was faster than the news of the revocation.
        list.received([], isComplete: true)
        #expect(names(list).isEmpty)
        #expect(list.wanted.map(\.identifier).sorted() == ["home", "work"])
        list.stops("work")
        #expect(list.wanted == [region("home")])
    }

    @Test func refusedRegionsAreKnownUntilTheyAreStartedOrStopped() {
        var list = RegionList()
        for identifier in ["home", "work", "gym"] {
            _ = list.starts(region(identifier))
            list.answered(identifier, isRefused: true)
        }
        #expect(list.refused.count == 3)
        _ = list.starts(region("home"))
        list.answered("home")
        list.stops("work")
        #expect(list.refused == [region("gym")])
    }
}
