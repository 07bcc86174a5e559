import LocationModel
import Testing

@testable import ReceiverSettings

/// The bytes of commands, as the makers' manuals and other programs have them.
struct FrameTests {
    private static func hex(_ text: String) -> [UInt8] {
        text.split(separator: " ").compactMap { UInt8($0, radix: 16) }
    }

    private static func written(
        _ dialect: any ReceiverDialect, _ wanted: WantedSetting, _ value: [Int], part: Int = 0
    ) -> [UInt8] {
        dialect.exchanges(for: wanted)[part].write(value)
    }

    private static let moment = FirstFixHelp.Time(Timestamp(millisecondsSince1970: 1_795_782_896_000), accuracy: 1)
    private static let place = FirstFixHelp.Position(latitude: 47.51, longitude: 8.74, altitude: 500, age: 0)!
    private static let m10 = UBloxDialect(version: 34.1, isUSB: false)
    private static let m8 = UBloxDialect(version: 18, isUSB: false)

    private static let frameTable: [([UInt8], String)] = [
        (
            written(m10, .interval(milliseconds: 200), [200, 1]).prefix(16) + [],
            "B5 62 06 8A 10 00 00 01 00 00 01 00 21 30 C8 00"
        ),
        (written(m10, .model(.automotive), [4]), "B5 62 06 8A 09 00 00 01 00 00 21 00 11 20 04 F0 4D"),
        (written(m10, .predictions, [1]), "B5 62 06 8A 09 00 00 01 00 00 01 00 23 10 01 CF C0"),
        (written(m10, .ubx, [1]), "B5 62 06 8A 09 00 00 01 00 00 07 00 91 20 01 53 48"),
        (written(m8, .interval(milliseconds: 200), [200, 1, 1]), "B5 62 06 08 06 00 C8 00 01 00 01 00 DE 6A"),
        (written(m8, .ubx, [1]), "B5 62 06 01 03 00 01 07 01 13 51"),
        (m10.standby[0].command, "B5 62 02 41 10 00 00 00 00 00 00 00 00 00 06 00 00 00 08 00 00 00 61 6B"),
        (IdentityQuestion.ublox.bytes(in: .ublox), "B5 62 0A 04 00 00 0E 34"),
        (
            m8.help(time: moment)?.frame ?? [],
            "B5 62 13 40 18 00 10 00 00 80 EA 07 0B 1B 0C 22 38 00 00 00 00 00 01 00 00 00 00 00 00 00 79 78"
        ),
        (
            written(CASICDialect(), .interval(milliseconds: 200), [200]),
            "BA CE 04 00 06 04 C8 00 00 00 CC 00 06 04"
        ),
        (written(SkyTraqDialect(), .interval(milliseconds: 200), [200]), "A0 A1 00 03 0E 05 00 0B 0D 0A"),
    ]

    @Test(arguments: frameTable)
    func frames(bytes: [UInt8], expected: String) {
        #expect(bytes == Self.hex(expected))
    }

    private static let sentenceTable: [([UInt8], String)] = [
        (written(MediaTekDialect(), .interval(milliseconds: 200), [200]), "$PMTK220,200*2C"),
        (written(MediaTekDialect(), .predictions, [1]), "$PMTK869,1,1*35"),
        (MediaTekDialect().standby[0].command, "$PMTK161,0*28"),
        (written(AirohaDialect(), .interval(milliseconds: 200), [200]), "$PAIR050,200*21"),
        (written(AirohaDialect(), .predictions, [1]), "$PAIR490,1*2A"),
        (AirohaDialect().standby[0].command, "$PAIR003*39"),
        (AirohaDialect().start ?? [], "$PAIR002*38"),
        (IdentityQuestion.sentences.bytes(in: .casic), "$PCAS06,0*1B"),
        (IdentityQuestion.sentences.bytes(in: .stm), "$PSTMGETSWVER,255*17"),
        (IdentityQuestion.sentences.bytes(in: .mtk), "$PMTK605*31"),
        (
            TeseoDialect().help(time: moment)?.frame ?? [],
            "$PSTMINITTIME,27,11,2026,12,34,56*11"
        ),
        (MediaTekDialect().help(time: moment)?.frame ?? [], "$PMTK740,2026,11,27,12,34,56*35"),
        (AirohaDialect().help(time: moment)?.frame ?? [], "$PAIR590,2026,11,27,12,34,56*32"),
        (
            MediaTekDialect().help(position: place, time: moment)?.frame ?? [],
            "$PMTK741,47.497500,8.760178,500,2026,11,27,12,34,56*16"
        ),
        (
            TeseoDialect().help(position: place, time: moment)?.frame ?? [],
            "$PSTMINITGPS,4729.85000,N,00845.61066,E,0500,27,11,2026,12,34,56*59"
        ),
    ]

    @Test(arguments: sentenceTable)
    func sentences(bytes: [UInt8], expected: String) {
        #expect(String(decoding: bytes, as: UTF8.self) == expected + "\r\n")
    }
}
