import LocationModel
import Testing

@testable import Positioning

/// The choice between two receivers. Both produce a fix a second, with the accuracies and at the times that a test
/// sets.
@Suite struct ReceiverChoiceTests {
    private var choice = ReceiverChoice()

    /// Passes on the fix of second `epoch`, received `delay` seconds after it. Returns whether it was accepted.
    private mutating func accepts(
        _ receiver: Int, _ accuracy: Double?, _ epoch: Double, delay: Double = 0.1, isFixed: Bool = false
    ) -> Bool {
        var location = Location(
            timestamp: Timestamp(millisecondsSince1970: Int64(epoch * 1000)), latitude: 47, longitude: 8)
        location.horizontalAccuracy = accuracy
        if isFixed { location.quality = .fixed }
        return choice.accepts(location, of: receiver, at: epoch + delay)
    }

    @Test mutating func theFirstToGiveAFixIsUsed() {
        #expect(accepts(1, 5, 0))
        #expect(!accepts(0, 5, 0, delay: 0.2))
        #expect(choice.current == 1)
        #expect(choice.reason == .first)
    }

    @Test mutating func aFixedPlaceGivesWayToAnyReceiverAndTakesOverWhenItIsSilent() {
        #expect(accepts(0, 1, 0, isFixed: true))
        #expect(accepts(1, 500, 1))
        #expect(choice.reason == .otherFixed)
        for second in 2..<60 {
            #expect(!accepts(0, 1, Double(second), delay: 0, isFixed: true))
            #expect(accepts(1, 500, Double(second)))
        }
        #expect(!accepts(0, 1, 61, isFixed: true))
        #expect(accepts(0, 1, 62, isFixed: true))
        #expect(choice.reason == .otherSilent)
    }

    @Test mutating func oneEpochIsOneFix() {
        for second in 0..<60 {
            let taken = [accepts(0, 5, Double(second)), accepts(1, 5, Double(second), delay: 0.3)]
            #expect(taken == [true, false])
        }
    }

    @Test mutating func aLostOneFallsBackAtOnce() {
        #expect(accepts(0, 5, 0))
        #expect(!accepts(1, 5, 0, delay: 0.3))
        choice.lose(0)
        #expect(choice.current == nil)
        #expect(accepts(1, 5, 1))
        #expect(choice.reason == .otherLost)
    }

    @Test mutating func aSilentOneFallsBackWithinTwoEpochs() {
        for second in 0..<10 {
            #expect(accepts(0, 5, Double(second)))
            #expect(!accepts(1, 5, Double(second), delay: 0.3))
        }
        // The last fix of the receiver in use was the fix of second 9.
        #expect(!accepts(1, 5, 10, delay: 0.3))
        #expect(!accepts(1, 5, 11, delay: 0.3))
        #expect(accepts(1, 5, 12, delay: 0.3))
        #expect(choice.reason == .otherSilent)
    }

    @Test(arguments: [3.0, 5.0, 10.0]) mutating func aReceiverSlowerThanOnceASecondIsNotSilent(period: Double) {
        var changes = 0
        for second in 0..<300 {
            let before = choice.current
            if Double(second).truncatingRemainder(dividingBy: period) == 0 { _ = accepts(0, 2, Double(second)) }
            _ = accepts(1, 9, Double(second), delay: 0.3)
            if choice.current != before { changes += 1 }
        }
        // The first one is used at first, then the other until the period of the first, more accurate one is known.
        #expect(choice.current == 0)
        #expect(changes <= 3)
    }

    @Test mutating func aFasterOneIsSilentSooner() {
        for tick in 0..<60 { _ = accepts(0, 5, Double(tick) / 5) }
        #expect(!accepts(1, 5, 12.2))
        #expect(accepts(1, 5, 13))
    }

    @Test mutating func aClearlyMoreAccurateOneTakesOverAfterATrial() {
        #expect(accepts(0, 10, 0))
        var switched: Int?
        for second in 1..<12 where switched == nil {
            _ = accepts(0, 10, Double(second))
            if accepts(1, 3, Double(second), delay: 0.3) || choice.current == 1 { switched = second }
        }
        #expect(switched == 6)
        #expect(choice.reason == .moreAccurate)
        #expect(accepts(1, 3, 7, delay: 0.3))
    }

    @Test(arguments: [(10.0, 8.0), (5, 4), (5, 5), (5, 9)])
    mutating func aLittleMoreAccuracyChangesNothing(inUse: Double, other: Double) {
        for second in 0..<60 {
            #expect(accepts(0, inUse, Double(second)))
            #expect(!accepts(1, other, Double(second), delay: 0.3))
        }
    }

    @Test mutating func shortSpellsOfAccuracyChangeNothing() {
        for second in 0..<120 {
            #expect(accepts(0, 6, Double(second)))
            #expect(!accepts(1, second % 8 < 3 ? 2 : 12, Double(second), delay: 0.3))
        }
    }

    @Test mutating func anyAccuracyIsBetterThanAnUnknownOne() {
        for second in 0..<8 {
            _ = accepts(0, nil, Double(second))
            _ = accepts(1, 30, Double(second), delay: 0.3)
        }
        #expect(choice.current == 1)
    }

    @Test mutating func theOneThatTakesOverDoesNotRepeatAnEpoch() {
        #expect(accepts(0, 5, 10))
        choice.lose(0)
        #expect(!accepts(1, 5, 10, delay: 0.4))
        #expect(!accepts(1, 5, 9, delay: 1.5))
        #expect(accepts(1, 5, 11))
    }

    @Test mutating func aPlannedCloseIsNotSilence() {
        for second in 0..<5 { #expect(accepts(0, 5, Double(second))) }
        _ = accepts(1, 5, 4, delay: 0.3)
        // Closed for a minute. After that, the other receiver is the first to produce a fix.
        choice.reopened(at: 64)
        #expect(!accepts(1, 5, 65))
        #expect(accepts(0, 5, 65, delay: 0.5))
        choice.reopened(at: 120)
        #expect(accepts(1, 5, 123))
    }
}
