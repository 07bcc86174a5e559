import NMEA
import TestSupport
import Testing

/// Headings of receivers with two antennas: UBX-NAV-RELPOSNED and Unicore's UNIHEADINGA.
@Suite struct TwoAntennaTests {
    /// The base moves (32), and the heading is valid (256), with a fix (1), corrections (2), a relative position (4)
    /// and resolved ambiguities (16).
    private static let movingBase: UInt32 = 311

    /// A base line of 1.2345 m with the direction 77.52345°, within 0.25°. pyubx2 reads these values from its frame.
    private struct RelativePosition {
        var flags = TwoAntennaTests.movingBase
        var length: Int32 = 123
        var tenths: Int8 = 45
        var heading: Int32 = 7_752_345
        var accuracy: UInt32 = 25_000
        var version: UInt8 = 1
        var size = 64

        var frame: [UInt8] {
            var payload = Payload(max(size, 64))
            payload.set(0, version)
            payload.set(2, UInt16(4095))
            payload.set(4, UInt32(123_456_000))
            payload.set(8, Int32(27))
            payload.set(12, Int32(120))
            payload.set(16, Int32(-3))
            payload.set(20, length)
            payload.set(24, heading)
            payload.set(35, tenths)
            payload.set(52, accuracy)
            payload.set(60, flags)
            return ubx(0x01_3C, Array(payload.bytes.prefix(size)))
        }
    }

    private func headings(_ change: (inout RelativePosition) -> Void) -> [Heading] {
        var position = RelativePosition()
        change(&position)
        let decoded = decode(position.frame)
        #expect(decoded.counts.frames == 1 && decoded.epochs.isEmpty)
        return decoded.headings
    }

    @Test func theFrameOfAMovingBase() throws {
        // As pyubx2 writes it.
        #expect(RelativePosition().frame.suffix(6) == [0x37, 0x01, 0, 0, 0x87, 0xCF])
        let heading = try #require(headings { _ in }.first)
        #expect(heading.trueHeading == 77.52345)
        #expect(heading.magneticHeading == nil)
        #expect(heading.accuracy == 0.25)
        #expect(!heading.simulated)
    }

    @Test(arguments: [0, 2, 5, 8] as [UInt32])
    func aMissingFlagMeansNoHeading(bit: UInt32) {
        #expect(headings { $0.flags &= ~(1 << bit) }.isEmpty)
    }

