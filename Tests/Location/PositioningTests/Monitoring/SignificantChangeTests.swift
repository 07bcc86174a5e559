import LocationModel
import Testing

@testable import Positioning

@Suite struct SignificantChangeTests {
    @Test func firstComesWhateverIsKnown() {
        var monitor = SignificantChange()
        #expect(monitor.admits(fix(0, accuracy: nil)) == true)
        #expect(monitor.lastDelivered == fix(0, accuracy: nil))
    }

    @Test(arguments: [
        (300.0, 500.01, true), (299.99, 500.01, false), (300, 499.99, false), (299.99, 10_000, false),
        (100_000, 499.99, false), (100_000, 10_000, true),
    ])
    func fiveHundredMetresAndFiveMinutesFromTheLastDelivered(seconds: Double, metres: Double, isDelivered: Bool) {
        var monitor = SignificantChange(lastDelivered: fix(0))
        #expect(monitor.admits(fix(seconds, north: metres)) == isDelivered)
    }

    @Test func bothCountFromTheLastDelivered() {
        var monitor = SignificantChange()
        // At 3 m/s, 500 m are reached before 300 s.
        let delivered = (0...20).map { Double($0) * 60 }.filter { monitor.admits(fix($0, east: $0 * 3)) }
        #expect(delivered == [0, 300, 600, 900, 1200])
    }

    @Test(arguments: [(600.0, true), (601, false)])
    func aMoveWithinTheErrorDoesNotCount(accuracy: Double, isDelivered: Bool) {
        var monitor = SignificantChange(lastDelivered: fix(0))
        #expect(monitor.admits(fix(300, north: 600.01, accuracy: accuracy)) == isDelivered)
    }

    @Test func aRestartBeginsWithTheGivenLocation() {
        var monitor = SignificantChange(lastDelivered: fix(0))
        monitor.restart(with: fix(1000, north: 2000))
        #expect(monitor.admits(fix(1299, north: 3000)) == false)
        #expect(monitor.admits(fix(1300, north: 2499)) == false)
        #expect(monitor.admits(fix(1300, north: 2501)) == true)
    }

    @Test func aClockThatIsPutBackDoesNotSilenceIt() {
        var monitor = SignificantChange(lastDelivered: fix(1e9))
        #expect(monitor.admits(fix(0, north: 501)) == true)
        #expect(monitor.admits(fix(299, north: 2000)) == false)
        #expect(monitor.admits(fix(300, north: 2000)) == true)
    }
}
