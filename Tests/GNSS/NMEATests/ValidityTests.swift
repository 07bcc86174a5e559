import NMEA
import Testing

/// The sentences that contain a fix, and the kind of fix.
@Suite struct ValidityTests {
    @Test(
        arguments: [
            ("1", .autonomous), ("2", .differential), ("3", .precise), ("4", .rtkFixed), ("5", .rtkFloat),
            ("6", .estimated),
            ("7", .manual), ("8", .simulated), ("9", .differential), ("0", nil), ("", nil), ("A", nil),
            ("10", .unknown),
        ] as [(String, FixQuality?)])
    func qualityOfGGA(_ digit: String, _ quality: FixQuality?) {
        let decoded = decode(sentence("GPGGA,120000,4717.10,N,00833.91,E,\(digit),08,1.0,499.6,M,48.0,M,,"))
        #expect(decoded.epochs.map(\.quality) == (quality.map { [$0] } ?? []))
        #expect(decoded.epochs.first?.simulated ?? false == (quality == .simulated))
    }

    @Test(
        arguments: [
            ("A,,,A", .autonomous), ("A,,,D", .differential), ("A,,,E", .estimated), ("A,,,F", .rtkFloat),
            ("A,,,R", .rtkFixed),
            ("A,,,P", .precise), ("A,,,M", .manual), ("A,,,S", .simulated), ("A,,", .autonomous),
            ("A,,,A,V", .autonomous),
            ("A,,,D,S", .differential), ("A,,,N", nil), ("V,,,A", nil), ("V,,,N", nil), (",,,A", nil),
        ] as [(String, FixQuality?)])
    func statusAndModeOfRMC(_ flags: String, _ quality: FixQuality?) {
        let (status, mode) = (flags.prefix { $0 != "," }, flags.drop { $0 != "," })
        let decoded = decode(sentence("GPRMC,120000,\(status),4717.10,N,00833.91,E,0.5,77.5,150624\(mode)"))
        #expect(decoded.epochs.map(\.quality) == (quality.map { [$0] } ?? []))
    }

    @Test(arguments: [("A", true), ("A,A", true), ("A,N", false), ("V", false), ("V,A", false), ("", false)])
    func statusOfGLL(_ flags: String, _ isValid: Bool) {
        #expect(decode(sentence("GPGLL,4717.10,N,00833.91,E,120000,\(flags)")).epochs.isEmpty == !isValid)
    }

    @Test(
        arguments: [
            ("N", nil), ("NN", nil), ("NNNN", nil), ("", nil), ("A", .autonomous), ("NNA", .autonomous),
            ("AD", .differential),
            ("DA", .differential), ("RF", .rtkFixed), ("FR", .rtkFixed), ("ANNE", .autonomous), ("EN", .estimated),
            ("S", .simulated),
        ] as [(String, FixQuality?)])
    func modesOfGNS(_ modes: String, _ quality: FixQuality?) {
        let decoded = decode(sentence("GNGNS,120000,4717.10,N,00833.91,E,\(modes),14,0.9,499.6,48.0,,,V"))
        #expect(decoded.epochs.map(\.quality) == (quality.map { [$0] } ?? []))
        #expect(decoded.epochs.first?.altitude == (quality == nil ? nil : 499.6))
        #expect(decoded.epochs.first?.ellipsoidalAltitude == (quality == nil ? nil : 547.6))
    }

    @Test func theQualityOfGGAGoesBeforeTheModeOfOthers() {
        let decoded = decode(
            sentences(
                "GPRMC,120000,A,4717.10,N,00833.91,E,0.5,77.5,150624,,,D",
                "GNGNS,120000,4717.10,N,00833.91,E,DD,14,0.9,499.6,48.0,,",
                "GPGGA,120000,4717.10,N,00833.91,E,4,08,1.0,499.6,M,48.0,M,,"))
        #expect(decoded.epochs.map(\.quality) == [.rtkFixed])
    }

