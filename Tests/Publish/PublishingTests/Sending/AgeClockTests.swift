import LocationModel
import Publishing
import Testing

/// The clock by which the queue ages.
@Suite struct AgeClockTests {
    private func time(_ seconds: Double) -> Timestamp { Timestamp(millisecondsSince1970: Int64(seconds * 1000)) }

    @Test func aClockThatIsSet() {
        var clock = AgeClock(wall: time(1000), elapsed: 5)
        #expect(clock.advance(wall: time(1010), elapsed: 15) == nil)
        // Asleep for a day: both clocks go on.
        #expect(clock.advance(wall: time(87_410), elapsed: 86_415) == nil)
        // Drift and small corrections.
        #expect(clock.advance(wall: time(87_470), elapsed: 86_416) == nil)
        #expect(clock.advance(wall: time(1_700_000_000), elapsed: 86_417) == 1_699_912_529)
        #expect(clock.advance(wall: time(1_700_000_001), elapsed: 86_418) == nil)
        #expect(clock.advance(wall: time(0), elapsed: 86_419) == -1_700_000_002)
    }
}
