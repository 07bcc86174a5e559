import TestSupport
import Testing

@testable import Positioning

/// Which emitters move.
@Suite struct MobileEmittersTests {
    /// Returns the emitters found to move by fixes at these times, so many metres to the north.
    private func found(_ fixes: [(time: Double, north: Double)]) -> Set<UInt64> {
        var mobile = MobileEmitters()
        for (time, north) in fixes {
            _ = mobile.observe([1, 2], at: fix(time, north: north), age: 0, now: time)
        }
        return mobile.ids
    }

    @Test func twoFixesElsewhereMinutesApartShowIt() {
        #expect(found([(0, 0), (300, 0), (600, 5000), (720, 5000)]) == [1, 2])
        #expect(found([(0, 0), (600, 5000), (720, 9000)]) == [1, 2])
    }

    /// One wrong fix, and those of the same minute, do not have a home's access points ignored for ever.
    @Test func aWrongFixDoesNot() {
        #expect(found([(0, 0), (300, 0), (600, 5000), (660, 5000), (700, 0), (800, 5000), (860, 0)]).isEmpty)
        // The first one was wrong.
        #expect(found([(0, 5000), (600, 0), (720, 0), (900, 0)]).isEmpty)
    }
}
