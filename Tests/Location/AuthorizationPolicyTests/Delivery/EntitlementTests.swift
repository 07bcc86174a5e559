import LocationModel
import Testing

@testable import AuthorizationPolicy

struct EntitlementTests {
    private let app = AppKey(uid: 1000, app: AppIdentity(kind: .exe, name: "/usr/bin/app")!)

    /// Attack: a grant is revoked, and an app goes on receiving locations through an entitlement that was looked up
    /// before.
    @Test func nothingHoldsAfterAChangeOfTheTable() {
        let changes: [(String, (inout AuthorizationTable) -> Void)] = [
            ("a revocation", { $0.record(.denied, about: app) }),
            ("what was decided is forgotten", { $0.record(nil, about: app) }),
            ("services off for the user", { $0.setServicesEnabled(false, for: app.uid) }),
            ("services off for the machine", { $0.setServicesEnabled(false, for: nil) }),
            ("a restriction", { $0.restrictions = [.everything] }),
            ("temporary full accuracy", { $0.temporarilyFull.insert(app) }),
        ]
        for (what, change) in changes {
            var table = AuthorizationTable(decisions: [
                app: Decision(level: .whenInUse, accuracy: .reduced, lifetime: .permanent)
            ])
            let before = table.entitlement(of: app)
            #expect(table.isCurrent(before))
            #expect(before.delivery(presence: .inUse, terms: .single) == .deliver(inBackground: false))
            change(&table)
            #expect(!table.isCurrent(before), "\(what)")
            #expect(table.entitlement(of: app).authorization != before.authorization, "\(what)")
        }
    }
}
