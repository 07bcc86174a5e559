import NMEA
import Testing

/// The accuracies at 68 %, calculated by hand.
@Suite struct AccuracyTests {
    private func fix(_ quality: String, _ bodies: String..., hdop: String = "1.5") -> Epoch? {
        let gga = "GPGGA,120000,4717.10,N,00833.91,E,\(quality),08,\(hdop),499.6,M,48.0,M,,"
        return decode(([gga] + bodies).map { sentence($0) }.joined()).epochs.first
    }

    private func isNear(_ a: Double?, _ b: Double) -> Bool {
        a.map { abs($0 - b) < 1e-9 } ?? false
    }

    @Test(arguments: [
        ("1", 7.5), ("2", 3), ("3", 3), ("4", 0.03), ("5", 0.75), ("6", 30), ("8", 7.5),
    ])
    func byDilution(_ quality: String, _ metres: Double) throws {
        let epoch = try #require(fix(quality, "GPGSA,A,3,01,,,,,,,,,,,,3.0,1.5,3.0"))
        #expect(isNear(epoch.horizontalAccuracy, metres))
        #expect(isNear(epoch.verticalAccuracy, metres * 2))
    }

    @Test func nothingIsKnown() throws {
        #expect(try #require(fix("1", hdop: "99.99")).horizontalAccuracy == nil)
        #expect(try #require(fix("7")).horizontalAccuracy == nil)
        #expect(try #require(fix("6", hdop: "")).horizontalAccuracy == 20)
        #expect(try #require(fix("1")).verticalAccuracy == nil)
        #expect(try #require(fix("1")).speedAccuracy == nil)
    }

    @Test func aHeightThatIsAssumedHasNoAccuracy() throws {
        #expect(try #require(fix("1", "GPGSA,A,2,01,,,,,,,,,,,,3.0,1.5,3.0")).verticalAccuracy == nil)
    }

    @Test func byGST() throws {
        let ellipse = try #require(fix("1", "GPGST,120000,1.2,2.0,1.0,45.0,1.6,1.6,3.0"))
        #expect(isNear(ellipse.horizontalAccuracy, 2 * (0.9945 + 0.515 / 4)))
        #expect(isNear(ellipse.verticalAccuracy, 3 * 0.9945))
        let circle = try #require(fix("1", "GPGST,120000,1.2,,,,2.0,2.0,3.0"))
        #expect(isNear(circle.horizontalAccuracy, 2 * 1.5095))
        let empty = try #require(fix("1", "GPGST,120000,,,,,,,"))
        #expect(empty.horizontalAccuracy == 7.5)
        let zeros = try #require(fix("1", "GPGST,120000,0,0,0,0,0,0,0"))
        #expect(zeros.horizontalAccuracy == 7.5)
        let ofAnotherEpoch = try #require(fix("1", "GPGST,115959,1.2,2.0,1.0,45.0,1.6,1.6,3.0"))
        #expect(ofAnotherEpoch.horizontalAccuracy == 7.5)
    }

    @Test func byOtherSentences() throws {
        let faults = try #require(fix("1", "GPGBS,120000,2.0,2.0,3.0,,,,"))
        #expect(isNear(faults.horizontalAccuracy, 2 * 1.5095))
        #expect(isNear(faults.verticalAccuracy, 3 * 0.9945))
        let garmin = try #require(fix("1", "PGRME,10.0,M,20.0,M,22.0,M"))
        #expect(isNear(garmin.horizontalAccuracy, 12.82))
        #expect(isNear(garmin.verticalAccuracy, 29.48))
        let unknown = try #require(fix("1", "PGRME,0.00,M,0.00,M,29.40,M"))
        #expect(unknown.horizontalAccuracy == 7.5)
        let ublox = try #require(
            fix("1", "PUBX,00,120000,4717.10,N,00833.91,E,547.6,G3,2.1,2.9,0.007,77.52,0.007,,0.92,1.19,0.77,9,0,0"))
        #expect(isNear(ublox.horizontalAccuracy, 2.1))
        #expect(isNear(ublox.verticalAccuracy, 2.9))
        let both = try #require(fix("1", "GPGBS,120000,2.0,2.0,3.0,,,,", "GPGST,120000,1.2,,,,4.0,4.0,6.0"))
        #expect(isNear(both.horizontalAccuracy, 4 * 1.5095))
    }

    @Test func speedAndCourse() throws {
        let fast = try #require(fix("1", "GPVTG,77.5,T,,M,,N,36.0,K,A", hdop: "1.0"))
        #expect(isNear(fast.speed, 10))
        #expect(isNear(fast.speedAccuracy, 0.15))
        // The arctangent of 0.015 is 0.8594 degrees.
        #expect(abs((fast.courseAccuracy ?? 0) - 0.8594) < 0.25)
        let slow = try #require(fix("1", "GPVTG,77.5,T,,M,,N,0.36,K,A", hdop: "1.0"))
        #expect(isNear(slow.speed, 0.1))
        #expect(slow.courseAccuracy == nil)
    }
}
