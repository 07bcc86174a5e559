import Testing

@testable import LogReport

struct HistogramTests {
    @Test func numbersBelow2048AreExact() {
        var histogram = Histogram()
        for number in 0..<2048 { histogram.add(Int64(number)) }
        #expect(histogram.quantile(0.5) == 1023)
        #expect(histogram.quantile(1) == 2047)
        #expect(histogram.count(above: 2000) == 47)
    }

    @Test(arguments: [2048, 2049, 4095, 4096, 5000, 123_456_789, Int64.max >> 1])
    func greaterNumbersAreExactToOnePartIn1024(_ number: Int64) throws {
        var histogram = Histogram()
        histogram.add(number)
        let found = try #require(histogram.quantile(0.5))
        #expect(found <= number && number <= Histogram.upperBound(number))
        #expect(Double(number - found) <= Double(number) / 1024)
        #expect(histogram.count(above: Histogram.upperBound(number)) == 0)
        #expect(histogram.count(above: found - 1) == 1)
    }

    @Test func nothingHasNoQuantile() {
        #expect(Histogram().quantile(0.5) == nil)
    }

    @Test func negativeNumbersCountAsZero() {
        var histogram = Histogram()
        histogram.add(-5)
        #expect(histogram.quantile(1) == 0)
    }
}
