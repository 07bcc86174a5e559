import Corpus
import LocationModel
import NMEA
import Positioning
import Testing

@testable import Receivers

/// No fix of any log is suspect: false alarms teach users to ignore alarms.
@Suite struct CorpusIntegrityTests {
    private static let logs =
        Corpus.own.logs + (Corpus.recorded?.logs ?? []) + (Corpus.recordedFrames?.logs ?? [])

    @Test(arguments: logs)
    func nothingIsSuspect(_ log: Log) throws {
        var monitor = IntegrityMonitor()
        var decoder = NMEADecoder(earliestDate: Plausibility.earliestLiveDate)
        var undated = UndatedEpochs()
        undated.reopen()
        // The machine's clock is right, and each fix arrives 0.2 s after its moment.
        var arrival = 0.0
        var first: Timestamp?
        let bytes = try log.bytes()
        var offset = 0
        while let event = decoder.next(in: bytes.span.bytes, at: &offset) {
            guard case .epoch(let epoch) = event,
                let fix = undated.fix(epoch, clock: { Timestamp(millisecondsSince1970: 0) })
            else { continue }
            if first == nil { first = fix.location.timestamp }
            if let first { arrival = max(arrival, fix.location.timestamp.seconds(since: first) + 0.2) }
            let doubts = monitor.judge(
                fix.location, of: 1, warning: FixDoubts(decoder.spoofing, decoder.jamming), at: arrival,
                isTimeWrong: { false })
            #expect(doubts == nil, "\(fix.location.timestamp): \(doubts?.reasons ?? [])")
        }
    }
}
