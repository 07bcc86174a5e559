import Foundation
import LocationClient
import Testing

@testable import CoreLocation
@testable import CoreLocationDaemon

@Suite struct DaemonRegionTests {
    private let place = Location(
        timestamp: Timestamp(millisecondsSince1970: 1_780_000_000_000), latitude: 47.5, longitude: 8.75)

    private func event(_ state: RegionState, isNew: Bool) -> RegionEvent {
        RegionEvent(identifier: "home", state: state, location: isNew ? place : nil)
    }

    @Test func theFirstKnownStateIsNotACrossing() {
        var crossings = RegionCrossings()
        #expect(crossings.isCrossing(event(.unknown, isNew: false)) == false)
        #expect(crossings.isCrossing(event(.inside, isNew: true)) == false)
        #expect(crossings.isCrossing(event(.outside, isNew: true)) == true)
        // A new connection begins with the known state.
        #expect(crossings.isCrossing(event(.outside, isNew: false)) == false)
        // The entry in between is not reported, because the app has not requested entries.
        #expect(crossings.isCrossing(event(.outside, isNew: true)) == true)
        crossings.forget("home")
        #expect(crossings.isCrossing(event(.inside, isNew: true)) == false)
    }

    @Test func whatWasMissedIsACrossing() {
        var crossings = RegionCrossings()
        #expect(crossings.isCrossing(event(.inside, isNew: false)) == false)
        #expect(crossings.isCrossing(event(.outside, isNew: true)) == true)
    }

    @Test func onlyCirclesBecomeRegions() throws {
        let circle = CLCircularRegion(
            center: CLLocationCoordinate2D(latitude: 1, longitude: 2), radius: 3, identifier: "c")
        circle.notifyOnExit = false
        let region = try #require(CircularRegion(circle))
        #expect(region.latitude == 1 && region.longitude == 2 && region.radius == 3)
        #expect(region.notifyOnEntry == true && region.notifyOnExit == false)
        #expect(CircularRegion(CLBeaconRegion(uuid: UUID(), identifier: "b")) == nil)
        let back = CLCircularRegion(region)
        #expect(back.identifier == "c" && back.radius == 3 && back.notifyOnEntry && !back.notifyOnExit)
    }

    @Test func conditionsOfOneMonitorAreNotAnothers() {
        let names = ["a", "a/", "a/:", "", "/", ":", "a/:b"]
        let conditions = ["x", "", "/:x", "b/:x"]
        var regions: Set<String> = []
        for name in names {
            for condition in conditions {
                let region = MonitorName.region(of: condition, in: name)
                #expect(regions.insert(region).inserted, "\(name) \(condition)")
                #expect(MonitorName.belongsToMonitor(region))
                for other in names {
                    #expect(MonitorName.condition(ofRegion: region, in: other) == (other == name ? condition : nil))
                }
            }
        }
        #expect(!MonitorName.belongsToMonitor("home"))
    }
}
