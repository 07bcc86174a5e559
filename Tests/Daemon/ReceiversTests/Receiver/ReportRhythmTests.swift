import NIOCore
import Testing

@testable import Receivers

/// The length of a receiver's silence that counts as a loss.
@Suite struct ReportRhythmTests {
    private let silent = ReceiverFailure(.silent, "silent")

    private func seconds(_ seconds: Double) -> NIODeadline { .uptimeNanoseconds(UInt64((100 + seconds) * 1e9)) }

    /// Feeds a state machine with reports that take `length` seconds each, and wakes it at its deadlines. Returns the
    /// losses.
    private func losses(at times: [Double], length: Double = 0.3, until end: Double) -> [Double] {
        var machine = ReceiverStateMachine(silence: silent)
        _ = machine.start(at: seconds(0))
        machine.opened(at: seconds(0))
        var losses: [Double] = []
        func wake(until time: Double) {
            while let deadline = machine.deadline, deadline <= seconds(time) {
                let time = Double((deadline - seconds(0)).nanoseconds) / 1e9
                switch machine.wake(at: deadline) {
                case .close: losses.append(time)
                case .open: machine.opened(at: deadline)
                case nil: return
                }
            }
        }
        for time in times {
            wake(until: time)
            for part in 0...3 { machine.heard(at: seconds(time + length * Double(part) / 3)) }
        }
        wake(until: end)
        return losses
    }

    @Test(arguments: [1.0, 2, 5, 10, 30])
    func aReceiverIsNotLostBetweenItsReports(_ interval: Double) {
        let times = (0..<20).map { 1 + Double($0) * interval }
        #expect(losses(at: times, until: times.last! + 4).isEmpty)
    }

    @Test func itIsLostAfterTwoAndAHalfOfItsIntervals() {
        #expect(losses(at: [1, 11, 21, 31], until: 57).first.map { abs($0 - 56.3) < 0.01 } == true)
        #expect(losses(at: [1, 11, 21, 41, 51], until: 60).isEmpty)
        // At least 5 s.
        #expect(losses(at: [1, 2, 3, 4], until: 10).first.map { abs($0 - 9.3) < 0.01 } == true)
        #expect(
            losses(at: (0..<50).map { 1 + Double($0) / 5 }, length: 0.1, until: 17).first.map { $0 < 15.95 } == true)
    }

    /// No data has come yet, so no rhythm is known.
    @Test func aReceiverThatSendsNothingIsLostAfter5S() {
        #expect(losses(at: [], until: 6) == [5])
    }

    /// After one report, the next one is waited for: the receiver may be a slow one.
    @Test func afterOneReportASilenceMayBeLong() {
        #expect(losses(at: [1], until: 36).isEmpty)
        #expect(losses(at: [1], until: 37).count == 1)
    }

    /// Attack: a wire that was pulled for a night has no rhythm of a night.
    @Test func anInterruptionIsNoInterval() {
        var rhythm = ReportRhythm()
        for second in [0.0, 1, 2, 3600, 3601] { rhythm.heard(at: seconds(second)) }
        #expect(rhythm.interval == nil && rhythm.limit <= .seconds(3))
        for second in [3611.0, 3621] { rhythm.heard(at: seconds(second)) }
        #expect(rhythm.interval == .seconds(10))
        rhythm.interrupt()
        for second in [3681.0, 3691] { rhythm.heard(at: seconds(second)) }
        #expect(rhythm.interval == .seconds(10))
    }

    @Test func aReceiverThatBecomesFasterIsLostSooner() {
        var rhythm = ReportRhythm()
        for second in stride(from: 0.0, to: 60, by: 10) { rhythm.heard(at: seconds(second)) }
        #expect(rhythm.interval == .seconds(10))
        for second in stride(from: 60.0, to: 64, by: 1) { rhythm.heard(at: seconds(second)) }
        #expect(rhythm.interval == nil)
        for second in stride(from: 64.0, to: 90, by: 10) { rhythm.heard(at: seconds(second)) }
        for second in stride(from: 90.0, to: 104, by: 0.2) { rhythm.heard(at: seconds(second)) }
        #expect(rhythm.interval == nil && rhythm.limit == .zero)
    }

    /// `locationctl receivers` shows why the receiver was lost until it has sent valid data.
    @Test func theReasonOfALossStaysWhileTheReceiverIsTriedAgain() {
        var machine = ReceiverStateMachine(silence: silent)
        _ = machine.start(at: seconds(0))
        machine.opened(at: seconds(0))
        #expect(machine.state == .waitingForFix)
        _ = machine.wake(at: seconds(5))
        _ = machine.wake(at: seconds(5.5))
        machine.opened(at: seconds(5.5))
        #expect(machine.state == .lost(silent))
        machine.heardUnreadable(at: seconds(6))
        #expect(machine.state == .lost(silent))
        machine.heard(at: seconds(7))
        #expect(machine.state == .waitingForFix)
    }
}
