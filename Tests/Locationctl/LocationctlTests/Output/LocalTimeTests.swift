import LocationModel
import Testing

@testable import LocationctlSupport

/// Times as users see them.
@Suite struct LocalTimeTests {
    private let midnight = Timestamp("2026-11-26T23:30:59.250Z")!

    @Test(arguments: [
        (0, "UTC", "2026-11-26 23:30"), (3600, "CET", "2026-11-27 00:30"), (-12_600, "NST", "2026-11-26 20:00"),
        (45_900, "+1245", "2026-11-27 12:15"),
    ])
    func theSameMomentInZones(offset: Int, name: String, text: String) {
        let time = LocalTime(zone: .fixed(offset: offset, name: name))
        #expect(time.minute(midnight) == text)
        #expect(time.second(midnight) == text + ":59")
        #expect(time.timeOfDay(midnight) == text.suffix(5) + ":59.250")
        #expect(time.minuteAndZone(midnight) == "\(text) \(name)")
        #expect(time.heading("SINCE", [midnight, midnight]) == "SINCE (\(name))")
    }

    @Test func timesThatCannotBeShifted() {
        let time = LocalTime(zone: .fixed(offset: 3600, name: "CET"))
        #expect(time.minute(Timestamp(millisecondsSince1970: .max)) == "9999-12-31 23:59")
        #expect(time.minute(Timestamp(millisecondsSince1970: .min)) == "0000-01-01 00:00")
        #expect(LocalTime.machine.name(at: Timestamp(millisecondsSince1970: .max)).isEmpty == false)
        #expect(time.heading("UNTIL", []) == "UNTIL")
    }
}
