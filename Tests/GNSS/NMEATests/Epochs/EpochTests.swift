import NMEA
import Testing

/// From sentences to epochs: their beginning, end, time and date.
@Suite struct EpochTests {
    private func rmc(_ time: String, _ date: String = "150624", _ minutes: String = "17.10") -> String {
        "GPRMC,\(time),A,47\(minutes),N,00833.91,E,0.5,77.5,\(date),,,A"
    }

    private func gga(_ time: String, _ minutes: String = "17.10") -> String {
        "GPGGA,\(time),47\(minutes),N,00833.91,E,1,08,1.0,499.6,M,48.0,M,,"
    }

    private func stamp(_ year: Int, _ month: Int, _ day: Int, _ milliseconds: Int32) -> Int64 {
        // Counts the days since 1970 one year at a time.
        var days = 0
        for y in 1970..<year { days += (y % 4 == 0 && y % 100 != 0) || y % 400 == 0 ? 366 : 365 }
        let leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0
        let lengths = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        days += lengths[..<(month - 1)].reduce(0, +) + day - 1
        return Int64(days) * 86_400_000 + Int64(milliseconds)
    }

    /// A position with the same text as in the sentence before is not read again.
    @Test(
        arguments: [
            ("4717.11211,N,00833.91522,E", "4717.11211,N,00833.91522,W"),
            ("4717.11211,N,00833.91522,E", "4717.11211,S,00833.91522,E"),
            ("4717.11211,N,00833.91522,E", "4717.11211,N,00833.91523,E"),
            ("4717.11211,N,00833.91522,E", "4717.11212,N,00833.91522,E"),
            ("4717.11211,N,00833.91522,E", "4717.112110,N,00833.91522,E"),
            ("4717.1122,N,00833.9152,E", "4717.1122,N,10833.9152,E"),
            ("4717.112111,N,00833.9152222,E", "4717.112111,N,00833.9152223,E"),
            ("4717.11211,N,00833.91522,E", "4717.1,N,00833.9,E"),
        ])
    func everyPositionIsRead(first: String, second: String) throws {
        func epoch(_ position: String, after earlier: String?) -> Epoch? {
            let texts = [earlier, position].compactMap(\.self).enumerated()
            let sent = texts.map { sentence("GPGGA,12000\($0.offset),\($0.element),1,08,1.0,499.6,M,48.0,M,,") }
            return decode(sent.joined()).epochs.last
        }
        let (alone, after) = (try #require(epoch(second, after: nil)), try #require(epoch(second, after: first)))
        #expect((alone.latitude, alone.longitude) == (after.latitude, after.longitude))
        #expect(try #require(epoch(first, after: nil)).exactLatitude == epoch(first, after: first)?.exactLatitude)
        let before = try #require(epoch(first, after: nil))
        #expect((before.latitude, before.longitude) != (after.latitude, after.longitude) || first.count != second.count)
    }

    @Test func oneEpochIsOneFix() throws {
        let decoded = decode(
            sentences(
                rmc("120000"), gga("120000.00"), "GPVTG,77.5,T,,M,0.5,N,0.9,K,A",
                "GPGSA,A,3,01,02,,,,,,,,,,,2.0,1.0,1.7"))
        let epoch = try #require(decoded.epochs.first)
        #expect(decoded.epochs.count == 1)
        #expect(epoch.millisecondsSince1970 == stamp(2024, 6, 15, time(12, 0, 0)))
        #expect(epoch.timeOfDay == time(12, 0, 0))
        #expect(epoch.exactLatitude.nanominutes == 2_837_100_000_000)
        #expect(epoch.exactLongitude.nanominutes == 513_910_000_000)
        #expect(epoch.altitude == 499.6)
        #expect(epoch.geoidSeparation == 48)
        #expect(epoch.ellipsoidalAltitude == 547.6)
        #expect(epoch.speed == 0.5 * 1852 / 3600)
        #expect(epoch.course == 77.5)
        #expect(epoch.quality == .autonomous)
        #expect(epoch.dimension == .three)
        #expect(epoch.hdop == 1 && epoch.vdop == 1.7 && epoch.pdop == 2)
        #expect(epoch.satellitesUsed == 8)
        #expect(epoch.talker.description == "GP")
        #expect(!epoch.simulated && !epoch.dateRepaired && epoch.datum == nil)
    }

    @Test func theFirstTimeOfDayIsThatOfAnEpochWithoutAFixToo() {
        var decoder = NMEADecoder()
        let void = sentences("GPRMC,115930,V,,,,,,,150624,,,N", "GPRMC,115931,V,,,,,,,150624,,,N")
        for text in [void, sentences(rmc("120000"))] {
            decoder.decode(Array(text.utf8).span.bytes) { _ in }
            while decoder.flush() != nil {}
        }
        #expect(decoder.firstTimeOfDay == time(11, 59, 30))
        #expect(decoder.counts.epochs == 1)
    }

    @Test func anEpochLeavesWithItsLastByteOnceTheEndIsLearned() {
        var decoder = NMEADecoder()
        for second in 0..<3 {
            #expect(
                decoder.events(in: sentences(rmc("12000\(second)"), gga("12000\(second)"))).count
                    == (second > 0 ? 1 : 0))
        }
        // The first sentence of the fourth cycle ends the third epoch. The last sentence ends its own epoch.
        #expect(decoder.events(in: sentence(rmc("120003"))).count == 1)
        let last = sentence(gga("120003"))
        #expect(decoder.events(in: String(last.dropLast(1))).isEmpty)
        #expect(decoder.hasPendingEpoch == true)
        #expect(decoder.events(in: "\r\n").count == 1)
        #expect(decoder.hasPendingEpoch == false)
        #expect(decoder.flush() == nil)
    }

