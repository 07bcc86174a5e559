import Testing

@testable import LocationModel

@Suite struct TimestampTests {
    @Test(arguments: [
        (0, "1970-01-01T00:00:00.000Z"),
        (1_426_699_166_000, "2015-03-18T17:19:26.000Z"),
        (951_782_399_999, "2000-02-28T23:59:59.999Z"),
        (951_782_400_000, "2000-02-29T00:00:00.000Z"),
        (-1, "1969-12-31T23:59:59.999Z"),
        (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
    ])
    func textAndBack(milliseconds: Int64, text: String) {
        #expect(Timestamp(millisecondsSince1970: milliseconds).description == text)
        #expect(Timestamp(text)?.millisecondsSince1970 == milliseconds)
    }

    @Test(arguments: [
        ("2015-03-18t18:19:26+01:00", "2015-03-18T17:19:26.000Z"),
        ("2015-03-18 17:19:26.5Z", "2015-03-18T17:19:26.500Z"),
        ("2016-12-31T23:59:60Z", "2017-01-01T00:00:00.000Z"),
        ("2015-03-18T17:19:26.1239999Z", "2015-03-18T17:19:26.123Z"),
    ])
    func otherWaysOfWriting(text: String, normal: String) {
        #expect(Timestamp(text)?.description == normal)
    }

    @Test(arguments: [
        "", "2015", "2015-03-18", "2015-03-18T17:19:26", "2015-13-18T17:19:26Z", "2015-02-29T17:19:26Z",
        "2015-03-18T24:00:00Z", "2015-03-18T17:19:26.Z", "2015-03-18T17:19:26Z ", "2015-03-18T17:19:26+25:00",
    ])
    func notATimestamp(text: String) {
        #expect(Timestamp(text) == nil)
    }

    @Test func yearsThatCannotBeWrittenAreClamped() {
        #expect(Timestamp(millisecondsSince1970: .max).description == "9999-12-31T23:59:59.999Z")
        #expect(Timestamp(millisecondsSince1970: .min).description == "0000-01-01T00:00:00.000Z")
    }
}
