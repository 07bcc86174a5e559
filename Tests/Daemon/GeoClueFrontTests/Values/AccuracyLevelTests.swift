import LocationModel
import Testing

@testable import GeoClueFront

@Suite struct AccuracyLevelTests {
    @Test(
        arguments: [
            (0, .none), (1, .country), (2, .country), (3, .country), (4, .city), (5, .neighborhood),
            (6, .street), (7, .street), (8, .exact), (9, .exact), (.max, .exact),
        ] as [(UInt32, AccuracyLevel)])
    func aValueThatIsNotALevelBecomesTheNextLowerOne(_ value: UInt32, _ level: AccuracyLevel) {
        #expect(AccuracyLevel(requested: value) == level)
    }

    @Test(arguments: [
        (AccuracyLevel.none, DesiredAccuracy.hundredMeters, false), (.country, .threeKilometers, true),
        (.city, .threeKilometers, true), (.neighborhood, .threeKilometers, true), (.street, .hundredMeters, false),
        (.exact, .best, false),
    ])
    func aLevelIsAWishForLessPower(_ level: AccuracyLevel, _ accuracy: DesiredAccuracy, _ prefersReduced: Bool) {
        #expect(level.desiredAccuracy == accuracy && level.prefersReducedAccuracy == prefersReduced)
    }
}
