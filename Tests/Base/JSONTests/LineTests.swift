import Foundation
import JSON
import TestSupport
import Testing

/// Numbers with a fixed number of decimals, and values on lines of their own.
struct LineTests {
    private func text(_ value: Double, decimals: Int) -> String {
        var writer = JSONWriter()
        writer.value(value, decimals: decimals)
        return writer.text
    }

    @Test(
        arguments: [
            (0, 1, "0.0"), (-0.0, 3, "0.000"), (0.05, 3, "0.050"), (-0.05, 3, "-0.050"), (0.0004, 3, "0.000"),
            (-0.0004, 3, "0.000"), (9.9996, 3, "10.000"), (47.5, 9, "47.500000000"),
            (-179.999999999, 9, "-179.999999999"),
            (99.99, 2, "99.99"), (1e15, 1, "1000000000000000.0"), (999_999, 9, "999999.000000000"),
            (12345.678, 4, "12345.6780"),
        ] as [(Double, Int, String)]) func decimals(value: Double, decimals: Int, expected: String)
    {
        #expect(text(value, decimals: decimals) == expected)
    }

    @Test func numbersThatJSONDoesNotHave() {
        #expect(text(.nan, decimals: 3) == "null" && text(.infinity, decimals: 3) == "null")
        var writer = JSONWriter()
        writer.beginObject()
        writer.field("a", .nan, decimals: 3)
        writer.field("b", nil, decimals: 3)
        writer.field("c", 1, decimals: 3)
        writer.endObject()
        #expect(writer.text == #"{"c":1.000}"#)
    }

    /// The text equals that of printf(3), for numbers that are not half way between two texts.
    @Test(arguments: 1...5 as ClosedRange<UInt64>) func asPrintf(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        for _ in 0..<5000 {
            let decimals = Int.random(in: 1...9, using: &random)
            let value = Double(Int.random(in: -1_000_000_000...1_000_000_000, using: &random)) / 7 / 1000
            let expected = String(format: "%.\(decimals)f", value)
            guard Double(expected) != 0 else { continue }
            #expect(text(value, decimals: decimals) == expected, "seed \(seed)")
        }
    }

    @Test func lines() {
        var writer = JSONWriter()
        writer.value(true)
        writer.endLine()
        writer.beginArray()
        writer.value(1 as Int64)
        writer.value("2")
        writer.endArray()
        writer.endLine()
        #expect(writer.text == "true\r\n[1,\"2\"]\r\n")
    }

    @Test(arguments: [0, 7, -10, 1_234_567_890, .max, .min] as [Int64])
    func integers(_ value: Int64) {
        var writer = JSONWriter()
        writer.value(value)
        #expect(writer.text == String(value))
    }

    @Test func plainText() {
        var writer = JSONWriter()
        writer.beginArray()
        writer.value(plain: [UInt8]("a b".utf8).span)
        writer.value(plain: [UInt8]().span)
        writer.endArray()
        #expect(writer.text == #"["a b",""]"#)
    }
}
