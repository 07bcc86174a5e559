import LocationModel
import Testing

@testable import Positioning

@Suite struct OneShotRequestTests {
    /// Returns for each location in turn whether it satisfies the request.
    private func answers(_ request: inout OneShotRules, _ accuracies: [Double?]) -> [Bool] {
        var answers: [Bool] = []
        for (second, accuracy) in accuracies.enumerated() {
            answers.append(request.isSatisfied(by: fix(Double(second), accuracy: accuracy)))
        }
        return answers
    }

    @Test(arguments: [
        (DesiredAccuracy.bestForNavigation, 3.0), (.best, 5), (.nearestTenMeters, 10), (.hundredMeters, 100),
        (.kilometer, 1000), (.threeKilometers, 3000),
    ])
    func theFirstThatMeetsTheDesiredAccuracyAnswers(level: DesiredAccuracy, metres: Double) {
        var request = OneShotRules(desiredAccuracy: level)
        #expect(answers(&request, [nil, metres + 0.1, metres]) == [false, false, true])
    }

    @Test func anythingAnswersARequestForAReducedOne() {
        var request = OneShotRules(desiredAccuracy: .reduced)
        #expect(answers(&request, [nil]) == [true])
        #expect(answers(&request, [100_000]) == [true])
    }

    @Test func elseTheBestIsKept() {
        var request = OneShotRules(desiredAccuracy: .nearestTenMeters)
        #expect(request.best == nil)
        #expect(answers(&request, [nil, 30, 40, nil]) == [false, false, false, false])
        #expect(request.best?.horizontalAccuracy == 30)
    }

    @Test func oneOfUnknownAccuracyIsBetterThanNone() {
        var request = OneShotRules(desiredAccuracy: .best)
        #expect(answers(&request, [nil]) == [false])
        #expect(request.best != nil)
    }

    /// Attack: the networks of a remembered place are imitated, and the place answers before the receiver has its fix.
    @Test(arguments: [DesiredAccuracy.reduced, .hundredMeters, .threeKilometers])
    func attackAPlaceAnswersNothingWhileAFixMayCome(level: DesiredAccuracy) {
        var place = fix(0, accuracy: 65)
        place.quality = .remembered
        var request = OneShotRules(desiredAccuracy: level)
        let (first, waits) = (request.isSatisfied(by: place, isProvisional: true), request.best)
        #expect(!first && waits == place)
        let answer = request.isSatisfied(by: place)
        #expect(answer)
    }

    @Test func anyFixIsBetterThanAPlace() {
        var place = fix(0, accuracy: 65)
        place.quality = .remembered
        var request = OneShotRules(desiredAccuracy: .best)
        _ = request.isSatisfied(by: place, isProvisional: true)
        _ = request.isSatisfied(by: fix(1, accuracy: 90))
        #expect(request.best?.horizontalAccuracy == 90)
        _ = request.isSatisfied(by: place)
        #expect(request.best?.horizontalAccuracy == 90)
    }

    @Test func ofTwoThatAreEquallyAccurateTheNewerIsKept() {
        var request = OneShotRules(desiredAccuracy: .best)
        #expect(answers(&request, [30, 30]) == [false, false])
        #expect(request.best?.timestamp == fix(1).timestamp)
    }
}
