import NIOCore
import NIOEmbedded
import Testing

@testable import ServiceSupport

/// The notifications to the service manager's watchdog.
@Suite struct WatchdogTests {
    /// A loop that hangs sends no notification, whatever other threads do.
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
