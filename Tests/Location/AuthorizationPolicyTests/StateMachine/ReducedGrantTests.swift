import LocationModel
import Testing

@testable import AuthorizationPolicy

/// The machine's last reduced location is kept while an app has reduced accuracy.
@Suite struct ReducedGrantTests {
    private let maps = AppKey(uid: 1000, app: AppIdentity("app:org.gnome.Maps")!)
    private let mapsOfAnother = AppKey(uid: 1001, app: AppIdentity("app:org.gnome.Maps")!)

    @Test(arguments: [
        (Decision.denied, false), (Decision(level: .denied, accuracy: .reduced), false),
        (Decision(level: .whenInUse), false), (Decision(level: .always), false),
        (Decision(level: .whenInUse, accuracy: .reduced), true), (Decision(level: .always, accuracy: .reduced), true),
        (Decision(level: .provisionalAlways, accuracy: .reduced), true),
        (Decision(level: .whenInUse, accuracy: .reduced, lifetime: .once), true),
    ])
    func aDecisionGrantsReducedAccuracy(decision: Decision, expected: Bool) {
        var table = AuthorizationTable()
        #expect(!table.hasReducedGrant())
        table.record(decision, about: maps)
        #expect(table.hasReducedGrant() == expected)
        #expect(table.hasReducedGrant(except: 1001) == expected)
        #expect(!table.hasReducedGrant(except: 1000))
        table.record(nil, about: maps)
        #expect(!table.hasReducedGrant())
    }

    /// It has reduced accuracy again when these end.
    @Test func whatOverridesADecisionMakesNoDifference() {
        var table = AuthorizationTable(restrictions: [.everything])
        table.record(Decision(level: .always, accuracy: .reduced), about: maps)
        table.setServicesEnabled(false, for: nil)
        table.temporarilyFull = [maps]
        #expect(table.hasReducedGrant())
    }

    @Test func aDesktopThatLimitsAGrantToReducedCounts() {
        var table = AuthorizationTable()
        let shell = AppKey(uid: 1000, app: AppIdentity("exe:/usr/bin/gnome-shell")!)
        table.setDesktopLimit(.reduced, by: shell)
        #expect(!table.hasReducedGrant())
        table.record(Decision(level: .always), about: mapsOfAnother)
        #expect(!table.hasReducedGrant())
        table.record(Decision(level: .always), about: maps)
        #expect(table.hasReducedGrant() && table.hasReducedGrant(except: 1001))
        #expect(!table.hasReducedGrant(except: 1000))
        table.setDesktopLimit(nil, by: shell)
        #expect(!table.hasReducedGrant())
    }
}
