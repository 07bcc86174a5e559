import LocationModel
import Testing

@testable import AuthorizationPolicy

/// The permissions in effect while one decision replaces another.
@Suite struct DecisionChangeTests {
    private static let noon = Decision.Lifetime.until(secondsSince1970: 12)
    private static let midnight = Decision.Lifetime.until(secondsSince1970: 24)

    @Test(
        arguments: [
            // old, new, common to both
            (nil, Decision(level: .always), nil), (.denied, Decision(level: .whenInUse), .denied),
            (Decision(level: .always), nil, nil), (Decision(level: .always), .denied, .denied), (.denied, nil, nil),
            (nil, .denied, .denied),
        ] as [(Decision?, Decision?, Decision?)])
    func fromNothingAndToNothing(old: Decision?, new: Decision?, common: Decision?) {
        #expect(Decision.common(old, new) == common)
    }

    @Test func theLevelIsTheLesser() {
        for old in Decision.Level.allCases where old != .denied {
            for new in Decision.Level.allCases where new != .denied {
                let common = Decision.common(Decision(level: old), Decision(level: new))
                #expect(common?.level == min(old, new))
            }
        }
        #expect(Decision.Level.allCases.sorted() == [.denied, .whenInUse, .provisionalAlways, .always])
    }

    @Test(arguments: [
        (AccuracyAuthorization.full, AccuracyAuthorization.full, AccuracyAuthorization.full),
        (.full, .reduced, .reduced), (.reduced, .full, .reduced), (.reduced, .reduced, .reduced),
    ])
    func theAccuracyIsTheLesser(
        old: AccuracyAuthorization, new: AccuracyAuthorization, common: AccuracyAuthorization
    ) {
        let both = Decision.common(
            Decision(level: .whenInUse, accuracy: old), Decision(level: .whenInUse, accuracy: new))
        #expect(both?.accuracy == common)
    }

    @Test(arguments: [
        (Decision.Lifetime.permanent, Decision.Lifetime.permanent, Decision.Lifetime.permanent),
        (.permanent, .once, .once), (.permanent, noon, noon), (.once, .permanent, .once), (noon, .permanent, noon),
        (noon, midnight, noon), (midnight, noon, noon), (.once, .once, .once),
        // Either may outlast the other: the old one stays in effect until the new one is on the disk.
        (.once, noon, .once), (noon, .once, noon),
    ])
    func theLifetimeIsTheShorter(old: Decision.Lifetime, new: Decision.Lifetime, common: Decision.Lifetime) {
        let both = Decision.common(
            Decision(level: .whenInUse, lifetime: old), Decision(level: .whenInUse, lifetime: new))
        #expect(both?.lifetime == common)
    }

    @Test func aPromptThatIsSpentStaysSpent() {
        let spent = Decision(level: .whenInUse, alwaysPromptSpent: true)
        #expect(Decision.common(spent, Decision(level: .whenInUse)) == spent)
        #expect(Decision.common(Decision(level: .whenInUse), spent) == spent)
    }
}
