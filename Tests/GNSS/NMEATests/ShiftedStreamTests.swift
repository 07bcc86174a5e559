import Corpus
import TestSupport
import Testing

@testable import NMEA

/// Recordings with shifted positions and dates.
@Suite struct ShiftedStreamTests {
    private static let logs = Corpus.own.logs + (Corpus.recorded?.logs ?? []) + (Corpus.recordedFrames?.logs ?? [])
    /// 10° to the south, 40.0005° to the east, 100 weeks earlier.
    private static let shift = PositionShift(latitude: -20_000, longitude: 80_001, weeks: 100)

    private func moved(_ bytes: [UInt8], by shift: PositionShift = shift, anonymous: Bool = false) -> [UInt8] {
        var stream = ShiftedStream(isAnonymous: anonymous) { _ in shift }
        return stream.move(bytes) + stream.finish()
    }

    private func moved(_ text: String, anonymous: Bool = false) -> String {
        String(decoding: moved(Array(text.utf8), anonymous: anonymous), as: UTF8.self)
    }

    /// The shifted log has the same fixes, apart from the shift, and the same counts.
    @Test(arguments: logs) func everyLogDecodesToTheSame(_ log: Log) throws {
        let bytes = try log.bytes()
        let shifted = moved(bytes)
        #expect(shifted.count == bytes.count)
        let (before, after) = (decodeOnce(bytes), decodeOnce(shifted))
        try #require(before.epochs.count == after.epochs.count)
        var (latitudes, longitudes) = (Set<Int64>(), Set<Int64>())
        for (a, b) in zip(before.epochs, after.epochs) {
            #expect(a.timeOfDay == b.timeOfDay)
            #expect(a.altitude == b.altitude && a.ellipsoidalAltitude == b.ellipsoidalAltitude)
            #expect(a.speed == b.speed && a.course == b.course && a.quality == b.quality)
            #expect(a.horizontalAccuracy == b.horizontalAccuracy && a.satellitesUsed == b.satellitesUsed)
            if let time = a.millisecondsSince1970, let later = b.millisecondsSince1970 {
                #expect(time - later == 700 * Calendar.millisecondsPerDay)
            }
            // The point at 0° and 0° means that there is no position.
            guard (a.latitude, a.longitude) != (0, 0) else { continue }
            latitudes.insert(Int64(((b.latitude - a.latitude) * 1e6).rounded()))
            longitudes.insert(
                Int64(((b.longitude - a.longitude + 720).truncatingRemainder(dividingBy: 360) * 1e6).rounded()))
        }
        #expect(latitudes.allSatisfy { abs($0 + 10_000_000) < 120 }, "\(latitudes)")
        #expect(longitudes.allSatisfy { abs($0 - 40_000_500) < 120 }, "\(longitudes)")
        let (a, b) = (before.counts, after.counts)
        #expect(a.sentences == b.sentences && a.frames == b.frames && a.checksumErrors == b.checksumErrors)
        #expect(a.unknownKinds == b.unknownKinds && a.missingChecksums == b.missingChecksums)
        #expect(before.satellites == after.satellites)
    }

    @Test(arguments: logs) func theWayALogIsCutDoesNotMatter(_ log: Log) throws {
        let bytes = try log.bytes()
        var (stream, random) = (ShiftedStream(isAnonymous: true) { _ in Self.shift }, SeededRandom(seed: 7))
        var (pieces, rest) = ([UInt8](), bytes[...])
        while !rest.isEmpty {
            let piece = rest.prefix(Int.random(in: 1...300, using: &random))
            rest = rest.dropFirst(piece.count)
            pieces += stream.move(Array(piece))
        }
        pieces += stream.finish()
        #expect(pieces == moved(bytes, anonymous: true))
    }