    @Test func silenceEndsAnEpochAndTeachesTheEnd() {
        var decoder = NMEADecoder()
        for second in 0..<3 {
            #expect(decoder.events(in: sentences(rmc("12000\(second)"), gga("12000\(second)"))).isEmpty)
            #expect(decoder.hasPendingEpoch == true)
            #expect(decoder.flushed().count == 1)
            #expect(decoder.hasPendingEpoch == false)
        }
        #expect(decoder.events(in: sentences(rmc("120003"), gga("120003"))).count == 1)
    }

    /// Some sentences come before the first time stamp of their cycle, where only silence shows which epoch they
    /// belong to.
    @Test func sentencesInFrontOfTheFirstTimeStampBelongToTheNextEpoch() {
        var decoder = NMEADecoder()
        var dimensions: [FixDimension?] = []
        for second in 0..<8 {
            let input = sentences(
                "GPGSA,A,\(second % 2 + 2),01,,,,,,,,,,,,2.0,1.0,1.7", rmc("12000\(second)"), gga("12000\(second)"))
            for case .epoch(let epoch) in decoder.events(in: input) + decoder.flushed() {
                dimensions.append(epoch.dimension)
            }
        }
        #expect(dimensions == [.two, .three, .two, .three, .two, .three, .two, .three])
    }

    @Test func aFalseEndMakesNoSecondFix() {
        var decoder = NMEADecoder()
        var epochs: [Event] = []
        for second in 0..<5 {
            epochs += decoder.events(in: sentences(rmc("12000\(second)"))) + decoder.flushed()
        }
        #expect(epochs.count == 5)
        // From now on, GGA follows. The learned end is withdrawn, and the new one is learned.
        for second in 5..<9 {
            epochs += decoder.events(in: sentences(rmc("12000\(second)"), gga("12000\(second)"))) + decoder.flushed()
        }
        #expect(epochs.count == 9)
        #expect(decoder.counts.lateSentences == 1)
        let heights = Decoded(events: epochs).epochs.map(\.altitude)
        #expect(heights == [nil, nil, nil, nil, nil, nil, 499.6, 499.6, 499.6])
    }

