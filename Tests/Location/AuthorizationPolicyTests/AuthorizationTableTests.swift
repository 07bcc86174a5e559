import LocationModel
import Testing

@testable import AuthorizationPolicy

@Suite struct AuthorizationTableTests {
    private let maps = AppKey(uid: 1000, app: AppIdentity("app:org.gnome.Maps")!)
    private let mapsOfAnother = AppKey(uid: 1001, app: AppIdentity("app:org.gnome.Maps")!)

    @Test func nothingIsAllowedUnlessDecided() {
        let table = AuthorizationTable()
        let authorization = table.authorization(of: maps)
        #expect(authorization.status == .notDetermined)
        #expect(!authorization.status.isAuthorized)
    }

    @Test(arguments: [
        (Decision.Level.denied, AuthorizationStatus.denied), (.whenInUse, .authorizedWhenInUse),
        (.always, .authorizedAlways),
    ])
    func aDecisionHoldsForItsUserAndAppAlone(level: Decision.Level, status: AuthorizationStatus) {
        var table = AuthorizationTable()
        table.record(Decision(level: level, accuracy: .reduced), about: maps)
        #expect(
            table.authorization(of: maps)
                == Authorization(status: status, accuracy: .reduced, servicesEnabled: true))
        #expect(table.authorization(of: mapsOfAnother).status == .notDetermined)
        table.record(nil, about: maps)
        #expect(table.authorization(of: maps).status == .notDetermined)
    }

    @Test func servicesOffDeniesWhateverWasGranted() {
        var table = AuthorizationTable()
        table.record(Decision(level: .always), about: maps)
        table.setServicesEnabled(false, for: 1000)
        #expect(table.authorization(of: maps).status == .denied)
        #expect(!table.authorization(of: maps).servicesEnabled)
        #expect(table.authorization(of: maps).decision == .authorizedAlways)
        #expect(table.authorization(of: mapsOfAnother).status == .notDetermined)
        table.setServicesEnabled(true, for: 1000)
        #expect(table.authorization(of: maps).status == .authorizedAlways)
        #expect(table.authorization(of: maps).decision == nil)
        table.setServicesEnabled(false, for: nil)
        #expect(table.authorization(of: maps).status == .denied)
        #expect(table.authorization(of: mapsOfAnother).status == .denied)
    }

    @Test func aRestrictionHoldsWhileServicesAreOff() {
        let restriction = Restriction(app: maps.app)
        var table = AuthorizationTable(restrictions: [restriction])
        table.record(Decision(level: .always), about: maps)
        table.setServicesEnabled(false, for: nil)
        #expect(table.authorization(of: maps).status == .restricted)
        #expect(table.authorization(of: maps).decision == .restricted)
    }

    @Test(arguments: [
        // decided, requested, reason given, outcome
        (Decision.Level?.none, RequestedLevel.whenInUse, true, AuthorizationTable.RequestOutcome.prompt),
        (nil, .always, true, .prompt),
        (nil, .whenInUse, false, .usageDescriptionMissing),
        (.denied, .whenInUse, true, .answered),
        (.denied, .always, false, .answered),
        (.whenInUse, .whenInUse, false, .answered),
        (.whenInUse, .always, true, .prompt),
        (.whenInUse, .always, false, .usageDescriptionMissing),
        (.always, .always, false, .answered),
        (.always, .whenInUse, true, .answered),
    ])
    func requests(
        decided: Decision.Level?, asked: RequestedLevel, hasReason: Bool, outcome: AuthorizationTable.RequestOutcome
    ) {
        var table = AuthorizationTable()
        table.record(decided.map { Decision(level: $0) }, about: maps)
        #expect(
            table.outcome(ofRequestFor: asked, usageDescription: hasReason ? "to show the way" : nil, by: maps)
                == outcome)
        #expect(
            table.outcome(ofRequestFor: asked, usageDescription: hasReason ? "to show the way" : "  ", by: maps)
                == outcome)
    }
}
