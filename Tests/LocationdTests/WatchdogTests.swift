import NIOCore
import NIOEmbedded
import Testing

@testable import LocationdCommand

/// When the service manager's watchdog is fed.
@Suite struct WatchdogTests {
    /// A loop that hangs feeds nothing, whatever other threads do.
    @Test func theWatchdogIsFedByTheLoop() {
        let loop = EmbeddedEventLoop()
        let told = Told()
        ServiceManager.watch(loop, each: .seconds(90)) { told.count += 1 }
        #expect(told.count == 0)
        loop.advanceTime(by: .seconds(90))
        #expect(told.count == 1)
        loop.advanceTime(by: .seconds(180))
        #expect(told.count == 3)
    }

    private final class Told: @unchecked Sendable {
        var count = 0
    }
}
