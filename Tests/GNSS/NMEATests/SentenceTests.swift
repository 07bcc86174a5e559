import NMEA
import Testing

/// The values of single sentences, one line each.
@Suite struct SentenceTests {
    private let fix = "GPGGA,120000,4717.10,N,00833.91,E,1,08,1.0,499.6,M,48.0,M,,"

    @Test(
        arguments: [
            ("GPVTG,77.5,T,75.0,M,1.0,N,1.9,K,A", 1852.0 / 3600, 77.5), ("GPVTG,77.5,T,,M,,N,3.6,K,A", 1, 77.5),
            ("GPVTG,054.7,034.4,001.0,001.9", 1852.0 / 3600, 54.7),
            ("GPVTG,77.5,T,,M,1.0,N,1.9,K", 1852.0 / 3600, 77.5),
            ("GPVTG,360.0,T,,M,0.0,N,0.0,K,A", 0, 0), ("GPVTG,77.5,T,,M,1.0,N,1.9,K,N", nil, nil),
            ("GPVTG,,T,,M,,N,,K,A", nil, nil), ("GPVTG,-10.0,T,,M,-1.0,N,,K,A", nil, 350), ("GPVTG", nil, nil),
            ("GPVTG,999.0,T,,M,0.0,N,0.0,K,A", 0, nil),
        ] as [(String, Double?, Double?)])
    func vtg(_ body: String, _ speed: Double?, _ course: Double?) {
        let epoch = decode(sentences(fix, body)).epochs.first
        #expect(epoch?.speed == speed)
        #expect(epoch?.course == course)
    }

    @Test(
        arguments: [
            ("GPGGA,120000,4717.10,N,00833.91,E,2,08,1.0,499.6,M,48.0,M,3.4,0120", 3.4),
            ("GNGNS,120000,4717.10,N,00833.91,E,DD,08,1.0,499.6,48.0,12,0120", 12),
            ("GPGGA,120000,4717.10,N,00833.91,E,1,08,1.0,499.6,M,48.0,M,,", nil),
            ("GPGGA,120000,4717.10,N,00833.91,E,2,08,1.0,499.6,M,48.0,M,-1,", nil),
            ("GPGGA,120000,4717.10,N,00833.91,E,2,08,1.0,499.6,M,48.0,M,99999,", nil),
            ("GPGGA,120000,4717.10,N,00833.91,E,1,08,1.0,499.6", nil),
        ] as [(String, Double?)]) func theAgeOfTheCorrections(_ body: String, _ seconds: Double?)
    {
        #expect(decode(sentence(body)).epochs.first?.correctionAge == seconds)
    }

    @Test func rmcGoesBeforeVTG() {
        let rmc = "GPRMC,120000,A,4717.10,N,00833.91,E,2.0,10.0,150624,2.5,E,A"
        for bodies in [[fix, rmc, "GPVTG,77.5,T,,M,1.0,N,1.9,K,A"], [fix, "GPVTG,77.5,T,,M,1.0,N,1.9,K,A", rmc]] {
            let epoch = decode(bodies.map { sentence($0) }.joined()).epochs.first
            #expect(epoch?.speed == 2 * 1852.0 / 3600)
            #expect(epoch?.course == 10)
            #expect(epoch?.magneticVariation == 2.5)
        }
    }

    @Test(
        arguments: [
            ("GPHDT,101.5,T", 101.5, nil), ("GNTHS,77.52,A", 77.52, nil), ("HCHDM,093.8,M", nil, 93.8),
            ("HCHDG,101.1,,,7.1,W", 94, 101.1), ("HCHDG,101.1,1.0,E,7.0,E", 109.1, 102.1),
            ("HCHDG,001.0,2.0,W,3.0,W", 356, 359),
            ("HCHDG,101.1,,,,", nil, 101.1), ("GPHDT,360.0,T", 0, nil),
            ("PASHR,120000.00,35.5,T,1.0,2.0,,0.1,0.1,0.5,1,1", 35.5, nil),
        ] as [(String, Double?, Double?)])
    func headings(_ body: String, _ trueHeading: Double?, _ magneticHeading: Double?) throws {
        let heading = try #require(decode(sentence(body)).headings.first)
        #expect(heading.trueHeading == trueHeading)
        #expect(heading.magneticHeading == magneticHeading)
        #expect(heading.accuracy == (body.hasPrefix("PASHR") ? 0.5 : nil))
    }

    @Test(arguments: [
        "GPHDT,,T", "GNTHS,,V", "GNTHS,77.5,V", "HCHDG,,,,,", "HCHDM", "GPHDT,720.5,T", "PASHR,120000,,T,,,,,,,,",
    ])
    func noHeading(_ body: String) {
        #expect(decode(sentence(body)).events.isEmpty)
    }

    @Test func headingsIncludeTheRateOfTurnOfTheirTalker() {
        let decoded = decode(
            sentences("GPHDT,10.0,T", "GPROT,-3.5,A", "GPHDT,10.0,T", "HCHDM,10.0,M", "GPROT,5.0,V", "GPHDT,10.0,T"))
        #expect(decoded.headings.map(\.rateOfTurn) == [nil, -3.5, nil, nil])
    }

