import TestSupport
import Testing

@testable import NMEA

/// Input as other programs and old receivers send it. Each test is named after the log with its shape.
@Suite struct UnusualInputTests {
    /// Four epochs, one a second, of the sentences that `bodies` returns for the time.
    private func log(_ bodies: (String) -> [String]) -> Decoded {
        decode((0..<4).flatMap { bodies("12000\($0).00") }.map { sentence($0) }.joined())
    }

    /// 2026-03-23T12:00:00Z.
    private static let start: Int64 = 1_774_267_200_000

    /// Expects the four fixes that most of these logs contain.
    private func expectCommonFixes(_ decoded: Decoded) {
        #expect(decoded.epochs.map(\.millisecondsSince1970) == (0..<4).map { Self.start + $0 * 1000 })
        for epoch in decoded.epochs {
            #expect(epoch.latitude == 48.1173 && abs(epoch.longitude - 11.516666667) < 1e-9)
            #expect(epoch.altitude == 545.4 && abs((epoch.ellipsoidalAltitude ?? 0) - 592.3) < 1e-9)
            #expect(epoch.hdop == 0.9 && epoch.satellitesUsed == 8)
            #expect(abs((epoch.speed ?? 0) - 11.5236) < 1e-4 && epoch.course == 84.4)
        }
        #expect(decoded.counts.malformed == 0)
    }

    /// long-fractions.nmea: a program prints doubles.
    @Test func longFractions() {
        let decoded = log {
            [
                "GPRMC,\($0),A,4807.0380,N,01131.0000,E,5.0999999999999996,84.400000000000006,230326,,,A",
                "GPGGA,\($0),4807.0380,N,01131.0000,E,1,08,0.7000000000000001,545.40000000000003,M,46.9,M,,",
            ]
        }
        #expect(decoded.epochs.count == 4)
        for epoch in decoded.epochs {
            #expect(epoch.hdop == 0.7 && epoch.horizontalAccuracy == 3.5)
            #expect(epoch.altitude == 545.4 && epoch.course == 84.4)
            #expect(abs((epoch.speed ?? 0) - 2.6236) < 1e-4)
        }
    }

    /// long-positions.nmea
    @Test func longPositions() {
        let place = "4807.038123456789,N,01131.123456789012,E"
        let decoded = log {
            ["GPRMC,\($0),A,\(place),022.4,084.4,230326,,,A", "GPGGA,\($0),\(place),1,08,0.9,545.4,M,46.9,M,,"]
        }
        #expect(decoded.epochs.count == 4)
        for epoch in decoded.epochs {
            #expect(abs(epoch.latitude - 48.1173020576) < 1e-10 && abs(epoch.longitude - 11.5187242798) < 1e-10)
        }
        #expect(decoded.counts.malformed == 0)
    }

    /// padded-fields.nmea: old receivers pad numbers with blanks.
    @Test func paddedFields() {
        expectCommonFixes(
            log {
                [
                    "GPRMC,\($0),A, 4807.0380,N,  1131.0000,E, 22.4,  84.4,230326,,,A",
                    "GPGGA,\($0), 4807.0380,N,  1131.0000,E,1, 8, 0.9,  545.4,M,  46.9,M,,",
                ]
            })
    }

    /// A blank before and behind each field, the address and the letters too.
    @Test func everyFieldPadded() {
        expectCommonFixes(
            log { time in
                [
                    "GPRMC,\(time),A,4807.0380,N,01131.0000,E,022.4,084.4,230326,,,A",
                    "GPGGA,\(time),4807.0380,N,01131.0000,E,1,08,0.9,545.4,M,46.9,M,,",
                ].map {
                    " " + $0.split(separator: ",", omittingEmptySubsequences: false).joined(separator: " , ") + "\t"
                }
            })
    }

    /// The same with exponents.
    @Test func exponents() {
        expectCommonFixes(
            log {
                [
                    "GPRMC,\($0),A,4.807038E3,N,1.131E+3,E,2.24e1,8.44E1,230326,,,A",
                    "GPGGA,\($0),4.807038e+03,N,1131000E-3,E,1,8.0,9E-1,5.454E2,M,4.69e1,M,,",
                ]
            })
    }

