import Testing

@testable import Receivers

struct PowerCommandsTests {
    private static let ublox = PowerCommands(power: .ublox)
    private static let mtk = PowerCommands(power: .mtk)

    /// Byte strings as in the vendors' tools and manuals.
    @Test(arguments: [
        (ublox.setInterval(milliseconds: 1000), "B5 62 06 08 06 00 E8 03 01 00 01 00 01 39"),
        (ublox.setInterval(milliseconds: 200), "B5 62 06 08 06 00 C8 00 01 00 01 00 DE 6A"),
        (ublox.setInterval(milliseconds: 100), "B5 62 06 08 06 00 64 00 01 00 01 00 7A 12"),
        (ublox.standBy, "B5 62 02 41 08 00 00 00 00 00 02 00 00 00 4D 3B"),
        (ublox.wake, "FF FF FF FF FF FF FF FF"),
    ])
    func uBlox(bytes: [UInt8], expected: String) {
        let text = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }
        #expect(text.joined(separator: " ") == expected)
    }

    @Test(arguments: [
        (mtk.setInterval(milliseconds: 1000), "$PMTK220,1000*1F\r\n"),
        (mtk.setInterval(milliseconds: 200), "$PMTK220,200*2C\r\n"),
        (mtk.setInterval(milliseconds: 10_000), "$PMTK220,10000*2F\r\n"),
        (mtk.standBy, "$PMTK161,0*28\r\n"),
        (mtk.wake, "$PMTK000*32\r\n"),
    ])
    func mediaTek(bytes: [UInt8], expected: String) {
        #expect(String(decoding: bytes, as: UTF8.self) == expected)
    }

    @Test(
        arguments: [
            (nil, 1000, 1000), (1, 1000, 1000), (0.2, 200, 200), (0.2504, 250, 250), (15, 15_000, 10_000),
            (60, 60_000, 10_000), (180, 65_535, 10_000), (.infinity, 65_535, 10_000), (0, 100, 100), (-1, 100, 100),
            (-.infinity, 100, 100), (1e300, 65_535, 10_000), (.nan, 1000, 1000),
        ] as [(Double?, Int, Int)])
    func intervalsAreBroughtIntoTheReceiversRange(seconds: Double?, ublox: Int, mtk: Int) {
        #expect(Self.ublox.interval(seconds: seconds) == ublox)
        #expect(Self.mtk.interval(seconds: seconds) == mtk)
    }
}