    @Test(arguments: [("A", false), ("E", false), ("M", true), ("S", true)])
    func aHeadingThatWasNotMeasuredIsMarked(mode: String, isMarked: Bool) {
        #expect(decode(sentence("GNTHS,77.5,\(mode)")).headings.map(\.simulated) == [isMarked])
    }

    @Test(arguments: ["PMTK001,314,3", "PAIR001,066,0", "PAIR001,x,0"])
    func answersToCommandsAreNotEvents(_ body: String) {
        #expect(decode(sentence(body)).events.isEmpty)
    }

    @Test func aFixByPUBXAlone() throws {
        let body =
            "PUBX,00,120000.50,4717.113210,N,00833.915187,E,546.589,D3,2.1,2.0,36.000,77.52,0.007,,0.92,1.19,0.77,9,0,0"
        let epoch = try #require(
            decode(sentences("PUBX,04,120000.50,150624,113851.00,2319,15D,0,0.1,21", body)).epochs.first)
        #expect(epoch.timeOfDay == time(12, 0, 0, 500))
        #expect(epoch.millisecondsSince1970 == 1_718_452_800_500)
        #expect(epoch.quality == .differential)
        #expect(epoch.dimension == .three)
        #expect(epoch.ellipsoidalAltitude == 546.589)
        #expect(epoch.altitude == nil)
        #expect(epoch.speed == 10)
        #expect(epoch.course == 77.52)
        #expect(epoch.hdop == 0.92 && epoch.vdop == 1.19)
        #expect(epoch.satellitesUsed == 9)
    }

    @Test(
        arguments: [
            ("G2", .autonomous), ("G3", .autonomous), ("D2", .differential), ("D3", .differential), ("DR", .estimated),
            ("RK", .autonomous),
            ("NF", nil), ("TT", nil), ("", nil), ("G", nil),
        ] as [(String, FixQuality?)])
    func statusOfPUBX(_ status: String, _ quality: FixQuality?) {
        let body =
            "PUBX,00,120000,4717.113210,N,00833.915187,E,546.589,\(status),2.1,2.0,0.007,77.52,0.007,,0.92,1.19,0.77,9,0,0"
        #expect(decode(sentence(body)).epochs.map(\.quality) == (quality.map { [$0] } ?? []))
    }

    @Test(
        arguments: [("0", .autonomous), ("1", .differential), ("2", .rtkFloat), ("3", .rtkFixed), ("", nil)]
            as [(String, FixQuality?)])
    func aFixByPASHR(_ kind: String, _ quality: FixQuality?) {
        let body =
            "PASHR,POS,\(kind),10,120000.00,4717.113210,N,00833.915187,E,546.589,,77.5,2.0,-0.1,2.0,1.0,1.7,1.2,GK00"
        let epoch = decode(sentence(body)).epochs.first
        #expect(epoch?.quality == quality)
        guard quality != nil else { return }
        #expect(epoch?.ellipsoidalAltitude == 546.589)
        #expect(epoch?.speed == 2 * 1852.0 / 3600)
        #expect(epoch?.course == 77.5)
        #expect(epoch?.pdop == 2 && epoch?.hdop == 1 && epoch?.vdop == 1.7)
        #expect(epoch?.satellitesUsed == 10)
    }

    @Test func garminsAltitudeImpliesTheDimension() {
        #expect(decode(sentences(fix, "PGRMZ,1639,f,3")).epochs.first?.dimension == .three)
        #expect(decode(sentences(fix, "PGRMZ,1639,f,2")).epochs.first?.dimension == .two)
        #expect(decode(sentences(fix, "PGRMZ,1639,f,2")).epochs.first?.altitude == 499.6)
    }

    @Test(arguments: ["GPTXT,01,01,02,ANTSTATUS=OK", "GNTXT,01,01,02,u-blox AG - www.u-blox.com"])
    func textMessagesAreKnown(_ body: String) {
        #expect(decode(sentence(body)).counts.unknownKinds == 0)
    }

    @Test(arguments: [
        "GPXTE,A,A,0.67,L,N", "PFEC,GPint", "PUBX,03,11", "PUBX", "GGA", "GPGGAX,1", "STI", "PABCDEFGHIJ",
    ])
    func unknownKindsAreCounted(_ body: String) {
        let decoded = decode(sentence(body))
        #expect(decoded.counts.unknownKinds == 1)
        #expect(decoded.counts.sentences == 1)
    }

    /// Random bytes have a correct checksum now and then. They are not a sentence, and do not end the reading of a
    /// source that sends no checksums.
    @Test(arguments: ["", ",", ",,,,", "P", "7,K", "\u{1}A,1", "GP GGA,1", "(((", "GPGG\u{7F}"])
    func noiseWithACorrectChecksumIsNoSentence(_ body: String) {
        let decoded = decode(sentence(body))
        #expect(decoded.counts.messages == 0 && decoded.counts.unknownKinds == 0)
        #expect(decoded.counts.checksumErrors == 1)
    }
}
