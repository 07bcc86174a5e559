import Testing

@testable import LocationctlSupport

/// The map of the accuracy below the last line of `watch`.
@Suite struct AccuracyMapLineTests {
    private static let clear = "\r\u{1B}[K"
    private static let plain = TerminalCapabilities(hasColour: false)
    private static let ascii = TerminalCapabilities(hasColour: false, hasUnicode: false)

    @Test func theScale() {
        for (metres, mark) in [
            (0.2, "●────────|────────|────────|────────|"), (10, "|────────●────────|────────|────────|"),
            (3.16, "|───●────|────────|────────|────────|"), (5000, "|────────|────────|────────|─────●──|"),
            (1e9, "|────────|────────|────────|────────●"),
        ] {
            var line = AccuracyMapLine(Self.plain)
            #expect(line.shown(metres, columns: 80).contains("1 m \(mark) 10 km"), "\(metres)")
        }
        var line = AccuracyMapLine(Self.ascii)
        #expect(line.shown(10, columns: 80) == "accuracy ~10.0 m  1 m |--------*--------|--------|--------| 10 km  _")
    }

    @Test func itIsClearedOnce() {
        var line = AccuracyMapLine(Self.plain)
        #expect(line.cleared().isEmpty)
        _ = line.shown(4, columns: 80)
        #expect(line.cleared() == Self.clear)
        #expect(line.cleared().isEmpty)
        for unknown in [nil, Double.nan, .infinity, -1] {
            #expect(line.shown(unknown, columns: 80).isEmpty)
            #expect(line.cleared().isEmpty, "nothing is there")
        }
    }

    @Test func itFitsAnyWindow() {
        for capabilities in [Self.plain, Self.ascii] {
            var line = AccuracyMapLine(capabilities)
            for columns in 1...300 {
                let text = line.shown(columns % 2 == 0 ? 3 : .greatestFiniteMagnitude, columns: columns)
                #expect(DisplayText.columns(text) < max(2, columns), "\(columns): \(text)")
            }
        }
    }

    @Test func howItWent() {
        var line = AccuracyMapLine(Self.plain)
        _ = line.shown(20, columns: 100)
        _ = line.shown(10, columns: 100)
        #expect(line.shown(6, columns: 100).hasSuffix("10 km  █▃▁"))
        for _ in 0..<100 { _ = line.shown(6, columns: 300) }
        #expect(line.shown(6, columns: 300).hasSuffix("10 km  " + String(repeating: "▁", count: 30)))
    }
}