    /// rmc-status-d.nmea: Unicore's receivers say D where others say A.
    @Test func statusD() {
        let decoded = log { ["GNRMC,\($0),D,4807.0380,N,01131.0000,E,022.4,084.4,230326,,,D"] }
        #expect(decoded.epochs.map(\.millisecondsSince1970) == (0..<4).map { Self.start + $0 * 1000 })
        for epoch in decoded.epochs {
            #expect(abs((epoch.speed ?? 0) - 11.5236) < 1e-4 && epoch.course == 84.4)
            #expect(epoch.quality == .differential)
        }
        #expect(decode(sentence("GNRMC,120000,D,4807.0380,N,01131.0000,E,022.4,084.4,230326")).epochs.count == 1)
        #expect(decode(sentence("GPGLL,4717.10,N,00833.91,E,120000,D")).epochs.map(\.quality) == [.differential])
        #expect(decode(sentence("GNRMC,120000,D,4807.0380,N,01131.0000,E,022.4,084.4,230326,,,N")).epochs.isEmpty)
    }

    @Test(
        arguments: [
            ("01", .autonomous, 545.4), ("04", .rtkFixed, 545.4), (" 2", .differential, 545.4), ("12", .unknown, 545.4),
            ("10", .unknown, 545.4), ("00", nil, nil), ("-1", nil, nil),
        ] as [(String, FixQuality?, Double?)])
    func qualityOfTwoDigits(_ digits: String, _ quality: FixQuality?, _ altitude: Double?) {
        let decoded = decode(sentence("GPGGA,120000,4807.0380,N,01131.0000,E,\(digits),08,0.9,545.4,M,46.9,M,,"))
        #expect(decoded.epochs.map(\.quality) == (quality.map { [$0] } ?? []))
        #expect(decoded.epochs.first?.altitude == altitude)
        #expect(decoded.counts.sentencesWithoutFix == (quality == nil ? 1 : 0))
    }

    /// The mode of RMC is better than an unknown number.
    @Test func theModeOfRMCGoesBeforeAnUnknownQuality() {
        let gga = "GPGGA,120000,4807.0380,N,01131.0000,E,12,08,0.9,545.4,M,46.9,M,,"
        let rmc = "GPRMC,120000,A,4807.0380,N,01131.0000,E,022.4,084.4,230326,,,D"
        #expect(decode(sentences(gga, rmc)).epochs.map(\.quality) == [.differential])
        #expect(decode(sentences(rmc, gga)).epochs.map(\.quality) == [.differential])
    }

    /// gsv-unrepeated.nmea: NMEA 0183 v4.11 recommends leaving out unchanged fields within a set.
    @Test func unrepeatedTotals() {
        let decoded = log {
            [
                "GPRMC,\($0),A,4807.0380,N,01131.0000,E,022.4,084.4,230326,,,A",
                "GPGSV,3,1,10,8,13,62,35,13,50,277,39,18,18,324,33,5,53,228,38",
                "GPGSV,,2,,7,43,71,39,30,73,107,38,27,13,26,34,15,14,289,37", "GPGSV,,3,,14,33,150,40,28,26,155,37",
            ]
        }
        #expect(decoded.satellites.map(\.number) == [5, 7, 8, 13, 14, 15, 18, 27, 28, 30])
        #expect(decoded.counts.malformed == 0)
        // Without a first message, there is nothing that has not changed.
        #expect(decode(sentence("GPGSV,,2,,7,43,71,39")).counts.malformed == 1)
        #expect(decode(sentences("GPGSV,3,1,10,8,13,62,35", "GLGSV,,2,,70,43,71,39")).counts.malformed == 1)
        #expect(decode(sentences("GPGSV,3,1,10,8,13,62,35", "GPGSV,x,2,,7,43,71,39")).counts.malformed == 1)
    }

    /// gga-only-rtk.nmea: an RTK rover. Its log tells no date.
    @Test func positionsWithoutADate() {
        let decoded = log {
            [
                "GPGGA,\($0),4807.03800000,N,01131.00000000,E,4,12,0.6,545.412,M,46.900,M,1.0,0161",
                "GPVTG,084.4,T,,M,000.4,N,000.7,K",
            ]
        }
        #expect(decoded.times == (0..<4).map { time(12, 0, $0) })
        for epoch in decoded.epochs {
            #expect(epoch.millisecondsSince1970 == nil && !epoch.isDateSent)
            #expect(epoch.quality == .rtkFixed && epoch.altitude == 545.412)
        }
    }