    @Test(arguments: [
        "GPGLL,9000.0001,N,00833.91,E,120000,A", "GPGLL,9100.0,N,00833.91,E,120000,A",
        "GPGLL,4760.0,N,00833.91,E,120000,A",
        "GPGLL,4717.1,N,18000.0001,E,120000,A", "GPGLL,4717.1,N,99999.0,E,120000,A",
        "GPRMC,120000,A,9999.9,N,00833.91,E,,,150624,,,A",
        "GPGGA,120000,8960.0,N,00833.91,E,1,08,1.0,499.6,M,48.0,M,,",
    ])
    func positionsThatAreNotOnTheGlobeAreDropped(_ body: String) {
        let decoded = decode(sentence(body))
        #expect(decoded.epochs.isEmpty)
        #expect(decoded.counts.outOfRange == 1)
    }

    /// Attack: a device that poses as a receiver sends a date so late that every following fix is older.
    @Test(arguments: ["010170", "311279", "020456"])
    func datesThatCannotBeAreDropped(_ date: String) throws {
        let decoded = decode(
            sentence("GPRMC,120000,A,4717.1,N,00833.9,E,,,150624,,,A")
                + sentence("GPRMC,120001,A,4717.1,N,00833.9,E,,,\(date),,,A")
                + sentence("GPRMC,120002,A,4717.1,N,00833.9,E,,,150624,,,A"))
        #expect(decoded.epochs.map(\.timeOfDay) == [43_200_000, 43_202_000])
        #expect(decoded.counts.outOfRange == 1)
        #expect(decode(sentence("GPRMC,120000,A,4717.1,N,00833.9,E,,,010456,,,A")).epochs.count == 1)
    }

    /// Attack: a speed so high that the device could have gone anywhere since the last fix.
    @Test(arguments: [("2332", true), ("2333", false), ("971922246.2", false)])
    func aSpeedThatCannotBeIsLeftOutWithItsCourse(_ knots: String, isPossible: Bool) throws {
        let text = sentence("GPRMC,120000,A,4717.1,N,00833.9,E,\(knots),90.0,150624,,,A")
        let epoch = try #require(decode(text).epochs.first)
        #expect((epoch.speed != nil) == isPossible)
        #expect((epoch.course != nil) == isPossible)
        #expect(isPossible || epoch.speedAccuracy == nil && epoch.courseAccuracy == nil)
    }

    @Test(
        arguments: [
            ("9000.0000,N,18000.0000,E", 90, 180), ("9000,S,18000,W", -90, -180), ("0000.0,N,00000.0,E", 0, 0),
            ("4717.112671,S,00833.914843,W", -47.28521118333333, -8.56524738333333),
        ] as [(String, Double, Double)])
    func positionsOnTheGlobe(_ position: String, _ latitude: Double, _ longitude: Double) throws {
        let epoch = try #require(decode(sentence("GPGLL,\(position),120000,A")).epochs.first)
        #expect(abs(epoch.latitude - latitude) < 1e-13)
        #expect(abs(epoch.longitude - longitude) < 1e-13)
    }

    @Test(arguments: [
        "GPGLL,4717.1,X,00833.91,E,120000,A", "GPGLL,4717.1,,00833.91,E,120000,A", "GPGLL,47a7.1,N,00833.91,E,120000,A",
        "GPGLL,4717.1,N,-0833.91,E,120000,A", "GPGLL,4717.1,N,,E,120000,A", "GPRMC,120000,A", "GPGGA,120000,,,,,1,08",
    ])
    func unreadablePositionsAreDropped(_ body: String) {
        let decoded = decode(sentence(body))
        #expect(decoded.epochs.isEmpty)
        #expect(decoded.counts.malformed == 1)
    }

    @Test func anUnreadableTimeMakesNoEpoch() {
        let decoded = decode(sentence("GPGLL,4717.1,N,00833.91,E,250000,A"))
        #expect(decoded.epochs.isEmpty && decoded.counts.malformed == 1)
    }

    @Test func theDatumIsMarked() {
        let fix = "GPGLL,4717.1,N,00833.91,E,12000"
        let decoded = decode(
            sentences(
                "GPDTM,W84,,0.0,N,0.0,E,0.0,W84", fix + "1,A", "GPDTM,999,CH95,,,,,,W84", fix + "2,A",
                "PGRMM,WGS 84", fix + "3,A", "PGRMM,NAD27 Alaska", fix + "4,A"))
        #expect(decoded.epochs.map(\.datum?.name) == [nil, "999", nil, "NAD 27"])
    }
}
