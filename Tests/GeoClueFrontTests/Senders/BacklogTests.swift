import LocationModel
import Testing

@testable import GeoClueFront

@Suite struct BacklogTests {
    @Test func aConnectionThatReadsIsNeverHeldUp() {
        var backlog = Backlog()
        for _ in 0..<1000 {
            backlog.sent(1000)
            if backlog.needsPing {
                backlog.pinged()
                backlog.sent(1000)
                backlog.answered(hasRead: true)
            }
            #expect(!backlog.isFull)
        }
    }

    /// Attack: an app reads nothing, or answers nothing.
    @Test func aConnectionThatReadsNothing() {
        var backlog = Backlog()
        var (sent, pings) = (0, 0)
        while !backlog.isClosed {
            backlog.sent(100)
            sent += 100
            if backlog.needsPing {
                backlog.pinged()
                pings += 1
            }
        }
        #expect(pings == 1)
        #expect(Backlog.limit < sent && sent <= Backlog.limit + 100)
        backlog.answered(hasRead: false)
        #expect(backlog.isClosed && backlog.needsPing, "asked again, and nothing is known")
    }

    /// The answer says nothing about what was sent after the call.
    @Test func whatWasSentSinceTheCallCounts() {
        var backlog = Backlog()
        backlog.sent(Backlog.limit)
        backlog.pinged()
        backlog.sent(Backlog.maximumSize + 1)
        #expect(backlog.isClosed)
        backlog.answered(hasRead: true)
        #expect(backlog.isFull && !backlog.isClosed)
    }

    @Test func theCallsUnderWayAreLimited() {
        var limit = PingLimit()
        let apps = (0..<10).map { AppKey(uid: 1000, app: AppIdentity("exe:/usr/bin/\($0)")!) }
        let admitted = (0..<3).flatMap { _ in apps }.filter { limit.enter($0) }
        #expect(admitted.count == PingLimit.maximumPerUser)
        let neighbour = limit.enter(AppKey(uid: 1001, app: apps[0].app))
        #expect(neighbour, "another user")
        for app in admitted { limit.leave(app) }
        let further = (0..<3).filter { _ in limit.enter(apps[9]) }
        #expect(further.count == PingLimit.maximumPerApp)
    }

    @Test func unsentMessages() {
        var unsent = UnsentMessages()
        for size in [5, 7, 11] { unsent.append(size) }
        unsent.keepLast(2)
        #expect(unsent.size == 18)
        unsent.keepLast(3)
        #expect(unsent.size == 18)
        unsent.keepLast(0)
        #expect(unsent.size == 0 && unsent.isEmpty)
    }
}
