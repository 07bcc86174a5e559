import LocationModel
import NMEA
import SentenceWriting
import Testing

/// The sentences say the same as the location: the decoder of the daemon's receivers reads them back.
@Suite struct LocationSentencesTests {
    private static let time = Timestamp("2026-06-01T12:05:07.250Z")!

    private static var full: Location {
        var location = Location(timestamp: time, latitude: -33.856_789, longitude: 151.215_123)
        location.horizontalAccuracy = 3.02
        location.verticalAccuracy = 4.97
        location.altitude = 58.25
        location.ellipsoidalAltitude = 80.75
        location.speed = 12.5
        location.course = 359.9
        location.quality = .rtkFloat
        location.satellitesUsed = 14
        location.horizontalDilution = 0.71
        location.correctionAge = 2
        return location
    }

    private func epochs(_ bytes: [UInt8]) -> [Epoch] {
        var decoder = NMEADecoder()
        var epochs: [Epoch] = []
        var offset = 0
        while let event = decoder.next(in: bytes.span.bytes, at: &offset) ?? decoder.flush() {
            if case .epoch(let epoch) = event { epochs.append(epoch) }
        }
        #expect(decoder.counts.checksumErrors == 0)
        return epochs
    }

    private func lines(_ bytes: [UInt8]) -> [String] {
        String(decoding: bytes, as: UTF8.self).split(separator: "\r\n").map { String($0.dropLast(3)) }
    }

    @Test func allSentencesOfALocationMakeUpOneEpoch() throws {
        let location = Self.full
        let read = epochs(LocationSentences(LocationSentences.Kind.allCases, talker: "GN").bytes(of: location))
        let epoch = try #require(read.first)
        #expect(read.count == 1)
        #expect(epoch.millisecondsSince1970 == location.timestamp.millisecondsSince1970)
        #expect(abs(epoch.latitude - location.latitude) < 1e-7 && abs(epoch.longitude - location.longitude) < 1e-7)
        #expect(epoch.altitude == 58.25 && epoch.ellipsoidalAltitude == 80.75)
        #expect(abs((epoch.speed ?? 0) - 12.5) < 0.001 && epoch.course == 359.9)
        #expect(epoch.quality == .rtkFloat && epoch.satellitesUsed == 14 && epoch.hdop == 0.71)
        #expect(epoch.correctionAge == 2)
        #expect(abs((epoch.horizontalAccuracy ?? 0) - 3.02) < 0.02)
        #expect(abs((epoch.verticalAccuracy ?? 0) - 4.97) < 0.02)
    }

    @Test func centimetresFitIntoASentence() throws {
        var location = Self.full
        (location.latitude, location.longitude) = (-33.856_789_123, 151.215_123_456)
        (location.altitude, location.ellipsoidalAltitude) = (58.254, 80.754)
        (location.horizontalAccuracy, location.verticalAccuracy, location.quality) = (0.014, 0.02, .rtkFixed)
        let bytes = LocationSentences([.rmc, .gga, .gll, .gst], talker: "GN").bytes(of: location)
        let epoch = try #require(epochs(bytes).first)
        // 1e-8 degrees are a millimetre.
        #expect(abs(epoch.latitude - location.latitude) < 1e-8 && abs(epoch.longitude - location.longitude) < 1e-8)
        #expect(epoch.altitude == 58.254 && epoch.quality == .rtkFixed)
        #expect(abs((epoch.horizontalAccuracy ?? 0) - 0.014) < 0.001)
        // NMEA 0183, version 4.11: 82 characters with the end of the line.
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\r\n") { #expect(line.utf8.count <= 80) }
    }

    @Test func theSentencesAreThoseThatWereAskedForInTheirOrder() {
        let written = lines(LocationSentences([.zda, .vtg, .gll], talker: "II").bytes(of: Self.full))
        #expect(
            written == [
                "$IIZDA,120507.25,01,06,2026,00,00", "$IIVTG,359.9,T,,M,24.298,N,45.000,K,F",
                "$IIGLL,3351.40734,S,15112.90738,E,120507.25,A,F",
            ])
    }

    /// Unknown values leave their fields empty.
    @Test func whatIsNotKnownIsEmpty() {
        let location = Location(timestamp: Self.time, latitude: 1, longitude: 2)
        let written = lines(LocationSentences(LocationSentences.Kind.allCases).bytes(of: location))
        #expect(
            written == [
                "$GPRMC,120507.25,A,0100.00000,N,00200.00000,E,,,010626,,,A",
                "$GPGGA,120507.25,0100.00000,N,00200.00000,E,1,,,,M,,M,,",
                "$GPGLL,0100.00000,N,00200.00000,E,120507.25,A,A", "$GPVTG,,T,,M,,N,,K,A",
                "$GPGSA,A,2,,,,,,,,,,,,,,,", "$GPGSV,1,1,00", "$GPGST,120507.25,,,,,,,",
                "$GPZDA,120507.25,01,06,2026,00,00",
            ])
    }

    @Test func withoutAFixThereIsNone() {
        let bytes = LocationSentences(LocationSentences.Kind.allCases).bytesWithoutFix()
        #expect(epochs(bytes).isEmpty)
        #expect(lines(bytes).count == 8)
        #expect(lines(bytes).first == "$GPRMC,,V,,,,,,,,,,N")
    }

    /// Attack: a receiver reports values that no field can hold. They end up in another field, or cause a crash.
    @Test(arguments: [Double.nan, .infinity, -.infinity, 1e300, -1e300, .leastNonzeroMagnitude])
    func valuesThatNoFieldHolds(value: Double) {
        var location = Self.full
        location.altitude = value
        location.speed = value
        location.course = value
        location.horizontalAccuracy = value
        location.verticalAccuracy = value
        location.horizontalDilution = value
        location.correctionAge = value
        location.satellitesUsed = .max
        for line in lines(LocationSentences(LocationSentences.Kind.allCases).bytes(of: location)) {
            #expect(line.utf8.count < 82 && !line.contains("n,") && !line.contains("e"), "\(line)")
        }
    }

    @Test(arguments: [
        (Int64(0), "01,01,1970"), (951_782_400_000, "29,02,2000"), (4_102_444_799_999, "31,12,2099"),
        (4_107_542_400_000, "01,03,2100"),
    ])
    func theYearHasFourDigits(milliseconds: Int64, date: String) {
        let location = Location(timestamp: Timestamp(millisecondsSince1970: milliseconds), latitude: 0, longitude: 0)
        let line = lines(LocationSentences([.zda]).bytes(of: location))[0]
        #expect(line.hasSuffix(",\(date),00,00"), "\(line)")
    }
}
