import NIOCore
import NIOEmbedded
import Testing

@testable import LocationNMEACommand

/// What the service manager learns, and how often.
@Suite struct StatusReportTests {
    /// Attack: a reader connects and leaves without end.
    @Test func atMostOneASecond() {
        let loop = EmbeddedEventLoop()
        var reports: [String] = []
        let status = StatusReport(on: loop) { reports.append($0) }
        for second in 0..<3 {
            for reader in 0..<1000 {
                status.report("\(second): \(reader)")
                loop.advanceTime(by: .milliseconds(1))
            }
        }
        #expect(reports == ["0: 0", "0: 999", "1: 999", "2: 999"])
        loop.advanceTime(by: .seconds(9))
        // What comes later comes at once, and the same is not said twice.
        status.report("last")
        status.report("last")
        loop.advanceTime(by: .seconds(9))
        status.report("last")
        #expect(reports.dropFirst(4) == ["last"])
        try? loop.syncShutdownGracefully()
    }
}
