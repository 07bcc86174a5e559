import Testing

@testable import NMEA

@Suite struct SatelliteTests {
    private let fix = "GPRMC,120001,A,4717.10,N,00833.91,E,0.5,77.5,150624,,,A"

    private func sky(_ bodies: String...) -> [SatelliteInView] {
        decode(bodies.map { sentence($0) }.joined() + sentence(fix)).satellites
    }

    @Test func valuesOfGSV() {
        let satellites = sky("GPGSV,1,1,04,03,45,111,42,04,-05,360,,05,,,07,06,01,010,30.5")
        #expect(
            satellites == [
                SatelliteInView(
                    constellation: .gps, number: 3, elevation: 45, azimuth: 111, signalStrength: 42, used: false),
                SatelliteInView(
                    constellation: .gps, number: 4, elevation: -5, azimuth: 0, signalStrength: nil, used: false),
                SatelliteInView(
                    constellation: .gps, number: 5, elevation: nil, azimuth: nil, signalStrength: 7, used: false),
                SatelliteInView(
                    constellation: .gps, number: 6, elevation: 1, azimuth: 10, signalStrength: 30.5, used: false),
            ])
    }

    @Test(
        arguments: [
            ("GP", 1, .gps, 1), ("GP", 32, .gps, 32), ("GP", 33, .sbas, 120), ("GP", 64, .sbas, 151),
            ("GP", 65, .glonass, 1),
            ("GL", 65, .glonass, 1), ("GL", 7, .glonass, 7), ("GL", 96, .glonass, 32), ("GA", 1, .galileo, 1),
            ("GA", 301, .galileo, 1),
            ("GB", 1, .beidou, 1), ("BD", 201, .beidou, 1), ("GB", 263, .beidou, 63), ("BD", 401, .beidou, 1),
            ("PQ", 211, .beidou, 11),
            ("GQ", 1, .qzss, 1), ("QZ", 193, .qzss, 1), ("PQ", 194, .qzss, 2), ("GQ", 202, .qzss, 10),
            ("GI", 3, .navic, 3),
            ("GN", 12, .gps, 12),
            ("GN", 70, .glonass, 6), ("GN", 305, .galileo, 5), ("GN", 133, .sbas, 133),
        ] as [(String, Int, Constellation, Int)])
    func numbering(_ talker: String, _ number: Int, _ constellation: Constellation, _ expected: Int) {
        let satellites = sky("\(talker)GSV,1,1,01,\(number),45,111,42")
        #expect(satellites.map(\.constellation) == [constellation])
        #expect(satellites.map(\.number) == [expected])
    }

    @Test(arguments: [0, 100, 119, 159, 192, 300, 464, 999])
    func invalidSatelliteNumbers(_ number: Int) {
        #expect(sky("GPGSV,1,1,01,\(number),45,111,42").isEmpty)
    }

    @Test func everyPlaceHasItsOwnSatellite() {
        var seen: Set<Int> = []
        for slot in 0..<448 {
            guard let (constellation, number) = SatelliteNumbering.satellite(slot: slot) else { continue }
            if SatelliteNumbering.slot(number, constellation) == slot { seen.insert(slot) }
        }
        #expect(seen.count == 32 + 39 + 32 + 63 + 63 + 10 + 15)
    }

    @Test func aSatelliteCountsOnceHoweverManySignalsItHas() {
        let satellites = sky(
            "GPGSV,1,1,02,03,45,111,42,04,10,020,30,1", "GPGSV,1,1,01,03,45,111,48,6", "GPGSV,1,1,01,03,45,111,20,8")
        #expect(satellites.map(\.number) == [3, 4])
        #expect(satellites.map(\.signalStrength) == [48, 30])
    }

    @Test func setsInAnyOrder() {
        let satellites = sky(
            "GLGSV,1,1,01,65,45,111,42", "GPGSV,2,2,05,07,10,020,30",
            "GPGSV,2,1,05,03,45,111,42,04,1,2,3,05,1,2,3,06,1,2,3",
            "GPGSV,2,2,05,07,10,020,30", "GAGSV,1,1,01,01,45,111,42")
        #expect(satellites.map(\.constellation) == Array(repeating: .gps, count: 5) + [.glonass, .galileo])
    }

    @Test func aSatelliteThatHasSetIsGoneWithTheNextSet() {
        #expect(sky("GPGSV,1,1,02,03,45,111,42,04,01,020,30", "GPGSV,1,1,01,03,45,111,42").map(\.number) == [3])
        // Until the next set is complete, the previous one counts.
        #expect(
            sky("GPGSV,1,1,02,03,45,111,42,04,01,020,30", "GPGSV,2,1,05,03,45,111,42").map(\.number) == [3, 4])
        #expect(sky("GPGSV,1,1,01,03,45,111,42", "GPGSV,1,1,00").isEmpty)
    }

    @Test func aSilentTalkersSatellitesExpire() {
        let text =
            sentences("GPGSV,1,1,01,03,45,111,42", fix, "GPGSV,1,1,01,03,45,111,42", "GLGSV,1,1,01,65,45,111,42")
            + (0..<7).map {
                sentence("GPRMC,120\($0)30,A,4717.10,N,00833.91,E,0.5,77.5,150624,,,A")
                    + sentence("GPGSV,1,1,01,03,45,111,42")
            }.joined()
        #expect(decode(text).satellites.map(\.constellation) == [.gps])
    }

    @Test func usedSatellites() {
        let used = sky(
            "GNGSA,A,3,03,05,,,,,,,,,,,2.0,1.0,1.7,1", "GNGSA,A,3,65,07,,,,,,,,,,,2.0,1.0,1.7,2",
            "GNGSA,A,3,301,,,,,,,,,,,,2.0,1.0,1.7,3",
            "GPGSV,1,1,03,03,45,111,42,04,01,020,30,05,1,2,3", "GLGSV,1,1,03,65,45,111,42,67,1,2,3,71,1,2,3",
            "GAGSV,1,1,01,01,45,111,42"
        ).filter(\.used)
        #expect(used.map(\.number) == [3, 5, 1, 7, 1])
    }

    @Test func usedSatellitesWithoutSystemID() {
        let used = sky(
            "GNGSA,A,3,03,05,33,,,,,,,,,,2.0,1.0,1.7", "GNGSA,A,3,65,,,,,,,,,,,,2.0,1.0,1.7",
            "GPGSV,1,1,03,03,45,111,42,04,01,020,30,33,1,2,3", "GLGSV,1,1,01,65,45,111,42"
        ).filter(\.used)
        #expect(used.map(\.number) == [3, 120, 1])
    }

    @Test func dilutionsOfAnUnusuallyLongGSA() {
        let gsa = "GPGSA,A,3,23,13,07,25,,,,,,,,,,,,,,,,,,,,,09.2,07.2,05.7"
        let epoch = decode(sentences(fix, gsa)).epochs.first
        #expect(epoch?.pdop == 9.2 && epoch?.hdop == 7.2 && epoch?.vdop == 5.7)
    }

    @Test(arguments: ["99.99", "99.9", "99.0", "90", "0", "0.00", "", "-1", "x"])
    func unknownDilutions(_ dilution: String) {
        let epoch = decode(sentences(fix, "GPGSA,A,3,03,,,,,,,,,,,,\(dilution),\(dilution),\(dilution)")).epochs.first
        #expect(epoch != nil && epoch?.pdop == nil && epoch?.hdop == nil && epoch?.vdop == nil)
    }

    @Test func shortAndBrokenSentences() {
        for body in [
            "GPGSV", "GPGSV,,,", "GPGSV,1,1,99,03", "GPGSV,3,2", "GPGSV,1,1,01,03,45", "GPGSA", "GPGSA,A", "GPGSA,,,,",
            "GPGSV,9,99,99,99,99,999,99",
        ] {
            #expect(decode(sentences(body, fix)).epochs.count == 1)
        }
    }
}
