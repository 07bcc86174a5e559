import Testing

@testable import LocationModel

/// Numbers with zeros before them.
@Suite struct PaddedNumberTests {
    @Test(arguments: [(0, 1, "0"), (0, 3, "000"), (7, 2, "07"), (42, 2, "42"), (1234, 2, "1234"), (5, 0, "5")])
    func zerosFillTheDigits(number: Int, count: Int, text: String) {
        #expect(number.padded(to: count) == text)
    }

    @Test func anotherRadix() {
        #expect(0o660.padded(to: 4, radix: 8) == "0660")
        #expect(0xAB.padded(to: 4, radix: 16) == "00ab")
        #expect(0xA.padded(to: 2, radix: 16, uppercase: true) == "0A")
    }
}