    /// A marine plotter or a simulator without a clock.
    @Test(arguments: [
        ["GPGLL,4807.0380,N,01131.0000,E,,A,A"], ["GPGLL,4807.0380,N,01131.0000,E"],
        ["IIRMC,,A,4807.0380,N,01131.0000,E,022.4,084.4,230326,,,A", "IIVTG,084.4,T,,M,022.4,N,,K"],
        ["GPGGA,,4807.0380,N,01131.0000,E,1,08,0.9,545.4,M,46.9,M,,", "GPGLL,4807.0380,N,01131.0000,E,,A"],
    ])
    func positionsWithoutATime(_ bodies: [String]) {
        let decoded = log { _ in bodies }
        let isKnown = bodies != ["GPGLL,4807.0380,N,01131.0000,E"]
        #expect(decoded.epochs.count == (isKnown ? 4 : 0))
        for epoch in decoded.epochs {
            #expect(epoch.latitude == 48.1173 && epoch.timeOfDay == nil && epoch.millisecondsSince1970 == nil)
        }
        #expect(decoded.counts.malformed == 0 && decoded.counts.epochsWithoutDate == (isKnown ? 4 : 0))
    }

    /// A position without a time is of the epoch that has one.
    @Test func aPositionWithoutATimeBelongsToItsEpoch() {
        let decoded = log {
            ["GPRMC,\($0),A,4807.0380,N,01131.0000,E,022.4,084.4,230326,,,A", "GPGLL,4807.0380,N,01131.0000,E,,A"]
        }
        #expect(decoded.epochs.map(\.millisecondsSince1970) == (0..<4).map { Self.start + $0 * 1000 })
    }

    /// Sentences that arrive late for an epoch, after a silence, make no second fix.
    @Test func aLatePositionWithoutATimeMakesNoFix() {
        var decoder = NMEADecoder()
        var epochs: [Epoch] = []
        for second in 0..<8 {
            let time = "12000\(second)"
            for body in [
                "GPRMC,\(time),A,4807.0380,N,01131.0000,E,022.4,084.4,230326,,,A", "GPGLL,4807.0380,N,01131.0000,E,,A",
            ] where second > 3 || body.hasPrefix("GPRMC") {
                epochs += Decoded(events: decoder.events(in: sentence(body)) + decoder.flushed()).epochs
            }
        }
        #expect(epochs.map(\.timeOfDay) == (0..<8).map { time(12, 0, $0) })
    }

    // MARK: Second round

    /// The sentences of a second, with their position.
    private typealias Second = (Int) -> [String]
    private static func place(_ second: Int) -> String {
        // Ten-thousandths of a minute: 11 m further in each second.
        let value = 1_070_380 + 60 * second
        return "48\("\(value / 10_000)".dropFirst()).\("\(10_000 + value % 10_000)".dropFirst()),N,01131.0000,E"
    }
    private static func clock(_ second: Int) -> String { "12000\(second).00" }
    private static func gga(_ second: Int, _ time: String? = nil) -> String {
        "GPGGA,\(time ?? clock(second)),\(place(second)),1,08,0.9,545.4,M,46.9,M,,"
    }
    private static func rmc(_ second: Int, _ time: String? = nil, _ date: String = "230326") -> String {
        "GPRMC,\(time ?? clock(second)),A,\(place(second)),22.4,84.4,\(date),,,A"
    }

    /// Returns the epochs of a wire that is silent after each second, and the counts.
    private func live(_ seconds: Range<Int>, present: Int64? = nil, _ bodies: Second) -> Decoded {
        var decoder = NMEADecoder(earliestDate: Plausibility.earliestLiveDate)
        decoder.present = present
        var decoded = Decoded()
        for second in seconds {
            decoded.events += decoder.events(in: bodies(second).map { sentence($0) }.joined())
            while let event = decoder.flushInSilence() { decoded.events.append(event) }
        }
        decoded.counts = decoder.counts
        decoded.satellites = decoder.satellites
        return decoded
    }

    private func expectPlaces(
        _ decoded: Decoded, _ seconds: Range<Int>, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(
            decoded.epochs.map { Int(($0.latitude * 10_000).rounded()) } == seconds.map { 481_173 + $0 },
            sourceLocation: sourceLocation)
    }

