import Logging
import NIOCore
import NIOEmbedded
import TestSupport
import Testing

@testable import LocationCore

/// The lines about desktops that turn location services off and on.
@Suite struct DesktopSwitchLogTests {
    private let loop = EmbeddedEventLoop()
    private let lines = RecordedLines()
    private let log: DesktopSwitchLog

    init() {
        let lines = lines
        log = DesktopSwitchLog(on: loop, log: Logger(label: "test") { _ in RecordingLog(lines) })
    }

    @Test func aUserWhoTurnsTheSwitchIsLoggedAtOnce() {
        log.report(isOn: false, for: 1000)
        log.report(isOn: false, for: 1001)
        #expect(lines.all == Array(repeating: "info: a desktop turns its user's location services off", count: 2))
        loop.advanceTime(by: .minutes(2))
        log.report(isOn: true, for: 1000)
        #expect(lines.all.count == 3)
        #expect(lines.all.last == "info: a desktop turns its user's location services on again")
    }

    /// Attack: a program without a grant registers as an agent and changes its level ten times a second, for an hour.
    @Test func aSwitchThatIsTurnedAllTheTimeHasALineAMinute() {
        for change in 0..<36_000 {
            log.report(isOn: change % 2 == 1, for: 1000)
            loop.advanceTime(by: .milliseconds(100))
        }
        log.report(isOn: false, for: 1000)
        loop.advanceTime(by: .minutes(1))
        #expect((60...63).contains(lines.all.count))
        // The last line says what holds.
        let last =
            "info: a desktop has turned its user's location services off or on within a minute (changes: 1): they are off"
        #expect(lines.all.last == last)
        loop.advanceTime(by: .hours(1))
        #expect(lines.all.last == last)
    }

    /// Attack: a user with a range of subordinate user ids turns the switch of each of them.
    @Test func manyUsersShareALine() {
        for minute in 0..<3 {
            for uid in UInt32(100_000)..<165_536 { log.report(isOn: minute % 2 == 1, for: uid) }
            loop.advanceTime(by: .minutes(1))
        }
        #expect(lines.all.count <= 4 * (DesktopSwitchLog.maximumUsers + 1))
        #expect(lines.all.contains("info: desktops have turned location services off or on for more users"))
    }
}
