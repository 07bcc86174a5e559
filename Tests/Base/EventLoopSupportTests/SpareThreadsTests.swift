import EventLoopSupport
import NIOPosix
import Testing

@Suite struct SpareThreadsTests {
    @Test func aThreadIsStartedOnlyIfNoneIsFree() {
        var threads = SpareThreads()
        #expect(!threads.hasStarted)
        let first = threads.borrow()
        let second = threads.borrow()
        #expect(threads.hasStarted)
        #expect(first !== second)
        threads.putBack(first)
        #expect(threads.borrow() === first)
        threads.putBack(first)
        threads.putBack(second)
        threads.end()
    }

    @Test func aBorrowedThreadRunsItsJobAfterTheLastOne() async throws {
        var threads = SpareThreads()
        let thread = threads.borrow()
        thread.submit { _ in }
        threads.putBack(thread)
        #expect(try await threads.borrow().runIfActive { 1 } == 1)
        threads.putBack(thread)
        threads.end()
    }
}
