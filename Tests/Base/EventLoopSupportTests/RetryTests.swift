import EventLoopSupport
import NIOCore
import NIOEmbedded
import Testing

@Suite struct RetryTests {
    @Test func theDelayGrowsUntilAnAttemptSucceeds() {
        let loop = EmbeddedEventLoop()
        let retry = Retry(Backoff(first: 1, greatest: 4), on: loop)
        var delays: [Int] = []
        for seconds in [1, 2, 4, 4, 1] {
            if delays.count == 4 { retry.succeeded() }
            retry.schedule { delays.append(seconds) }
            loop.advanceTime(by: .seconds(Int64(seconds)) - .nanoseconds(1))
            #expect(retry.isScheduled)
            loop.advanceTime(by: .nanoseconds(1))
            #expect(!retry.isScheduled)
        }
        #expect(delays == [1, 2, 4, 4, 1])
        try? loop.syncShutdownGracefully()
    }

    @Test func aCancelledAttemptIsNotMade() {
        let loop = EmbeddedEventLoop()
        let retry = Retry(Backoff(first: 1, greatest: 1), on: loop)
        var attempts = 0
        retry.schedule { attempts += 1 }
        retry.cancel()
        #expect(!retry.isScheduled)
        loop.advanceTime(by: .seconds(2))
        #expect(attempts == 0)
        try? loop.syncShutdownGracefully()
    }

    @Test func aFurtherAttemptTakesThePlaceOfTheScheduledOne() {
        let loop = EmbeddedEventLoop()
        let retry = Retry(Backoff(first: 1, greatest: 1), on: loop)
        var attempts: [String] = []
        retry.schedule { attempts.append("first") }
        retry.schedule { attempts.append("second") }
        loop.advanceTime(by: .seconds(2))
        #expect(attempts == ["second"])
        try? loop.syncShutdownGracefully()
    }
}
