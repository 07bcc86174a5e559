import NIOCore
import NIOEmbedded
import Testing

@testable import LocationService

/// The exit of an idle daemon, in virtual time.
@Suite struct IdleExitTests {
    private let loop = EmbeddedEventLoop()

    private final class Daemon {
        var isIdle = false
        var exits = 0
    }

    private func make(_ daemon: Daemon) -> IdleExit {
        IdleExit(after: .seconds(10), on: loop, isIdle: { daemon.isIdle }, onIdle: { daemon.exits += 1 })
    }

    @Test func onceAfterTheWholeTime() {
        let daemon = Daemon()
        let exit = make(daemon)
        exit.check()
        loop.advanceTime(by: .seconds(60))
        #expect(daemon.exits == 0)
        daemon.isIdle = true
        exit.check()
        loop.advanceTime(by: .seconds(9))
        exit.check()
        #expect(daemon.exits == 0)
        loop.advanceTime(by: .seconds(1))
        #expect(daemon.exits == 1)
        exit.check()
        loop.advanceTime(by: .seconds(60))
        #expect(daemon.exits == 1)
    }

    @Test func activityRestartsTheTime() {
        let daemon = Daemon()
        let exit = make(daemon)
        daemon.isIdle = true
        exit.check()
        loop.advanceTime(by: .seconds(9))
        daemon.isIdle = false
        exit.check()
        daemon.isIdle = true
        exit.check()
        loop.advanceTime(by: .seconds(9))
        #expect(daemon.exits == 0)
        loop.advanceTime(by: .seconds(1))
        #expect(daemon.exits == 1)
    }

    /// Work has begun without another call of `check()`.
    @Test func notWhenThereIsSomethingToDo() {
        let daemon = Daemon()
        let exit = make(daemon)
        daemon.isIdle = true
        exit.check()
        daemon.isIdle = false
        loop.advanceTime(by: .seconds(10))
        #expect(daemon.exits == 0)
    }

    @Test func stopped() {
        let daemon = Daemon()
        let exit = make(daemon)
        daemon.isIdle = true
        exit.check()
        exit.stop()
        exit.check()
        loop.advanceTime(by: .seconds(60))
        #expect(daemon.exits == 0)
    }
}
