import NIOCore
import Testing

@testable import LocationCore

/// The refused connections that are logged.
@Suite struct RefusalLogTests {
    private func moment(_ seconds: Int64) -> NIODeadline { .uptimeNanoseconds(0) + .seconds(1000) + .seconds(seconds) }

    @Test func oneLineAMinuteForEachUserAndReason() {
        var log = RefusalLog()
        #expect(
            log.line(for: "executableReplaced", uid: 1000, at: moment(0)) == "refused a connection: executableReplaced")
        #expect(log.line(for: "executableReplaced", uid: 1001, at: moment(0)) != nil)
        #expect(log.line(for: "processGone", uid: 1000, at: moment(0)) != nil)
        for _ in 0..<240_000 { #expect(log.line(for: "executableReplaced", uid: 1000, at: moment(59)) == nil) }
        #expect(
            log.line(for: "executableReplaced", uid: 1000, at: moment(60))
                == "refused a connection: executableReplaced (and 240000 more like it since the last such line)")
        #expect(log.line(for: "executableReplaced", uid: 1000, at: moment(61)) == nil)
        #expect(log.line(for: "executableReplaced", uid: 1000, at: moment(600))?.contains("and 1 more") == true)
        #expect(log.line(for: "executableReplaced", uid: 1000, at: moment(6000))?.contains("more") == false)
    }

    /// Attack: a user with a range of subordinate user ids connects as each of them.
    @Test func manyUsersShareALine() {
        var log = RefusalLog()
        var lines = 0
        for minute in 0..<3 {
            for uid in UInt32(100_000)..<165_536
            where log.line(for: "processGone", uid: uid, at: moment(60 * Int64(minute))) != nil {
                lines += 1
            }
        }
        #expect(lines <= 3 * (RefusalLog.maximumSubjects + 1))
        #expect(log.line(for: "processGone", uid: 1, at: moment(1000)) != nil)
    }
}