    /// gll-local-time.nmea: a server's GLL has the local time.
    @Test func positionsOfAnotherClock() {
        for order in [[0, 1, 2], [0, 2, 1], [2, 1, 0]] {
            let bodies: Second = { second in
                let all = [Self.gga(second), "GPGLL,\(Self.place(second)),14000\(second).020,A", Self.rmc(second)]
                return order.map { all[$0] }
            }
            for decoded in [live(0..<8, bodies), decode((0..<8).flatMap(bodies).map { sentence($0) }.joined())] {
                expectPlaces(decoded, 0..<8)
                #expect(decoded.times == (0..<8).map { time(12, 0, $0) })
                #expect(decoded.epochs.map(\.millisecondsSince1970) == (0..<8).map { Self.start + $0 * 1000 })
                #expect(decoded.epochs.allSatisfy { $0.altitude == 545.4 && $0.course == 84.4 && $0.hdop == 0.9 })
                #expect(decoded.counts.otherClocks == 8 && decoded.counts.backwardTimes == 0)
            }
        }
    }

    /// Two kinds of sentences that agree are not overruled by the date of a third.
    @Test func twoAgreeAgainstTheDate() {
        let decoded = live(0..<8) { second in
            [
                Self.gga(second), "GPGLL,\(Self.place(second)),\(Self.clock(second)),A",
                Self.rmc(second, "14000\(second).00"),
            ]
        }
        #expect(decoded.counts.otherClocks < 4 && decoded.epochs.count >= 8)
    }

    /// n2k-gateway-two-clocks.nmea: the height has the time of its measurement.
    @Test func heightsOfALittleBefore() {
        func bodies(_ second: Int) -> [String] {
            (0..<5).flatMap { fifth in
                let rmc = Self.rmc(second, "1200\(20 + second).\(2 * fifth)0")
                return fifth == 2 ? [rmc, Self.gga(second, "1200\(19 + second).60")] : [rmc]
            }
        }
        let input = (0..<8).flatMap(bodies).map { sentence($0) }.joined()
        for decoded in [decode(input), live(0..<8, bodies)] {
            #expect(decoded.epochs.count == 40 && decoded.counts.backwardTimes == 0)
            for epoch in decoded.epochs.dropFirst(3) {
                #expect(epoch.altitude == 545.4 && abs((epoch.ellipsoidalAltitude ?? 0) - 592.3) < 1e-9)
                #expect(epoch.horizontalAccuracy == 4.5 && epoch.satellitesUsed == 8 && epoch.course == 84.4)
            }
        }
    }

    /// If a receiver's clock is set back, its height is not older.
    @Test func aStepBackIsNoOlderHeight() {
        let decoded = live(0..<9) { second in
            let time = Self.clock(second < 4 ? second : second - 2)
            return [Self.gga(second, time), Self.rmc(second, time)]
        }
        #expect(decoded.epochs.allSatisfy { $0.altitude == 545.4 })
        #expect(decoded.counts.staleTimes + decoded.counts.backwardTimes > 0)
    }

