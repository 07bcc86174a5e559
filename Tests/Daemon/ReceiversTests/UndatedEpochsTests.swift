import LocationModel
import NIOCore
import NMEA
import Testing
import TimeTransfer

@testable import Receivers

/// Receivers that send no date.
@Suite struct UndatedEpochsTests {
    /// 2026-11-25T23:59:58Z.
    private let evening = Timestamp("2026-11-25T23:59:58Z")!

    private func epochs(_ bodies: [String]) -> [Epoch] {
        var decoder = NMEADecoder(earliestDate: Plausibility.earliestLiveDate)
        var epochs: [Epoch] = []
        let text = bodies.map { body in
            let sum = String(body.utf8.reduce(0, ^), radix: 16, uppercase: true)
            return "$\(body)*\(sum.count == 1 ? "0" : "")\(sum)\r\n"
        }.joined()
        var offset = 0
        let bytes = Array(text.utf8)
        while let event = decoder.next(in: bytes.span.bytes, at: &offset) ?? decoder.flush() {
            if case .epoch(let epoch) = event { epochs.append(epoch) }
        }
        return epochs
    }

    private func gga(_ time: String) -> String {
        "GPGGA,\(time),4807.0380,N,01131.0000,E,4,12,0.6,545.412,M,46.900,M,,"
    }

    /// gga-only-rtk.nmea
    @Test func theDayIsTheOneNearestToTheClock() {
        var undated = UndatedEpochs()
        let epochs = epochs(["235957", "235958", "235959", "000000", "000001"].map(gga))
        let fixes = epochs.map { undated.fix($0) { evening } }
        // The first epoch may lack sentences from before the port was opened.
        #expect(fixes.first == .some(nil))
        #expect(
            fixes.dropFirst().map { $0?.location.timestamp.description } == [
                "2026-11-25T23:59:58.000Z", "2026-11-25T23:59:59.000Z", "2026-11-26T00:00:00.000Z",
                "2026-11-26T00:00:01.000Z",
            ])
        for case let fix? in fixes {
            #expect(fix.dating == .nearestDay && fix.location.quality == .rtkFixed)
            #expect(fix.location.latitude == 48.1173 && fix.location.altitude == 545.412)
        }
    }

    @Test func withoutATimeItIsTheArrival() {
        var undated = UndatedEpochs()
        let epochs = epochs([String](repeating: "GPGLL,4807.0380,N,01131.0000,E,,A,A", count: 3))
        let fixes = epochs.compactMap { undated.fix($0) { evening } }
        #expect(fixes.map(\.location.timestamp) == [evening, evening] && fixes.allSatisfy { $0.dating == .arrival })
    }

    @Test func aReceiverThatIsKnownHasNoFixLessWhenItIsOpenedAgain() {
        var undated = UndatedEpochs()
        for epoch in epochs(["120000", "120001"].map(gga)) { _ = undated.fix(epoch) { evening } }
        undated.reopen()
        for epoch in epochs([gga("120002")]) { #expect(undated.fix(epoch) { evening } != nil) }
    }

    /// A dated receiver whose port was opened in the middle of an epoch has no fix of another date.
    @Test func aDateThatComesLaterIsTheReceivers() {
        var undated = UndatedEpochs()
        let rmc = "GPRMC,120001,A,4807.0380,N,01131.0000,E,022.4,084.4,230320,,,A"
        let fixes = epochs([gga("120000"), rmc, gga("120001"), gga("120002")])
            .compactMap { undated.fix($0) { evening } }
        #expect(fixes.map(\.dating) == [.receiver, .receiver])
        #expect(fixes.first?.location.timestamp.description == "2020-03-23T12:00:01.000Z")
        #expect(!undated.isUndated)
    }

    @Test func aClockThatIsNotSetDatesNothing() {
        var undated = UndatedEpochs()
        for epoch in epochs(["120000", "120001", "120002"].map(gga)) {
            #expect(undated.fix(epoch) { Timestamp(millisecondsSince1970: 86_400_000) } == nil)
        }
        #expect(undated.lacksClock && undated.isUndated)
    }

    /// Attack on the clock: a timestamp that was made from the machine's clock would keep that clock where it is, wrong
    /// as it may be. No arrival of such an epoch is reported, so that chrony gets none.
    @Test func noArrivalOfAnUndatedEpochIsKnown() {
        var bursts = BurstTimer()
        var count: UInt64 = 0
        for (second, epoch) in epochs(["120000", "120001", "120002"].map(gga)).enumerated() {
            let now = NIODeadline.uptimeNanoseconds(UInt64(second + 1) * 1_000_000_000)
            _ = bursts.didRead(at: now, wallClock: 0, epochsBegun: count)
            count += 1
            bursts.didComplete(epoch)
            #expect(bursts.removeOutcome(epochsBegun: count)?.arrival == nil)
        }
    }
}

extension UndatedEpochs {
    /// Returns the fix of an epoch as receivers produce it, or `nil` if there is none.
    mutating func fix(_ epoch: Epoch, clock: () -> Timestamp) -> Fix? {
        date(epoch, clock: clock).map { Fix(epoch, at: $0.0, $0.1, receiver: "r") }
    }
}
