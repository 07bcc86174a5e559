import Foundation
import TestSupport
import Testing

@testable import CoreLocation
@testable import CoreLocationDaemon

@Suite struct BeaconUpdatesTests {
    /// Two regions with one identifier are equal, whatever their beacons are.
    @Test func aRegionReplacesTheOneWithItsIdentifier() throws {
        let folder = try TemporaryFolder()
        let app = AppSession(runtimeDirectory: folder.path)
        let updates = BeaconUpdates(app, ManagerDelivery(.current), ManagerReports(on: app.loop))
        let uuid = UUID()
        let (first, second) = (
            CLBeaconRegion(uuid: uuid, major: 1, identifier: "shop"),
            CLBeaconRegion(uuid: uuid, major: 2, identifier: "shop")
        )
        updates.start(.region(first))
        updates.start(.region(second))
        updates.start(.constraint(first.beaconIdentityConstraint))
        let majors = updates.subjects.map { subject in
            switch subject {
            case .region(let region): region.major?.intValue
            case .constraint(let constraint): constraint.major.map { -Int($0) }
            }
        }
        #expect(Set(majors) == [2, -1])
        updates.stop(.region(first))
        #expect(updates.subjects.count == 1)
        app.onLoop { updates.end() }
    }
}