    /// An older height is forgotten after five seconds.
    @Test func aHeightOfLongBefore() {
        let decoded = live(0..<9) { second in
            second == 1 ? [Self.rmc(1), Self.gga(1, Self.clock(0))] : [Self.rmc(second)]
        }
        #expect(
            decoded.epochs.map { $0.altitude != nil } == [false, true, true, true, true, false, false, false, false])
    }

    /// gll-ten-second-time.nmea: a plotter counts time in steps of ten seconds.
    @Test func aClockInSteps() {
        let bodies: Second = { second in
            ["HDGLL,\(Self.place(second)),1200\(second / 10)0,A,D", "HDVTG,189.1,T,,M,8.300,N,15.372,K"]
        }
        let live = live(0..<30, bodies)
        expectPlaces(live, 0..<30)
        #expect(live.epochs.allSatisfy { abs(($0.speed ?? 0) - 4.2699) < 1e-4 && $0.course == 189.1 })
        let whole = decode((0..<30).flatMap(bodies).map { sentence($0) }.joined())
        expectPlaces(whole, 0..<30)
    }

    /// rmc-time-000000.nmea: a simulator without a clock.
    @Test(arguments: [false, true]) func aClockThatStands(hasHeight: Bool) {
        let bodies: Second = { second in
            [Self.rmc(second, "000000")] + (hasHeight ? [Self.gga(second, "000000")] : [])
        }
        let live = live(0..<8, bodies)
        expectPlaces(live, 0..<8)
        #expect(live.epochs.map { $0.timeOfDay == nil } == [false] + Array(repeating: true, count: 7))
        #expect(live.epochs.allSatisfy { ($0.altitude != nil) == hasHeight && $0.course == 84.4 })
        let whole = decode((0..<8).flatMap(bodies).map { sentence($0) }.joined())
        expectPlaces(whole, 0..<8)
    }

    /// A position that is repeated is not another one.
    @Test func aClockThatStandsWhileTheDeviceDoes() {
        let decoded = live(0..<8) { _ in [Self.rmc(0, "000000")] }
        #expect(decoded.epochs.count == 1 && decoded.counts.staleTimes == 7)
    }

    /// modem-pq-talker.nmea: Quectel's modems have BeiDou as PQ.
    @Test func satellitesOfPQ() {
        let decoded = live(0..<2) { second in
            [
                Self.gga(second), Self.rmc(second), "GPGSA,A,3,05,13,15,,,,,,,,,,1.8,0.9,1.5,1",
                "PQGSA,A,3,01,03,08,36,,,,,,,,,1.8,0.9,1.5,4", "GPGSV,1,1,03,05,61,210,41,13,22,048,33,15,48,285,38,1",
                "PQGSV,1,1,04,01,38,142,36,03,52,188,35,08,71,020,40,36,25,310,31,0",
            ]
        }
        let used = decoded.satellites.filter(\.used).map { "\($0.constellation) \($0.number)" }.sorted()
        #expect(used == ["beidou 1", "beidou 3", "beidou 36", "beidou 8", "gps 13", "gps 15", "gps 5"])
        #expect(decoded.satellites.count == 7)
    }

    /// rmc-date-060180.nmea, rmc-date-010913.nmea: the date of a receiver that does not know its week.
    @Test(arguments: ["060180", "010913"]) func aDateThatIsAPlaceholder(date: String) {
        let bodies: Second = { [Self.rmc($0, nil, $0 < 4 ? date : "230326")] }
        let decoded = live(0..<8, present: Self.start, bodies)
        expectPlaces(decoded, 0..<8)
        #expect(decoded.times == (0..<8).map { time(12, 0, $0) })
        #expect(
            decoded.epochs.map(\.millisecondsSince1970)
                == (0..<8).map { $0 < 4 ? nil : Self.start + $0 * 1000 })
        #expect(decoded.epochs.map(\.isDateSent) == (0..<8).map { $0 >= 4 })
        // A clock that is not set says nothing.
        let repaired = live(0..<4, present: 0, bodies)
        #expect(repaired.epochs.allSatisfy { $0.dateRepaired && $0.millisecondsSince1970 != nil })
    }

    /// An old receiver whose weeks have rolled over is right after a cycle.
    @Test func aDateOfACycleAgo() {
        // 1024 weeks before 2026-03-23.
        let decoded = live(0..<4, present: Self.start + 180 * 86_400_000) { [Self.rmc($0, nil, "070806")] }
        #expect(decoded.epochs.map(\.millisecondsSince1970) == (0..<4).map { Self.start + $0 * 1000 })
    }

    /// rmc-time-dot00.nmea: no digit before the point.
    @Test(arguments: [".00", ".0", "."]) func aTimeThatIsAPoint(time: String) {
        let decoded = live(0..<6) { ["GPRMC,\(time),A,\(Self.place($0)),22.4,84.4,,,,A,S"] }
        expectPlaces(decoded, 0..<6)
        #expect(decoded.epochs.allSatisfy { $0.timeOfDay == nil && $0.course == 84.4 })
        #expect(decoded.counts.malformed == 0)
    }

    /// gll-gp-vtg-ii.nmea, gga-gp-vtg-sd.nmea: one instrument sends the position, another one the motion.
    @Test func motionOfAnotherDevice() {
        let decoded = live(0..<6) {
            ["IIVTG,224.4,T,224.4,M,5.81,N,,,D", "GPGLL,\(Self.place($0)),\(Self.clock($0)),A,D"]
        }
        expectPlaces(decoded, 0..<6)
        #expect(decoded.epochs.dropFirst().allSatisfy { abs(($0.speed ?? 0) - 2.9889) < 1e-4 && $0.course == 224.4 })
        #expect(decoded.counts.othersMotion == 5)
    }

    /// The followed device's own motion is the only one, once it has sent any.
    @Test func motionOfAnotherDeviceBesideItsOwn() {
        for own in ["GPVTG,84.4,T,,M,22.4,N,41.5,K", nil] {
            let decoded = live(0..<6) { second in
                (own.map { [Self.gga(second), $0] } ?? [Self.rmc(second)]) + ["IIVTG,224.4,T,224.4,M,5.81,N,,,D"]
            }
            #expect(decoded.epochs.count == 6 && decoded.epochs.allSatisfy { $0.course == 84.4 })
            #expect(decoded.counts.othersMotion == 0 && decoded.counts.otherDevices == 6)
        }
    }

    // MARK: Without checksums

    /// Two sentences a second without a checksum.
    private func unchecked(_ seconds: Range<Int>) -> String {
        seconds.map { "$\(Self.gga($0))\r\n$\(Self.rmc($0))\r\n" }.joined()
    }

    /// no-checksum.nmea, no-checksum-rmc-only.nmea
    @Test func aSourceWithoutChecksums() {
        let text = unchecked(0..<8)
        let input = Array(text.utf8)
        let lacksChecksums = NMEADecoder.lacksChecksums(input.span.bytes)
        #expect(lacksChecksums)
        for isExpected in [true, false] {
            var decoder = NMEADecoder()
            if isExpected { decoder.expectNoChecksums() }
            let events = decoder.events(in: text) + decoder.flushed()
            let decoded = Decoded(events: events, counts: decoder.counts)
            expectPlaces(decoded, (isExpected ? 0 : 1)..<8)
            #expect(decoded.epochs.dropFirst().allSatisfy { $0.altitude == 545.4 && $0.course == 84.4 })
            #expect(
                decoder.uncheckedSentences == (isExpected ? 16 : 13)
                    && decoded.counts.missingChecksums == (isExpected ? 0 : 3))
        }
        _ = decode(text)
    }

    /// some-without-checksum-guard.nmea: a source that sends checksums is strict from the first one on.
    @Test func aSourceThatSendsChecksums() {
        let strict = decode(
            sentence(Self.rmc(0)) + "$RPYL,0.51,1.2\r\n" + unchecked(1..<8) + sentence(Self.rmc(8)))
        #expect(strict.epochs.count == 2 && strict.counts.missingChecksums == 15)
        let later = decode(unchecked(0..<4) + sentence(Self.rmc(4)) + unchecked(5..<9))
        #expect(later.epochs.count == 4 && later.counts.missingChecksums == 3 + 8)
        let beginning = Array((unchecked(0..<4) + sentence(Self.rmc(4))).utf8)
        let lacksChecksums = NMEADecoder.lacksChecksums(beginning.span.bytes)
        #expect(!lacksChecksums)
    }

    /// A sentence is invalid if it is cut off, is followed by another on its line, or contains other bytes.
    @Test func whatIsDamagedIsNotReadWithoutAChecksum() {
        let damaged =
            "$GPRMC,120009.00,A,4907.$GPRMC,120009.00,A,4\u{7}07.0380,N,01131.0000,E,22.4,84.4,230326,,,A\r\n$GPXYZ,1,2,3,4\r\n"
        let decoded = decode(unchecked(0..<4) + damaged + unchecked(4..<8))
        expectPlaces(decoded, 1..<8)
        #expect(decoded.counts.missingChecksums == 3 + 3)
    }

    /// Noise, as at a wrong baud rate, is never mistaken for a source without checksums.
    @Test func noiseIsNoSourceWithoutChecksums() {
        var random = SeededRandom(seed: 64)
        var decoder = NMEADecoder()
        var bytes = [UInt8](repeating: 0, count: 960)
        for second in 0..<2000 {
            for index in bytes.indices {
                // Half of them begin lines and sentences more often than noise does.
                let byte = UInt8.random(in: 0...255, using: &random)
                bytes[index] = second % 2 == 0 ? byte : [36, 13, 10, 44, 44, 71, 80, 82, 77, 67, byte][Int(byte) % 11]
            }
            #expect(decoder.events(in: bytes).isEmpty)
        }
        #expect(decoder.uncheckedSentences == 0)
    }
}
