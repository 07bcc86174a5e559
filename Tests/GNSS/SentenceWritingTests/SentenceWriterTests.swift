import LocationModel
import SentenceWriting
import Testing

@Suite struct SentenceWriterTests {
    @Test(arguments: [
        (0, "010170", "000000.00"), (951_782_399_990, "280200", "235959.99"), (951_868_800_000, "010300", "000000.00"),
        (1_709_164_800_000, "290224", "000000.00"), (-1, "311269", "235959.99"),
    ])
    func datesAndTimes(milliseconds: Int64, date: String, time: String) {
        let timestamp = Timestamp(millisecondsSince1970: milliseconds)
        #expect(SentenceWriter.date(timestamp) == date)
        #expect(SentenceWriter.time(timestamp) == time)
    }

    @Test(arguments: [
        (0.0, "0000.00000,N", "00000.00000,E"), (-9.999_999_999, "1000.00000,S", "01000.00000,W"),
        (48.117_301_666_7, "4807.03810,N", "04807.03810,E"), (90, "9000.00000,N", "09000.00000,E"),
    ])
    func angles(degrees: Double, latitude: String, longitude: String) {
        #expect(SentenceWriter.latitude(degrees) == latitude)
        #expect(SentenceWriter.longitude(degrees) == longitude)
    }

    @Test(arguments: [
        (0.0, 1, "0.0"), (-0.04, 1, "0.0"), (-1.25, 2, "-1.25"), (12.999, 2, "13.00"), (1e300, 0, "1000000000000000"),
    ])
    func numbers(value: Double, decimals: Int, text: String) {
        #expect(SentenceWriter.decimal(value, decimals: decimals) == text)
    }
}
