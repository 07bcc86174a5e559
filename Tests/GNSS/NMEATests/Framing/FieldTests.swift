import TestSupport
import Testing

@testable import NMEA

/// Numbers, coordinates and times in the fields of sentences.
@Suite struct FieldTests {
    private func field<T>(_ text: String, _ read: (Field, RawSpan) -> T) -> T {
        let bytes = Array("#".utf8) + Array(text.utf8) + Array(",*\r\n0123456789ABCDEF0123".utf8)
        return read(Field(start: 1, length: text.utf8.count), bytes.span.bytes)
    }

    @Test(
        arguments: [
            ("0", 0, 0), ("1", 1, 0), ("12345678", 12_345_678, 0), ("123456789", 123_456_789, 0),
            ("1234567890123456", 1_234_567_890_123_456, 0), ("1.5", 15, 1), (".5", 5, 1), ("5.", 5, 0),
            ("000.06702", 6702, 5), ("12345678.12345", 1_234_567_812_345, 5),
            ("1234567.1234567", 12_345_671_234_567, 7),
            ("12345678901.2345", 123_456_789_012_345, 4), ("-0028", -28, 0), ("-1.25", -125, 2), ("+108", 108, 0),
            ("99.99", 9999, 2), ("0.00000000000001", 1, 14), (".000000000000001", 1, 15),
            ("5.0999999999999996", 50_999_999_999_999_996, 16), ("84.400000000000006", 84_400_000_000_000_006, 15),
            ("4807.038123456789012345", 48_070_381_234_567_890, 13), ("00000000000000000022.4", 224, 1),
            ("12345678901234567", 12_345_678_901_234_567, 0), ("-545.40000000000003", -54_540_000_000_000_003, 14),
            ("1e5", 100_000, 0), ("1.5E+2", 150, 0), ("2.5e-1", 25, 2), ("-1E-3", -1, 3), ("1e-400", 0, 18),
            ("0e9", 0, 0), ("9.9999999999999998e-1", 99_999_999_999_999_998, 17),
        ] as [(String, Int64, Int)])
    func decimalsAreExact(_ text: String, _ mantissa: Int64, _ scale: Int) {
        let number = field(text) { $0.decimal($1) }
        #expect(number == FixedPoint(mantissa: mantissa, scale: scale))
    }

    @Test(arguments: [
        "", "-", "+", ".", "1.2.3", "1-2", "12a", "a", " 1", "--1", "0x1F", "1e", "1e+", "e5", "1e5.0", "1e1e1",
        "12345678.1234567.8", "123456789012345678", "1e17", "1e99999999999999999999", "nan", "inf", "1234567:",
        "/123456",
    ])
    func invalidDecimalsAreRejected(_ text: String) {
        #expect(field(text) { $0.decimal($1) }.isNone)
    }

    /// Programs compute with doubles, and print them so that they can be read back.
    @Test func aPrintedDoubleIsReadBack() {
        var random = SeededRandom(seed: 41)
        for index in 0..<20_000 {
            let number = Double.random(in: 0.0625..<(index % 2 == 0 ? 10 : 99_999), using: &random)
            #expect(field("\(number)") { $0.decimal($1) }.scaled() == number, "\(number)")
        }
    }

    @Test(arguments: [("08.0", 8), ("8.", 8), ("0000000008", 8), ("2.3E1", 23)])
    func unusualIntegers(_ text: String, _ number: Int) {
        #expect(field(text) { $0.integer($1) } == number)
        #expect(field(text) { $0.small($1) } == number)
    }

    @Test(arguments: ["", ".", "1.5", "-1", "+1", "1a", "123456789", "/", ":", "1e9"])
    func invalidIntegersAreRejected(_ text: String) {
        #expect(field(text) { $0.integer($1) } == nil)
    }

    @Test func shortNumbers() {
        for number in 0...999 { #expect(field(String(number)) { $0.small($1) } == number) }
        for text in ["", "1.2", "-1", "1a", "/", ":", "a12"] { #expect(field(text) { $0.small($1) } == -1) }
    }

    @Test(
        arguments: [
            ("000000", 0), ("235959", 86_399_000), ("235959.9", 86_399_900), ("120000.05", 43_200_050),
            ("120000.123", 43_200_123), ("120000.12399", 43_200_123), ("120000.", 43_200_000),
            ("235960.00", 86_399_990), ("115960.5", 43_200_500), ("120000.00000000001", 43_200_000),
            ("90000", 32_400_000), ("90000.5", 32_400_500), ("1.2E5", 43_200_000),
            ("010000.0000000000000000001", 3_600_000),
        ] as [(String, Int32)])
    func times(_ text: String, _ milliseconds: Int32) {
        #expect(field(text) { $0.time($1) } == milliseconds)
    }

    @Test(arguments: [
        "", "1200", "1200.00", "500.25", "240000", "1200000", "-120000", "1e17", "126000", "120061", "12:00:00",
        "120000,5", "120000-5",
        "12000a", "120000.x",
    ])
    func invalidTimesAreRejected(_ text: String) {
        #expect(field(text) { $0.time($1) } == nil)
    }

    @Test(
        arguments: [
            ("4807.038", 2_887_038_000_000), ("00000.0000", 0), ("17959.999999999", 10_799_999_999_999),
            ("0000.000000001", 1), ("4134.49821229", 2_494_498_212_290), ("4717", 2_837_000_000_000),
            ("0007.12345678901", 7_123_456_789), ("01131.123456789012", 691_123_456_789),
            ("4807.0381234567890123", 2_887_038_123_456), ("4.807038E3", 2_887_038_000_000),
        ] as [(String, Int64)])
    func anglesKeepEveryDigit(_ text: String, _ nanominutes: Int64) {
        #expect(field(text) { $0.angle($1) } == nanominutes)
    }

    @Test(arguments: ["8960.0000", "4799.9", "100000.0", "123456789012345"])
    func impossibleAnglesAreBeyondEveryRange(_ text: String) {
        #expect(field(text) { $0.angle($1) } == .max)
    }

    @Test func degreesAreTheNearestDouble() {
        #expect(Coordinate(nanominutes: 2_887_038_000_000).degrees == 48.1173)
        #expect(Coordinate(nanominutes: -5_400_000_000_000).degrees == -90)
        #expect(Coordinate(nanominutes: 2_494_498_212_290).degrees == 2_494_498_212_290.0 / 60e9)
    }

    @Test func sumsAreExact() {
        let sum = FixedPoint(mantissa: 4999, scale: 1).adding(FixedPoint(mantissa: -48, scale: 0))
        #expect(sum.scaled() == 451.9)
        #expect(FixedPoint.none.adding(sum).isNone)
        let large = FixedPoint(mantissa: 9_999_999_999_999_999, scale: 0)
        #expect(large.adding(FixedPoint(mantissa: 1, scale: 15)).isNone)
    }

    @Test func fieldsBehindTheReachAreEmpty() {
        let body = "PXYZ" + String(repeating: ",12345678", count: 20)
        let bytes = Array(sentence(body).utf8) + Array(repeating: 0x20, count: 32)
        guard case .intact(let sentence, _) = Sentence.scan(bytes.span.bytes, from: 0, to: bytes.count) else {
            Issue.record("not intact")
            return
        }
        #expect(sentence.integer(13, bytes.span.bytes) == 12_345_678)
        #expect(sentence.length(14) == 0)
        #expect(sentence.length(47) == 0)
        #expect(sentence.count == 14)
    }
}