    /// An ordinary rover of a reference station, near or far, says in all other respects the same.
    @Test(arguments: [123, 1_234, 1_234_567] as [Int32])
    func aRoversBaseLineIsNoHeading(length: Int32) {
        #expect(
            headings {
                $0.flags &= ~32
                $0.length = length
            }.isEmpty)
    }

    @Test(arguments: [0, 8, 24] as [UInt32])
    func unresolvedAmbiguitiesGiveNone(solution: UInt32) {
        #expect(headings { $0.flags = $0.flags & ~24 | solution }.isEmpty)
    }

    @Test(
        arguments: [
            (30, 0, true), (29, 99, false), (30, -1, false), (2000, 0, true), (2000, 1, false), (1999, 99, true),
            (0, 0, false), (-123, 0, false), (.max, .max, false), (.min, .min, false),
        ] as [(Int32, Int8, Bool)])
    func onlyLengthsOfADevice(length: Int32, tenths: Int8, isHeading: Bool) {
        #expect(
            headings {
                $0.length = length
                $0.tenths = tenths
            }.isEmpty != isHeading)
    }

    @Test(
        arguments: [
            (0, 0), (35_999_999, 359.99999), (36_000_000, 0), (-1_000_000, 350), (.max, nil), (.min, nil),
        ] as [(Int32, Double?)])
    func theDirectionIsNormalized(heading: Int32, degrees: Double?) {
        #expect(headings { $0.heading = heading }.first?.trueHeading == degrees)
    }

    @Test(arguments: [0, 18_000_001, .max] as [UInt32])
    func animplausibleAccuracyIsUnknown(accuracy: UInt32) throws {
        let heading = try #require(headings { $0.accuracy = accuracy }.first)
        #expect(heading.accuracy == nil)
    }

    @Test func otherVersionsAreNotRead() {
        #expect(headings { $0.version = 0 }.isEmpty)
        #expect(headings { $0.version = 2 }.isEmpty)
        #expect(headings { $0.size = 40 }.isEmpty)
        #expect(headings { $0.size = 63 }.isEmpty)
    }

    // MARK: Unicore

    private static let header = "UNIHEADINGA,89,GPS,FINE,2190,365174000,0,0,18,16;"
    private static let tail = #"-0.9478,0.0000,0.8065,0.9881,"999",31,21,21,18,3,01,3,f3"#

    /// Returns a log with a correct checksum.
    private static func log(_ fields: String, end: String = "\r\n") -> String {
        let body = header + fields
        var sum: UInt32 = 0
        for byte in body.utf8 {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum >> 1 ^ (sum & 1 == 0 ? 0 : 0xEDB8_8320) }
        }
        let digits = String(sum, radix: 16)
        return "#\(body)*\(String(repeating: "0", count: 8 - digits.count))\(digits)\(end)"
    }

    @Test func theLogOfUnicore() throws {
        // The checksum is pyunigps's.
        let text = "#\(Self.header)SOL_COMPUTED,NARROW_INT,0.3718,67.0255,\(Self.tail)*61f8100c\r\n"
        #expect(text == Self.log("SOL_COMPUTED,NARROW_INT,0.3718,67.0255,\(Self.tail)"))
        let decoded = decode(text)
        let heading = try #require(decoded.headings.first)
        #expect(heading.trueHeading == 67.0255)
        #expect(heading.accuracy == 0.8065)
        #expect(decoded.counts.sentences == 1)
        #expect(decoded.counts.bytesSkipped == 0)
    }

    @Test(
        arguments: [
            ("SOL_COMPUTED,L1_INT,0.3718,67.0255", true), ("SOL_COMPUTED,WIDE_INT,19.9,67.0255", true),
            ("SOL_COMPUTED,NARROW_FLOAT,0.3718,67.0255", false), ("SOL_COMPUTED,NONE,0.3718,67.0255", false),
            ("SOL_COMPUTED,,0.3718,67.0255", false), ("SOL_COMPUTED,INT,0.3718,67.0255", false),
            ("INSUFFICIENT_OBS,NARROW_INT,0.3718,67.0255", false), ("SOL_COMPUTER,NARROW_INT,0.3718,67.0255", false),
            (",NARROW_INT,0.3718,67.0255", false), ("SOL_COMPUTED,NARROW_INT,20.1,67.0255", false),
            ("SOL_COMPUTED,NARROW_INT,0.0000,67.0255", false), ("SOL_COMPUTED,NARROW_INT,-1,67.0255", false),
            ("SOL_COMPUTED,NARROW_INT,nan,67.0255", false), ("SOL_COMPUTED,NARROW_INT,1e300,67.0255", false),
            ("SOL_COMPUTED,NARROW_INT,0.3718,", false), ("SOL_COMPUTED,NARROW_INT,0.3718,1e300", false),
            ("SOL_COMPUTED,NARROW_INT,0.3718,-inf", false), ("SOL_COMPUTED,NARROW_INT", false), ("", false),
        ])
    func onlyResolvedSolutionsOfADevice(fields: String, isHeading: Bool) {
        let decoded = decode(Self.log("\(fields),\(Self.tail)"))
        #expect(decoded.headings.isEmpty != isHeading)
        #expect(decoded.counts.sentences == 1)
    }

    /// A log that is damaged, cut off or of another kind is noise, and hides no sentence or frame behind it.
    @Test(
        arguments: [
            "#UNIHEADINGA", "#UNIHEADING2A,89,GPS;SOL_COMPUTED*00000000\r\n", "#", "##", "# GPGGA,1*00\r\n",
            log("SOL_COMPUTED,NARROW_INT,0.3718,67.0255").replacing("67", with: "68"),
            log("SOL_COMPUTED,NARROW_INT,0.3718,67.0255").replacing("\r\n", with: "\r"),
            "#" + log("SOL_COMPUTED,NARROW_FLOAT,0.3718,67.0255"), "#UNIHEADINGA,89,GPS;SOL_COMPUTED\r\n",
            "#UNIHEADINGA,89,GPS;" + String(repeating: "7,", count: 300), "#UNIHEADINGA,*zz\r\n",
            "#UNIHEADINGA,*", "#UNIHEADINGA,89\u{7F}", "#UNIHEADINGA,89;1*1234567", "#UNIHEADINGA,89;1*1234567g\r\n",
        ])
    func noiseHidesNothing(noise: String) {
        let fix = sentence("GPGGA,120000,4717.10,N,00833.91,E,1,08,1.0,499.6,M,48.0,M,,")
        let decoded = decode(Array(noise.utf8) + RelativePosition().frame + Array(noise.utf8) + Array(fix.utf8))
        #expect(decoded.epochs.count == 1)
        #expect(decoded.headings.filter { $0.trueHeading == 77.52345 }.count == 1)
    }

    @Test func logsAndSentencesAndFramesMix() {
        let log = Self.log("SOL_COMPUTED,NARROW_INT,0.3718,67.0255,\(Self.tail)")
        let fix = sentence("GPGGA,120000,4717.10,N,00833.91,E,1,08,1.0,499.6,M,48.0,M,,")
        let decoded = decode(Array((log + fix + log).utf8) + RelativePosition().frame + Array(log.utf8))
        #expect(decoded.headings.map(\.trueHeading) == [67.0255, 67.0255, 77.52345, 67.0255])
        #expect(decoded.epochs.count == 1)
        #expect(decoded.counts.sentences == 4 && decoded.counts.frames == 1)
    }

    /// In a recording with moved positions, the vector to a reference station does not lead to the receiver.
    @Test func movedRecordingsHideTheBase() {
        func moved(_ frame: [UInt8]) -> [UInt8] {
            var stream = ShiftedStream(isAnonymous: false) { _ in PositionShift(latitude: 2, longitude: 2, weeks: 1) }
            return stream.move(frame) + stream.finish()
        }
        let own = moved(RelativePosition().frame)
        #expect(decode(own).headings.map(\.trueHeading) == [77.52345])
        #expect(own[(6 + 8)..<(6 + 20)].allSatisfy { $0 == 0 })
        var rover = RelativePosition()
        rover.flags &= ~32
        #expect(moved(rover.frame) == ubx(0x01_3C, [UInt8](repeating: 0, count: 64)))
        #expect(!moved(Array(Self.log("SOL_COMPUTED").utf8)).contains(UInt8(ascii: "8")))
    }
}
