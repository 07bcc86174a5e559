import LocationModel
import Testing

@testable import Positioning

/// The evidence against the fixes of one receiver. It produces a fix a second, and its clock is right, unless a test
/// says otherwise.
@Suite struct IntegrityMonitorTests {
    private var monitor = IntegrityMonitor()
    private static let start: Int64 = 1_700_000_000_000

    /// Passes on a fix at a distance in metres north of the start. Returns the reasons to doubt it.
    private mutating func reasons(
        _ north: Double, at time: Double, speed: Double? = 0, accuracy: Double? = 5, timestamp: Double? = nil,
        warning: FixDoubts.Reason? = nil, isTimeWrong: Bool = false,
        change: (inout Location) -> Void = { _ in }
    ) -> [FixDoubts.Reason] {
        var location = Location(
            timestamp: Timestamp(millisecondsSince1970: Self.start + Int64((timestamp ?? time) * 1000)),
            latitude: 47 + north / 111_200, longitude: 8)
        location.horizontalAccuracy = accuracy
        location.speed = speed
        change(&location)
        return monitor.judge(
            location, of: 1, warning: warning.map { FixDoubts($0) }, at: time, isTimeWrong: { isTimeWrong })?
            .reasons ?? []
    }

    // MARK: Jumps

    @Test mutating func aJumpIsSuspectForFiveMinutes() {
        #expect(reasons(0, at: 0) == [])
        #expect(reasons(2_000, at: 1) == [.jump])
        for second in 2..<301 { #expect(reasons(2_000, at: Double(second)) == [.jump]) }
        #expect(reasons(2_000, at: 301) == [])
    }

    @Test mutating func aReferenceStationThatHasMovedIsSuspectForFiveMinutes() {
        #expect(reasons(0, at: 0, warning: .corrections) == [.corrections])
        #expect(reasons(0, at: 299) == [.corrections])
        #expect(reasons(0, at: 300) == [])
    }

    /// A receiver continues by dead reckoning through a tunnel of two minutes, and its estimate is 900 m off at the
    /// end. The first fix there is right, and the distance from the beginning of the tunnel is not a jump.
    @Test mutating func theEndOfATunnelIsNoJump() {
        for second in 0..<5 { #expect(reasons(Double(second) * 30, at: Double(second), speed: 30) == []) }
        for second in 5..<125 {
            let north = 120 + Double(second - 4) * 22.5
            #expect(reasons(north, at: Double(second), speed: 22) { $0.quality = .deadReckoning } == [])
        }
        for second in 125..<500 { #expect(reasons(Double(second) * 30, at: Double(second), speed: 30) == []) }
        #expect(reasons(60_000, at: 500, speed: 30) == [.jump])
    }

    /// Vehicles, and the errors of receivers between buildings, after a tunnel and while they converge.
    @Test(
        arguments: [
            // A jet, with its speed and without.
            (250, 250, 250, 5), (250, nil, nil, 5),
            // A receiver in an urban canyon, standing.
            (290, 0, 0, 5),
            // The first fixes after a cold start.
            (2_000, 0, 0, 250),
            // A receiver that states no accuracy.
            (900, 0, 0, nil),
            // A car with a receiver that reports the speed late.
            (60, 0, 40, 3),
        ] as [(Double, Double?, Double?, Double?)])
    mutating func whatMovesOrErrsIsNoJump(_ distance: Double, _ before: Double?, _ after: Double?, _ accuracy: Double?)
    {
        #expect(reasons(0, at: 0, speed: before, accuracy: accuracy) == [])
        #expect(reasons(distance, at: 1, speed: after, accuracy: accuracy) == [])
    }

    @Test mutating func whoeverHasSleptMayBeElsewhere() {
        #expect(reasons(0, at: 0) == [])
        #expect(reasons(2_000_000, at: 10 * 3600) == [])
        // The fixes of a minute arrive at once.
        #expect(reasons(2_001_000, at: 10 * 3600 + 0.1, timestamp: 10 * 3600 + 60) == [])
        #expect(reasons(2_003_000, at: 10 * 3600 + 0.2, timestamp: 10 * 3600 + 61) == [.jump])
    }

    @Test mutating func aPlaceThatNobodyMeasuresDoesNotJump() {
        let changes: [(inout Location) -> Void] = [
            { $0.simulated = true }, { $0.quality = .fixed }, { $0.quality = .simulated },
        ]
        for change in changes {
            monitor = IntegrityMonitor()
            #expect(reasons(0, at: 0, isTimeWrong: true, change: change) == [])
            #expect(reasons(1_000_000, at: 1, isTimeWrong: true, change: change) == [])
        }
    }

    // MARK: The receiver's own reports, and the clock

    @Test mutating func aReasonHoldsForAMinuteAfterItsLastSign() {
        #expect(reasons(0, at: 0, warning: .spoofing) == [.spoofing])
        #expect(reasons(0, at: 1, warning: .spoofing, isTimeWrong: true) == [.spoofing, .clock])
        #expect(reasons(0, at: 60, isTimeWrong: true) == [.spoofing, .clock])
        #expect(reasons(0, at: 61) == [.clock])
        #expect(reasons(0, at: 119, warning: .jamming) == [.jamming, .clock])
        #expect(reasons(0, at: 120) == [.jamming])
        #expect(reasons(0, at: 179) == [])
    }

    @Test mutating func jammingIsNotedWithoutAFix() {
        #expect(monitor.noteAbsence(of: 1, warning: FixDoubts(.jamming), at: 0)?.reasons == [.jamming])
        #expect(monitor.noteAbsence(of: 1, warning: nil, at: 59)?.reasons == [.jamming])
        #expect(monitor.noteAbsence(of: 1, warning: nil, at: 60) == nil)
    }

    /// A replay: signals that were recorded yesterday are sent again elsewhere. All values of a fix agree.
    @Test mutating func aReplayIsFoundByItsTime() {
        #expect(reasons(0, at: 0) == [])
        #expect(reasons(40_000, at: 30, speed: 3, timestamp: 86_400 + 30, isTimeWrong: true) == [.clock])
    }

    @Test mutating func aRecordingIsOfAnotherTime() {
        let location = Location(timestamp: Timestamp(millisecondsSince1970: 0), latitude: 47, longitude: 8)
        #expect(
            monitor.judge(location, of: 1, warning: nil, isRecording: true, at: 0, isTimeWrong: { true }) == nil)
    }

    @Test mutating func whatIsForgottenIsNotCompared() {
        #expect(reasons(0, at: 0, warning: .spoofing) == [.spoofing])
        monitor.forget(1)
        #expect(reasons(1_000_000, at: 1) == [])
    }
}
