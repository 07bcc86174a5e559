import Testing

@testable import NMEA

/// Positions on another datum than WGS 84.
@Suite struct DatumTests {
    private func epoch(_ datum: String) -> Epoch? {
        decode(
            sentences(datum, "GPGGA,120000,4807.0380,N,01131.0000,E,1,08,0.9,545.4,M,46.9,M,,")
        ).epochs.first
    }

    @Test(
        arguments: [
            ("GPDTM,W84,,0.0,N,0.0,E,0.0,W84", nil, 4.5), ("PGRMM,WGS 84", nil, 4.5), ("PGRMM,WGS84", nil, 4.5),
            ("GPDTM,NAS,C,0.0,N,0.0,E,0.0,W84", "NAD 27", 179.5), ("PGRMM,NAD27 CONUS", "NAD 27", 179.5),
            ("GPDTM,EUR,M,,,,,,W84", "ED 50", 194.5), ("PGRMM,European 1950", "ED 50", 194.5),
            ("GPDTM,TOY,,,,,,,W84", "Tokyo", 654.5), ("PGRMM,TOKYO", "Tokyo", 654.5),
            ("GPDTM,OGB,,,,,,,", "OSGB 36", 154.5), ("PGRMM,Ord Srvy GB", "OSGB 36", 154.5),
            ("GPDTM,PUK,,,,,,,W84", "Pulkovo 1942", 154.5), ("PGRMM,S-42 (Pulkovo 1942)", "Pulkovo 1942", 154.5),
            ("GPDTM,W72,,,,,,,W84", "WGS 72", 24.5), ("GPDTM,NAR,,,,,,,W84", "NAD 83", 6.5),
            ("GPDTM,P90,,0.0,N,0.0,E,0.0,P90", "PZ-90", 14.5), ("GPDTM,999,CH95,,,,,,W84", "999", 1004.5),
            ("PGRMM,Adindan", "unknown", 1004.5), ("GPDTM,a\u{7f}\u{1},,,,,,,W84", "unknown", 1004.5),
        ] as [(String, String?, Double)])
    func theAccuracyIsWidenedByTheShift(_ sentence: String, _ name: String?, _ accuracy: Double) {
        let epoch = epoch(sentence)
        #expect(epoch?.datum?.name == name)
        #expect(epoch?.horizontalAccuracy == accuracy)
        #expect(epoch?.latitude == 48.1173, "nothing is converted")
        #expect((epoch?.ellipsoidalAltitude == nil) == (name != nil), "it is above another ellipsoid")
    }

    /// A position on the local datum is the one on WGS 84 plus the offsets (NMEA 0183 v4.11, DTM).
    @Test func theReceiversOwnOffsetsAreApplied() {
        let swiss = epoch("GPDTM,999,CH95,0.0800,N,0.0700,E,-47.7,W84")
        #expect(swiss?.datum == nil)
        #expect(swiss?.exactLatitude == Coordinate(nanominutes: 2_887_038_000_000 - 80_000_000))
        #expect(swiss?.exactLongitude == Coordinate(nanominutes: 691_000_000_000 - 70_000_000))
        // Half of the last digit, 0.19 m.
        #expect(swiss?.horizontalAccuracy.map { abs($0 - 4.5 - 0.13) < 0.01 } == true)
        let south = epoch("GPDTM,EUR,M,0.05,S,0.06,W,0.0,W84")
        #expect(south?.exactLatitude == Coordinate(nanominutes: 2_887_038_000_000 + 50_000_000))
        #expect(south?.exactLongitude == Coordinate(nanominutes: 691_000_000_000 + 60_000_000))
        #expect(south?.horizontalAccuracy.map { abs($0 - 4.5 - 13.1) < 0.1 } == true)
    }

    /// Attack: a device on the wire moves the machine to another place, using an offset that belongs to no datum.
    @Test(arguments: [
        "GPDTM,999,,2.0,N,0.0,E,0.0,W84", "GPDTM,999,,0.0,N,60.0,W,0.0,W84", "GPDTM,999,,0.1,N,1e9,W,0.0,W84",
        "GPDTM,999,,0.1,N,0.1,W,0.0,TOY", "GPDTM,999,,x,N,0.1,W,0.0,W84",
    ])
    func absurdOffsetsAreNotApplied(_ sentence: String) {
        let epoch = epoch(sentence)
        #expect(epoch?.latitude == 48.1173 && epoch?.horizontalAccuracy == 1004.5 && epoch?.datum != nil)
    }

    @Test func movedPositionsStayOnTheGlobe() {
        let datum = "GPDTM,999,,1.9,S,1.9,W,0.0,W84"
        let east = decode(sentences(datum, "GPGLL,4717.1,N,17959.5,E,120000,A")).epochs.first
        #expect(east.map { $0.longitude < -179.9 } == true)
        let pole = decode(sentences(datum, "GPGLL,8959.5,N,00833.91,E,120000,A"))
        #expect(pole.epochs.isEmpty && pole.counts.outOfRange == 1)
    }
}