    @Test func theEndMovesBehindASentenceWithoutTimeStamp() {
        var decoder = NMEADecoder()
        let gsa = "GPGSA,A,3,01,,,,,,,,,,,,2.0,1.0,1.7"
        func cycle(_ second: Int, _ extra: String...) -> [Event] {
            let text = sentences(rmc("1200\(second)"), gga("1200\(second)")) + extra.map { sentence($0) }.joined()
            return decoder.events(in: text) + decoder.flushed()
        }
        for second in 10..<14 { #expect(cycle(second).count == 1) }
        for second in 14..<30 { #expect(cycle(second, gsa).count == 1) }
        guard case .epoch(let epoch)? = cycle(30, gsa).first else {
            Issue.record("no epoch")
            return
        }
        #expect(epoch.vdop == 1.7)
    }

    @Test func tenHertz() {
        let text = (0..<30).map { sentences(rmc("12000\($0 / 10).\($0 % 10)0"), gga("12000\($0 / 10).\($0 % 10)0")) }
            .joined()
        #expect(decode(text).times == (0..<30).map { time(12, 0, 0) + Int32($0) * 100 })
    }

    @Test func twentyFiveHertz() {
        let text = (0..<25).map { index in
            let hundredths = (index * 4 < 10 ? "0" : "") + String(index * 4)
            return sentences(rmc("120000.\(hundredths)"), gga("120000.\(hundredths)"))
        }.joined()
        #expect(decode(text).times == (0..<25).map { time(12, 0, 0) + Int32($0) * 40 })
    }

    @Test func timesOfOneEpochMayDifferByMilliseconds() {
        let text = sentences(
            "GPGLL,4717.10,N,00833.91,E,120000.295,A", gga("120000.30"), rmc("120000.30"),
            "GPGLL,4717.11,N,00833.91,E,120001.303,A", gga("120001.30", "17.11"), rmc("120001.30", "150624", "17.11"))
        #expect(decode(text).times == [time(12, 0, 0, 295), time(12, 0, 1, 303)])
    }

    @Test func noDateIsInvented() {
        let decoded = decode(sentences(gga("120000"), gga("120001"), rmc("120002"), gga("120003")))
        let noon = stamp(2024, 6, 15, time(12, 0, 0))
        #expect(decoded.epochs.map(\.millisecondsSince1970) == [nil, nil, noon + 2000, noon + 3000])
        #expect(decoded.counts.epochsWithoutDate == 2)
    }

    @Test func theDateOfAVoidRMCIsOnlyTakenForAPositionOfTheSameTime() {
        let void = "GPRMC,120000,V,,,,,,,150624,,,N"
        #expect(decode(sentences(void, gga("120005"))).epochs.map(\.millisecondsSince1970) == [nil])
        let noon = stamp(2024, 6, 15, time(12, 0, 0))
        #expect(decode(sentences(void, gga("120000"))).epochs.map(\.millisecondsSince1970) == [noon])
    }

    @Test(arguments: ["2208-1", "320124", "300224", "", "15062024", "1506", "abcdef"])
    func unreadableDatesAreNone(_ date: String) {
        #expect(decode(sentence(rmc("120000", date))).epochs.map(\.millisecondsSince1970) == [nil])
    }

    @Test func aDateByZDA() {
        let noon = stamp(2024, 6, 15, time(12, 0, 0))
        #expect(
            decode(sentences(gga("120000"), "GPZDA,120000,15,06,2024,00,00")).epochs.map(\.millisecondsSince1970) == [
                noon
            ])
        // A date that was received once, a little earlier, remains valid.
        let decoded = decode(sentences("GPZDA,120000,15,06,2024,00,00", gga("120001"), gga("120002")))
        #expect(decoded.epochs.map(\.millisecondsSince1970) == [noon + 1000, noon + 2000])
        // A clock that runs without a fix may be hours off.
        #expect(
            decode(sentences("GPZDA,090000,22,08,1999,,", gga("120001"))).epochs.map(\.millisecondsSince1970) == [nil])
    }

