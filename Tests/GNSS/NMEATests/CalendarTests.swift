import Testing

@testable import NMEA

@Suite struct CalendarTests {
    @Test(
        arguments: [
            (1970, 1, 1, 0), (2000, 2, 29, 11016), (2000, 3, 1, 11017), (1980, 1, 6, 3657), (2019, 4, 7, 17993),
            (2100, 3, 1, 47541),
        ] as [(Int, Int, Int, Int32)])
    func days(_ year: Int, _ month: Int, _ day: Int, _ days: Int32) {
        #expect(Calendar.days(year: year, month: month, day: day) == days)
    }

    @Test(arguments: [
        (2019, 2, 29), (2100, 2, 29), (2020, 4, 31), (2020, 13, 1), (2020, 0, 1), (2020, 1, 0), (0, 1, 1),
        (1969, 12, 31),
        (9999, 1, 1),
    ])
    func nonexistentDays(_ year: Int, _ month: Int, _ day: Int) {
        #expect(Calendar.days(year: year, month: month, day: day) == nil)
    }

    @Test func twoDigitYears() {
        #expect(Calendar.days(ddmmyy: 010180) == Calendar.days(year: 1980, month: 1, day: 1))
        #expect(Calendar.days(ddmmyy: 311299) == Calendar.days(year: 1999, month: 12, day: 31))
        #expect(Calendar.days(ddmmyy: 010100) == Calendar.days(year: 2000, month: 1, day: 1))
        #expect(Calendar.days(ddmmyy: 311279) == Calendar.days(year: 2079, month: 12, day: 31))
    }

    @Test func differencesGoTheShortWay() {
        #expect(Calendar.difference(0, 86_399_000) == 1000)
        #expect(Calendar.difference(86_399_000, 0) == -1000)
        #expect(Calendar.sameMoment(86_399_995, 2))
        #expect(!Calendar.sameMoment(0, 20))
    }
}
