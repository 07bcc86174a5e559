import NIOCore
import NMEA
import Testing
import TimeTransfer

@testable import Receivers

/// The known arrivals, depending on the times of the reads.
@Suite struct BurstTimerTests {
    /// A receiver's port: a decoder and its bursts.
    private final class Port {
        var bursts = BurstTimer()
        var decoder = NMEADecoder()

        /// Reads `text` at a time in milliseconds. Returns the outcome for the epoch that it completes, if any.
        func read(_ text: String, at milliseconds: Int64) -> BurstTimer.Outcome? {
            let mark = bursts.didRead(
                at: .uptimeNanoseconds(UInt64(milliseconds) * 1_000_000), wallClock: milliseconds * 1_000_000 + 7,
                epochsBegun: decoder.epochsBegun)
            if let mark { decoder.mark(mark) }
            let bytes = Array(text.utf8)
            var offset = 0
            while let event = decoder.next(in: bytes.span.bytes, at: &offset) {
                if case .epoch(let epoch) = event { bursts.didComplete(epoch) }
            }
            return bursts.removeOutcome(epochsBegun: decoder.epochsBegun)
        }

        /// Ends the pending epoch, because the port is silent.
        func fallSilent() -> BurstTimer.Outcome? {
            while let event = decoder.flushInSilence() {
                if case .epoch(let epoch) = event { bursts.didComplete(epoch) }
            }
            return bursts.removeOutcome(epochsBegun: decoder.epochsBegun)
        }
    }

    private static func epoch(_ second: Int, date: String = "231126", mode: Character = "A") -> [String] {
        let quality = mode == "A" ? 1 : mode == "E" ? 6 : mode == "M" ? 7 : 8
        return [
            SentenceFixture.sentence("GPRMC,12000\(second).00,A,4807.038,N,01131.000,E,0.0,,\(date),,,\(mode)"),
            SentenceFixture.sentence(
                "GPGGA,12000\(second).00,4807.038,N,01131.000,E,\(quality),08,0.9,545.4,M,47.0,M,,"),
        ]
    }

    /// Returns the time of arrival in milliseconds, or -1 if it is not known.
    private static func milliseconds(_ outcome: BurstTimer.Outcome?) -> Int64? {
        switch outcome {
        case nil: nil
        case .unknown?: -1
        case .known(let arrival)?: arrival.clocks.steady / 1_000_000
        }
    }

    private static let whole = epoch(1).joined()
    private static let rmc = epoch(1)[0]
    private static let gga = epoch(1)[1]
    private static let begun = String(rmc.prefix(9))
    private static let rest = String(whole.dropFirst(9))
    private static let text = "$GPTXT,01,01,02,*4D\r\n"

    /// Reads that end in silence, each with its time and its text, and the arrival of the last epoch.
    private static let cases: [(String, [(Int64, String)], Int64?)] = [
        ("in one piece", [(1000, whole)], 1000),
        ("in pieces", [(1000, rmc), (1020, gga)], 1000),
        ("cut within a sentence", [(1000, begun), (1016, rest)], 1000),
        ("with a pause within the epoch", [(1000, rmc), (1060, gga)], 1000),
        ("with a pause within a sentence", [(1000, begun), (1060, rest)], -1),
        ("after the end of another sentence", [(1000, text), (1010, whole)], -1),
        ("after a sentence of another kind", [(1000, text + whole)], -1),
        ("after binary bytes", [(1000, "\u{1}\u{2}" + whole)], -1),
        ("two at once", [(1000, whole + epoch(2).joined())], -1),
        ("one and the beginning of the next", [(1000, whole + epoch(2)[0])], -1),
        ("without a pause before", [(29, whole)], -1),
        ("without a date", [(1000, epoch(1, date: "").joined())], nil),
    ]

    @Test(arguments: cases)
    func anArrivalIsKnownOrNot(name: String, reads: [(Int64, String)], expected: Int64?) {
        let port = Port()
        _ = port.read("\r\n", at: 0)
        var arrivals: [Int64] = []
        for (time, text) in reads {
            if let arrival = Self.milliseconds(port.read(text, at: time)) { arrivals.append(arrival) }
        }
        if let arrival = Self.milliseconds(port.fallSilent()) { arrivals.append(arrival) }
        #expect(arrivals.last == expected, "\(name): \(arrivals)")
    }

    @Test func theFirstBytesAfterOpeningAreNotTheBeginningOfABurst() {
        let port = Port()
        #expect(port.read(Self.epoch(1).joined(), at: 5000) == nil)
        #expect(Self.milliseconds(port.fallSilent()) == -1)
    }

    /// Before its last sentence is learned, an epoch is completed by the next one: in the next burst.
    @Test func anEpochThatTheNextOneCompletesHasItsOwnArrival() {
        let port = Port()
        _ = port.read("\r\n", at: 0)
        #expect(port.read(Self.epoch(1).joined(), at: 1000) == nil)
        #expect(Self.milliseconds(port.read(Self.epoch(2).joined(), at: 2011)) == 1000)
        #expect(Self.milliseconds(port.read(Self.epoch(3).joined(), at: 3005)) == 2011)
        // The end is learned: this read completes two epochs.
        _ = port.read(Self.epoch(4).joined(), at: 4000)
        #expect(Self.milliseconds(port.read(Self.epoch(5).joined(), at: 5003)) == 5003)
    }

    @Test func aReceiverThatNeverPausesHasNoArrivals() {
        let port = Port()
        var time: Int64 = 0
        for second in 0..<9 {
            for sentence in Self.epoch(second) {
                for half in [sentence.prefix(20), sentence.dropFirst(20)] {
                    time += 25
                    let outcome = port.read(String(half), at: time)
                    #expect(outcome == nil || outcome == .unknown)
                }
            }
        }
    }

    @Test(
        arguments: [
            ("231126", "A", TimeOrigin.satellites), ("231126", "E", .inferred), ("231126", "M", .invented),
            ("231126", "S", .invented),
            // A date in 2007 is impossible, and is moved by 1024 weeks.
            ("090407", "A", .inferred),
        ] as [(String, Character, TimeOrigin)])
    func theOriginIsThatOfTheEpoch(date: String, mode: Character, expected: TimeOrigin) throws {
        let port = Port()
        port.decoder = NMEADecoder(earliestDate: Plausibility.earliestLiveDate)
        _ = port.read("\r\n", at: 0)
        _ = port.read(Self.epoch(1, date: date, mode: mode).joined(), at: 1000)
        #expect(port.fallSilent()?.arrival?.origin == expected)
    }

    /// GGA has no date, and the date of an earlier epoch may be yesterday's.
    @Test func aDateThatWasNotSentWithTheEpochIsInferred() {
        let port = Port()
        _ = port.read(Self.epoch(1).joined(), at: 0)
        _ = port.fallSilent()
        _ = port.read(Self.epoch(2)[1], at: 1000)
        #expect(port.fallSilent()?.arrival?.origin == .inferred)
    }

    @Test func theClocksAreThoseOfTheRead() throws {
        let port = Port()
        _ = port.read("\r\n", at: 0)
        _ = port.read(Self.epoch(1).joined(), at: 1000)
        let arrival = try #require(port.fallSilent()?.arrival)
        #expect(arrival.clocks == ClockReading(wall: 1_000_000_007, steady: 1_000_000_000))
        // 2026-11-23T12:00:01Z
        #expect(arrival.statedTime == 1_795_435_201_000_000_000)
    }
}
