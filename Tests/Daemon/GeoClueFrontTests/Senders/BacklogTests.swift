import Testing

@testable import GeoClueFront

@Suite struct BacklogTests {
    @Test func aConnectionThatReadsIsNeverHeldUp() {
        var backlog = Backlog()
        for _ in 0..<1000 {
            backlog.sent(1000)
            if backlog.needsCheck {
                backlog.beginCheck()
                backlog.sent(10_000)
                backlog.checked(0)
            }
            #expect(!backlog.isFull && !backlog.isPostponed)
        }
    }

    /// Attack: an app reads nothing.
    @Test func aConnectionThatReadsNothing() {
        var backlog = Backlog()
        var (sent, checks) = (0, 0)
        while !backlog.isClosed {
            backlog.sent(100)
            sent += 100
            guard backlog.needsCheck else { continue }
            backlog.beginCheck()
            checks += 1
            backlog.checked(sent)
            #expect(backlog.isPostponed)
        }
        #expect(checks == 1)
        #expect(Backlog.limit < sent && sent <= Backlog.limit + 100)
        backlog.checkAgain()
        #expect(backlog.needsCheck)
        backlog.beginCheck()
        backlog.checked(100)
        #expect(!backlog.isFull && !backlog.isPostponed, "it has read")
    }

    @Test func aBusThatDoesNotAnswerIsAskedAgainLater() {
        var backlog = Backlog()
        backlog.sent(Backlog.limit + 1)
        backlog.beginCheck()
        backlog.checked(nil)
        #expect(backlog.isClosed && backlog.isPostponed)
    }

    /// The answer says nothing about messages sent after the question.
    @Test func whatWasSentSinceTheQuestionCounts() {
        var backlog = Backlog()
        backlog.sent(Backlog.limit)
        backlog.beginCheck()
        backlog.sent(Backlog.maximumSize + 1)
        #expect(backlog.isClosed && !backlog.needsCheck)
        backlog.checked(0)
        #expect(backlog.isFull && !backlog.isClosed && backlog.needsCheck)
    }
}
