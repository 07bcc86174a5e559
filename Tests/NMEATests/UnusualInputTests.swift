import Testing

@testable import NMEA

/// Input as other programs and old receivers send it. Each test is named after the log whose shape it has.
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

    /// What RMC says is better than a number that nobody knows.
    @Test func theModeOfRMCGoesBeforeAnUnknownQuality() {
        let gga = "GPGGA,120000,4807.0380,N,01131.0000,E,12,08,0.9,545.4,M,46.9,M,,"
        let rmc = "GPRMC,120000,A,4807.0380,N,01131.0000,E,022.4,084.4,230326,,,D"
        #expect(decode(sentences(gga, rmc)).epochs.map(\.quality) == [.differential])
        #expect(decode(sentences(rmc, gga)).epochs.map(\.quality) == [.differential])
    }

    /// gsv-unrepeated.nmea: NMEA 0183 v4.11 recommends to leave out what has not changed within a set.
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

    /// What comes late for an epoch, after a silence, makes no second fix.
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
}
