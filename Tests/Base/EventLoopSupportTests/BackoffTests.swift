import EventLoopSupport
import Testing

@Suite struct BackoffTests {
    @Test func eachWaitIsTwiceAsLongUpToABound() {
        var backoff = Backoff()
        #expect((0..<8).map { _ in backoff.next() } == [0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 5, 5])
        backoff.reset()
        #expect(backoff.next() == 0.1)
    }
}