    @Test func aSentenceKeepsItsWidthsAndHasARightChecksum() {
        let log = sentences(
            "GPRMC,120000.00,A,4807.0380,N,01131.0000,E,022.4,084.4,230326,003.1,W,A",
            "GPGGA,120000.00,4807.0380,N,01131.0000,E,1,08,0.9,545.4,M,46.9,M,,0120")
        #expect(
            moved(log)
                == sentences(
                    "GPRMC,120000.00,A,3807.0380,N,05131.0300,E,022.4,084.4,220424,003.1,W,A",
                    "GPGGA,120000.00,3807.0380,N,05131.0300,E,1,08,0.9,545.4,M,46.9,M,,0000"))
        #expect(
            moved(log, anonymous: true).contains("220424,000.0,W,A*")
                && moved(log, anonymous: true).contains("M,00.0,M"))
    }

    @Test func hemispheresAndTheDateLine() {
        let log = sentence("GPGLL,0507.04,N,17131.00,E,120000,A")
        #expect(moved(log) == sentence("GPGLL,0452.96,S,14828.97,W,120000,A"))
    }

    /// Attack: before the first fix, receivers send the place of their maker and the day of their firmware. Both are
    /// publicly known, so shifting them would reveal the shift.
    @Test func nothingKnownIsMoved() {
        let log = sentences(
            "GPRMC,000010.00,V,3723.2475,N,12158.3416,W,,,060180,,,N",
            "GPGGA,000010.00,3723.2475,N,12158.3416,W,0,00,,,M,,M,,",
            "GPGLL,3723.2475,N,12158.3416,W,000010.00,V,N", "GPZDA,000010.00,06,01,1980,00,00",
            "PUBX,00,000010.00,3723.2475,N,12158.3416,W,0,NF,9,9,0,0,0,,9,9,9,0,0,0",
            "PUBX,04,000010.00,060180,10.0,1,0,0,0,0",
            "GPGGA,000011.00,0000.0000,N,00000.0000,E,1,04,9,0,M,0,M,,")
        let shifted = moved(log + sentence("GPRMC,120000.00,A,4807.0380,N,01131.0000,E,022.4,084.4,060180,,,A"))
        #expect(!shifted.contains("3723") && !shifted.contains("12158") && !shifted.contains("2723"))
        #expect(
            shifted.contains(",V,0000.0000,N,00000.0000,W,,,000000,") && shifted.contains("GPZDA,000010.00,00,00,0000"))
        #expect(shifted.contains("$GPGGA,000011.00,0000.0000,N,00000.0000,E,1"))
        // The first day of GPS time is left as it is.
        #expect(shifted.contains("3807.0380,N,05131.0300,E,022.4,084.4,060180"))
    }

    /// Attack: a position passes in a sentence that the filter does not know.
    @Test(arguments: [
        "$GPRMB,A,0.66,L,003,004,4917.24,N,12309.57,W,001.3,052.5,000.5,V*20\r\n",
        "$GPWPL,4807.038,N,01131.000,E,WPTNME*5C\r\n",
        "!AIVDM,1,1,,A,14eG;o@034o8sd<L9i:a;WF>062D,0*7D\r\n",
        "$GPGGA,120000.00,4807.0380,N,01131.0000,E,1,08,0.9*00\r\n",
        "$PTNL,GGK,102939.00,051910,5000.97323841,N,00827.62010742,E,5,09,1.9*FF\r\n", "4807.0380,N,01131.0000,E\r\n",
        "{\"lat\":48.1173}\r\n", "#BESTNAVA,97;SOL_COMPUTED,48.11730000,11.51666667*dea8299f\r\n",
        "$GPGGA,4807.0380,N,011",
        "$GPGGA,4807.0380,N,01131.0000,E,1,08\r\n", "$4807.0380,N*4C\r\n",
    ])
    func whatIsNotKnownIsMasked(text: String) {
        let shifted = moved(text)
        #expect(shifted.utf8.count == text.utf8.count)
        let body = shifted.prefix { $0 != "*" }
        #expect(!body.contains { ("1"..."9").contains($0) }, "\(shifted)")
        for part in ["48", "4807", "4917", "5000", "1131", "2309", "4eG"] {
            #expect(!shifted.contains(part), "\(shifted)")
        }
        #expect(
            decodeOnce(Array(text.utf8)).counts.checksumErrors == decodeOnce(Array(shifted.utf8)).counts.checksumErrors)
    }

    @Test func aPositionWithoutAChecksumIsMoved() {
        #expect(
            moved("$GPRMC,120000.00,A,4807.0380,N,01131.0000,E,022.4,084.4,230326,,\r\n")
                == "$GPRMC,120000.00,A,3807.0380,N,05131.0300,E,022.4,084.4,220424,,\r\n")
    }

    private func frame(_ kind: UInt16, _ payload: [UInt8]) -> [UInt8] {
        let header = [
            0xB5, 0x62, UInt8(kind >> 8), UInt8(kind & 0xFF), UInt8(payload.count & 0xFF), UInt8(payload.count >> 8),
        ]
        let checked = (header + payload)
        let sum = UBXFrame.checksum(checked.span.bytes, 2, checked.count)
        return checked + [UInt8(sum & 0xFF), UInt8(sum >> 8)]
    }

    @Test func framesThatAreNotReadAreEmptied() {
        let unique = frame(0x2703, [1, 0, 0, 0, 9, 8, 7, 6, 5])
        let damaged = frame(0x0107, [UInt8](repeating: 7, count: 92)).dropLast() + [0]
        let version = frame(0x0A04, Array("EXT CORE 3.01".utf8))
        let shifted = moved(unique + version + damaged)
        #expect(shifted.starts(with: frame(0x2703, [UInt8](repeating: 0, count: 9)) + version))
        #expect(!shifted.suffix(damaged.count - 6).contains(7))
        #expect(decodeOnce(shifted).counts.checksumErrors == 1)
    }

    @Test func anonymousRemovesAnglesAndNumbers() {
        let log = sentences(
            "GPGSV,1,1,02,04,40,083,46,12,07,344,39", "GPTXT,01,01,02,HW UBX-M8030 SN=123A45",
            "PUBX,03,2,4,U,083,40,46,64,12,-,344,07,39,0",
            "GPTXT,01,01,02,ANTSTATUS=OK")
        #expect(moved(log) == log)
        #expect(
            moved(log, anonymous: true)
                == sentences(
                    "GPGSV,1,1,02,04,00,000,46,12,00,000,39", "GPTXT,01,01,02,HW XXX-X0000 SN=000X00",
                    "PUBX,03,2,4,U,000,00,46,64,12,-,000,00,39,0", "GPTXT,01,01,02,ANTSTATUS=OK"))
    }

    /// Attack: the latitude is recovered from a device that moves: its longitude grows by speed / cos(latitude). This works,
    /// whatever the shift, and locationctl(1) says so.
    @Test func aMovementStillTellsTheLatitude() {
        // 100 m/s to the east at 48.1173° N, for 60 s.
        let (metres, radius) = (6000.0, 6_378_137.0 / (1 - 0.00669438 * 0.5543).squareRoot())
        let degrees = metres / (radius * 0.667_628) * 180 / .pi
        let end = 31 + degrees * 60
        let log = sentences(
            "GPRMC,120000.00,A,4807.0380,N,01131.0000,E,194.384,090.0,230326,,,A",
            "GPRMC,120100.00,A,4807.0380,N,011\(String(Int(end * 1e4)).prefix(2)).\(String(Int(end * 1e4)).dropFirst(2)),E,194.384,090.0,230326,,,A"
        )
        let epochs = decodeOnce(Array(moved(log).utf8)).epochs
        let turned = (epochs[1].longitude - epochs[0].longitude) * .pi / 180
        #expect(abs(metres / (radius * turned) - 0.667_628) < 1e-3)
    }

    @Test func shiftsAreDrawnSoThatTheOutcomeSaysNothing() {
        var random = SeededRandom(seed: 3)
        for latitude in [-89.9, -33, 0, 48.1173, 89.9] {
            let outcomes = (0..<2000).map { _ in PositionShift.random(from: latitude, using: &random) }
            let latitudes = outcomes.map { latitude + Double($0.latitude) / 2000 }
            #expect(latitudes.allSatisfy { abs($0) <= 70.001 } && latitudes.min()! < -68 && latitudes.max()! > 68)
            #expect(outcomes.allSatisfy { (1...400).contains($0.weeks) && abs($0.longitude) <= 360_000 })
        }
    }

    @Test func noBytesAreTooMuch() {
        var random = SeededRandom(seed: 11)
        for _ in 0..<2000 {
            var bytes = (0..<Int.random(in: 0...400, using: &random)).map { _ in
                Bool.random(using: &random)
                    ? UInt8.random(in: 0x20...0x7E, using: &random)
                    : [0x24, 0x2C, 0x2A, 0x0D, 0x0A, 0xB5, 0x62, 1, 7, 0].randomElement(using: &random)!
            }
            if Bool.random(using: &random) { bytes = frame(UInt16.random(in: 0x0100...0x0140, using: &random), bytes) }
            #expect(moved(bytes, anonymous: true).count == bytes.count)
        }
    }
}
