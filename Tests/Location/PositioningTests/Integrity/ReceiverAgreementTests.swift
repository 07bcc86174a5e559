import LocationModel
import Testing

@testable import Positioning

/// Two receivers on one machine, each with a fix a second.
@Suite struct ReceiverAgreementTests {
    private var monitor = IntegrityMonitor()

    /// Passes on the fix of `receiver` at a distance in metres north of the start. Returns whether the two disagree.
    private mutating func isAtOdds(
        _ receiver: Int, _ north: Double, at time: Double, accuracy: Double = 5, speed: Double? = 0,
        isAccessory: Bool = false
    ) -> Bool {
        var location = Location(
            timestamp: Timestamp(millisecondsSince1970: Int64(time * 1000)), latitude: 47 + north / 111_200,
            longitude: 179.9999)
        location.horizontalAccuracy = accuracy
        location.speed = speed
        if isAccessory { location.accessory = true }
        return monitor.judge(location, of: receiver, warning: nil, at: time, isTimeWrong: { false })?
            .contains(.disagreement) ?? false
    }

    /// A drag-off: one of two receivers is drawn away at 5 m/s, which no look at it alone shows.
    @Test mutating func aDragOffIsFoundOnceThePlacesAreApart() throws {
        var found: Int?
        for second in 0..<300 {
            let isFirst = isAtOdds(1, 0, at: Double(second), speed: 5)
            let isSecond = isAtOdds(2, 5 * Double(second), at: Double(second) + 0.3, speed: 5)
            if isFirst || isSecond, found == nil { found = second }
        }
        // 300 m, and the distance that both move between their fixes.
        #expect((60...70).contains(try #require(found)))
        // It ends a minute after the places agree again.
        for second in 300..<370 {
            _ = isAtOdds(1, 0, at: Double(second))
            _ = isAtOdds(2, 3, at: Double(second) + 0.3)
        }
        #expect(!isAtOdds(1, 0, at: 370) && !isAtOdds(2, 3, at: 370.3))
    }

    @Test mutating func twoThatAgree() {
        for second in 0..<60 {
            // A ship of 290 m, an inaccurate second receiver, and a jet with receivers that take their fixes half a
            // second apart.
            #expect(!isAtOdds(1, 250 * Double(second), at: Double(second), speed: 250))
            #expect(!isAtOdds(2, 250 * (Double(second) + 0.5) + 290, at: Double(second) + 0.5, speed: nil))
        }
    }

    @Test mutating func fewComparisonsProveNothing() {
        for second in 0..<2 {
            #expect(!isAtOdds(1, 0, at: Double(second)))
            #expect(!isAtOdds(2, 5_000, at: Double(second) + 0.3))
        }
        #expect(!isAtOdds(1, 0, at: 2) && !isAtOdds(2, 10, at: 2.3) && !isAtOdds(1, 0, at: 3))
        #expect(!isAtOdds(2, 5_000, at: 3.3))
    }

    @Test mutating func aPhoneMayBeCarriedAway() {
        for second in 0..<60 {
            #expect(!isAtOdds(1, 0, at: Double(second)))
            #expect(!isAtOdds(2, 50_000, at: Double(second) + 0.3, isAccessory: true))
        }
    }

    @Test mutating func oneThatIsSilentIsForgotten() {
        for second in 0..<20 {
            _ = isAtOdds(1, 0, at: Double(second))
            _ = isAtOdds(2, 50_000, at: Double(second) + 0.3)
        }
        #expect(isAtOdds(1, 0, at: 20))
        for second in 21..<115 { _ = isAtOdds(1, 0, at: Double(second)) }
        #expect(!isAtOdds(1, 0, at: 115))
    }
}