    @Test func midnightBetweenGGAAndRMC() {
        let text = sentences(
            rmc("235958", "311223"), gga("235958"), gga("235959"), rmc("235959", "311223"), gga("000000"),
            rmc("000000", "010124"), gga("000001"))
        let midnight = stamp(2024, 1, 1, 0)
        #expect(
            decode(text).epochs.map(\.millisecondsSince1970) == [
                midnight - 2000, midnight - 1000, midnight, midnight + 1000,
            ])
    }

    @Test func midnightWithinOneEpoch() {
        let text = sentences(rmc("235959.995", "311223"), gga("000000.00"), rmc("000001", "010124"))
        let midnight = stamp(2024, 1, 1, 0)
        #expect(decode(text).epochs.map(\.millisecondsSince1970) == [midnight - 5, midnight + 1000])
    }

    @Test func midnightWithoutADateSince() {
        let text = sentences(rmc("235959", "280224"), gga("000000"), gga("000001"))
        let midnight = stamp(2024, 2, 29, 0)
        #expect(decode(text).epochs.map(\.millisecondsSince1970) == [midnight - 1000, midnight, midnight + 1000])
    }

    @Test func second60() {
        let text = sentences(
            rmc("235959", "301216"), rmc("235960", "301216"), rmc("000000", "311216"), rmc("000001", "311216"))
        let midnight = stamp(2016, 12, 31, 0)
        #expect(
            decode(text).epochs.map(\.millisecondsSince1970) == [
                midnight - 1000, midnight - 10, midnight, midnight + 1000,
            ])
    }

    @Test func impossibleDatesAreRepairedAndMarked() throws {
        let built = stamp(2025, 1, 1, 0)
        let text = sentence(rmc("120000", "300905"))
        let asTold = try #require(decode(text).epochs.first)
        #expect(asTold.millisecondsSince1970 == stamp(2005, 9, 30, time(12, 0, 0)))
        #expect(!asTold.dateRepaired)
        let repaired = try #require(decode(text, earliestDate: built).epochs.first)
        #expect(repaired.millisecondsSince1970 == stamp(2025, 5, 16, time(12, 0, 0)))
        #expect(repaired.dateRepaired)
        let possible = try #require(decode(sentence(rmc("120000", "010125")), earliestDate: built).epochs.first)
        #expect(possible.millisecondsSince1970 == stamp(2025, 1, 1, time(12, 0, 0)))
        #expect(!possible.dateRepaired)
        #expect(decode(text, earliestDate: .max).epochs.first?.dateRepaired == true)
    }

    @Test func timeThatStandsStillIsDropped() {
        var decoder = NMEADecoder()
        var epochs: [Event] = []
        for _ in 0..<5 { epochs += decoder.events(in: sentence(rmc("120000"))) + decoder.flushed() }
        #expect(epochs.count == 1)
        #expect(decoder.counts.staleTimes == 4)
    }

    @Test func timeThatGoesBackIsDroppedUntilItHasGoneForwardForAWhile() {
        let seconds = [20, 21, 22, 10, 23, 24, 11, 12, 13, 14, 15]
        let decoded = decode(seconds.map { sentence(rmc("1200\($0)")) }.joined())
        #expect(decoded.times.map { $0 / 1000 % 60 } == [20, 21, 22, 23, 24, 14, 15])
        #expect(decoded.counts.backwardTimes == 4)
    }

    @Test func emptySentencesOfAReceiverWithoutFix() {
        let empty = sentences("GPGGA,,,,,,0,,,,M,,M,,", "GPGLL,,,,,,V,N", "GPRMC,,V,,,,,,,,,,N", "GPVTG,,T,,M,,N,,K,N")
        let decoded = decode(empty + empty + sentences(rmc("120000")) + empty)
        #expect(decoded.times == [time(12, 0, 0)])
        #expect(decoded.epochs.first?.altitude == nil)
    }

    @Test(
        arguments: [
            (["GPRMC,120001,V,,,,,,,150624,,,N", "GPGGA,120001,,,,,0,00,,,M,,M,,"], 1),
            (["GPRMC,,V,,,,,,,,,,N", "GPGGA,,,,,,0,00,,,M,,M,,"], 1),
            (["GPRMC,,V,,,,,,,,,,N", "GPRMC,,V,,,,,,,,,,N", "GPRMC,120003,V,,,,,,,150624,,,N"], 3),
            // Of one epoch, one sentence has the position and another one does not.
            (["GPRMC,120001,V,,,,,,,150624,,,N", "GPGGA,120001,4717.10,N,00833.91,E,1,08,1.0,499.6,M,48.0,M,,"], 0),
            (["GPGSV,1,1,01,04,40,083,46", "GPGSA,A,1,,,,,,,,,,,,,,,"], 0),
            // It says that there is a position, which cannot be read.
            (["GPRMC,120001,A,x,N,00833.91,E,0.5,77.5,150624,,,A"], 0),
        ] as [([String], UInt64)]) func epochsWithoutAFix(bodies: [String], count: UInt64)
    {
        var decoder = NMEADecoder()
        for body in [rmc("120000")] + bodies { _ = decoder.events(in: sentences(body)) }
        _ = decoder.flushed()
        #expect(decoder.counts.epochsWithoutFix == count)
    }

    @Test func sentencesAfterALossDoNotJoinTheLastFix() {
        let decoded = decode(
            sentences(rmc("120000"), "GPRMC,120001,V,,,,,,,150624,,,N", "GPGSA,A,3,01,,,,,,,,,,,,9.0,8.0,7.0"))
        #expect(decoded.epochs.count == 1)
        #expect(decoded.epochs.first?.vdop == nil)
    }
}
