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
        ] as [(String, Int64, Int)])
    func decimalsAreExact(_ text: String, _ mantissa: Int64, _ scale: Int) {
        let number = field(text) { $0.decimal($1) }
        #expect(number == FixedPoint(mantissa: mantissa, scale: scale))
    }

    @Test(arguments: [
        "", "-", "+", ".", "1.2.3", "1-2", "12a", "a", " 1", "--1", "0x1F", "1e5", "12345678.1234567.8",
        "12345678901234567", "nan", "1234567:", "/123456",
    ])
    func invalidDecimalsAreRejected(_ text: String) {
        #expect(field(text) { $0.decimal($1) }.isNone)
    }

    @Test(arguments: ["", ".", "1.", "-1", "+1", "1a", "123456789", "/", ":"])
    func invalidIntegersAreRejected(_ text: String) {
        #expect(field(text) { $0.integer($1) } == nil)
    }

    @Test func shortNumbers() {
        for number in 0...999 { #expect(field(String(number)) { $0.small($1) } == number) }
        for text in ["", "1234", "1.", "-1", "1a", "/", ":", "a12"] { #expect(field(text) { $0.small($1) } == -1) }
    }

    @Test(
        arguments: [
            ("000000", 0), ("235959", 86_399_000), ("235959.9", 86_399_900), ("120000.05", 43_200_050),
            ("120000.123", 43_200_123), ("120000.12399", 43_200_123), ("120000.", 43_200_000),
            ("235960.00", 86_399_990), ("115960.5", 43_200_500),
        ] as [(String, Int32)])
    func times(_ text: String, _ milliseconds: Int32) {
        #expect(field(text) { $0.time($1) } == milliseconds)
    }

    @Test(arguments: [
        "", "12000", "240000", "126000", "120061", "12:00:00", "120000,5", "120000-5", "12000a", "120000.x",
    ])
    func invalidTimesAreRejected(_ text: String) {
        #expect(field(text) { $0.time($1) } == nil)
    }

    @Test(
        arguments: [
            ("4807.038", 2_887_038_000_000), ("00000.0000", 0), ("17959.999999999", 10_799_999_999_999),
            ("0000.000000001", 1), ("4134.49821229", 2_494_498_212_290), ("4717", 2_837_000_000_000),
            ("0007.12345678901", 7_123_456_789),
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
        guard case .intact(let sentence, _) = Sentence.scan(bytes.span.bytes, from: 0) else {
            Issue.record("not intact")
            return
        }
        #expect(sentence.integer(13, bytes.span.bytes) == 12_345_678)
        #expect(sentence.length(14) == 0)
        #expect(sentence.length(47) == 0)
        #expect(sentence.count == 14)
    }
}
