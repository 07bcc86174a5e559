import NIOCore
import Testing

@testable import Receivers

@Suite struct FixAbsenceTests {
    private let start = NIODeadline.uptimeNanoseconds(1_000_000_000_000)

    private func seconds(_ seconds: Double) -> NIODeadline { start + .milliseconds(Int64(seconds * 1000)) }

    /// Attack on the truth: a receiver has a fix every two seconds, or its epoch comes late, and its sentences without
    /// a position in between make it one without a fix.
    @Test(arguments: [0.1, 1, 2, 4.9]) func sentencesBetweenTwoFixesSayNothing(interval: Double) {
        var absence = FixAbsence(at: start)
        for epoch in 0..<100 {
            absence.didProduceFix(at: seconds(Double(epoch) * interval))
            for part in 1..<10 {
                let now = seconds((Double(epoch) + Double(part) / 10) * interval)
                let isOverdue = absence.isOverdue(at: now, after: ReceiverStateMachine.silenceLimit)
                #expect(!isOverdue)
            }
        }
    }

    @Test func anEpochWithoutAFixIsReportedOnce() {
        var absence = FixAbsence(after: 7, at: start)
        var reports: [Bool] = []
        for count in [7, 8, 8, 10] as [UInt64] { reports.append(absence.follows(count, at: start)) }
        #expect(reports == [false, true, false, true])
    }

    /// A device on the port sends satellites or a compass's headings only.
    @Test func sentencesWithoutAnyEpoch() {
        var absence = FixAbsence(at: start)
        var reports: [Int] = []
        for second in 1...20 where absence.isOverdue(at: seconds(Double(second)), after: .seconds(5)) {
            reports.append(second)
        }
        #expect(reports == [6, 12, 18])
    }
}
