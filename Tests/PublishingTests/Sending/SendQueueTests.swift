import Publishing
import Testing

/// The order in which reports are sent.
@Suite struct SendQueueTests {
    private typealias Request = SendQueue.LoadRequest

    private func entries(_ numbers: ClosedRange<Int64>) -> [QueuedReport] { numbers.map { Samples.entry($0) } }

    /// Returns a queue of a connection on which everything has been sent.
    private func drained(sendsState: Bool = true) -> SendQueue {
        var queue = SendQueue(window: 2, sendsState: sendsState)
        #expect(queue.connected() == [.load(Request(connection: 1, after: 0, count: 4))])
        #expect(queue.loaded([], newest: nil, for: Request(connection: 1, after: 0, count: 4)) == [])
        return queue
    }

    @Test func theNewestGoesFirstThenTheOldest() {
        var queue = SendQueue(window: 2, sendsState: true)
        _ = queue.connected()
        let actions = queue.loaded(
            entries(11...14), newest: Samples.entry(90), for: Request(connection: 1, after: 0, count: 4))
        #expect(
            actions == [
                .sendState(Samples.entry(90)), .send([Samples.entry(11)]), .send([Samples.entry(12)]),
            ])
        #expect(queue.awaitsAcknowledgement)
    }

    @Test func theWindowMovesWithTheAcknowledgements() {
        var queue = SendQueue(window: 2, sendsState: false)
        _ = queue.connected()
        _ = queue.loaded(entries(1...4), newest: nil, for: Request(connection: 1, after: 0, count: 4))
        #expect(
            queue.acknowledged(.report(1)) == [
                .delete(1), .send([Samples.entry(3)]), .load(Request(connection: 1, after: 4, count: 4)),
            ])
        #expect(queue.acknowledged(.report(2)) == [.delete(2), .send([Samples.entry(4)])])
        #expect(
            queue.loaded(entries(5...6), newest: nil, for: Request(connection: 1, after: 4, count: 4)) == [])
        #expect(queue.acknowledged(.report(3)) == [.delete(3), .send([Samples.entry(5)])])
        #expect(queue.acknowledged(.report(4)) == [.delete(4), .send([Samples.entry(6)])])
        #expect(queue.acknowledged(.report(5)) == [.delete(5)])
        #expect(queue.acknowledged(.report(6)) == [.delete(6)])
        #expect(!queue.awaitsAcknowledgement)
    }

    @Test func aReportThatIsStoredIsSentAtOnce() {
        var queue = drained()
        #expect(queue.stored(Samples.entry(1)) == [.sendState(Samples.entry(1)), .send([Samples.entry(1)])])
        #expect(queue.acknowledged(.state) == [])
        #expect(queue.acknowledged(.report(1)) == [.delete(1)])
    }

    /// A broker that is slow gets the newest location, not each one in between.
    @Test func statesInBetweenAreSkipped() {
        var queue = drained()
        _ = queue.stored(Samples.entry(1))
        #expect(queue.stored(Samples.entry(2)) == [.send([Samples.entry(2)])])
        #expect(queue.stored(Samples.entry(3)) == [])
        #expect(queue.acknowledged(.state) == [.sendState(Samples.entry(3))])
        #expect(queue.acknowledged(.state) == [])
    }

    @Test func aCrossingIsNoState() {
        var queue = drained()
        #expect(queue.stored(Samples.crossing(1)) == [.send([Samples.crossing(1)])])
    }

    @Test func whatExceedsTheMemoryStaysOnTheDisk() {
        var queue = drained(sendsState: false)
        for number in 1...20 { _ = queue.stored(Samples.entry(Int64(number))) }
        // Two are on their way, four are here, the others are read again.
        #expect(queue.acknowledged(.report(1)) == [.delete(1), .send([Samples.entry(3)])])
        #expect(queue.acknowledged(.report(2)) == [.delete(2), .send([Samples.entry(4)])])
        #expect(
            queue.acknowledged(.report(3)) == [
                .delete(3), .send([Samples.entry(5)]), .load(Request(connection: 1, after: 6, count: 4)),
            ])
    }

    @Test func whatIsNotAcknowledgedIsSentAgainInItsTurn() {
        var queue = SendQueue(window: 2, sendsState: false)
        _ = queue.connected()
        _ = queue.loaded(entries(1...3), newest: nil, for: Request(connection: 1, after: 0, count: 4))
        queue.disconnected()
        #expect(!queue.awaitsAcknowledgement)
        #expect(queue.stored(Samples.entry(4)) == [])
        #expect(queue.connected() == [.load(Request(connection: 2, after: 0, count: 4))])
        #expect(
            queue.loaded(entries(1...4), newest: nil, for: Request(connection: 2, after: 0, count: 4))
                == [.send([Samples.entry(1)]), .send([Samples.entry(2)])])
    }

    /// What was read for a connection that has ended would skip reports.
    @Test func aReadingForAnEarlierConnectionIsDropped() {
        var queue = SendQueue(window: 2, sendsState: false)
        _ = queue.connected()
        queue.disconnected()
        _ = queue.connected()
        #expect(queue.loaded(entries(8...9), newest: nil, for: Request(connection: 1, after: 7, count: 4)) == [])
        #expect(
            queue.loaded(entries(1...1), newest: nil, for: Request(connection: 2, after: 0, count: 4))
                == [.send([Samples.entry(1)])])
    }

    @Test(arguments: [SendQueue.Token.report(99), .announcement, .state])
    func anAcknowledgementOfNothing(_ token: SendQueue.Token) {
        var queue = drained()
        #expect(queue.acknowledged(token) == [])
    }

    // MARK: Several reports in a message

    private func batches(_ entries: [QueuedReport]) -> (SendQueue, [SendQueue.Action]) {
        var queue = SendQueue(window: 1, maximumBatch: 4, sendsState: false)
        #expect(queue.connected() == [.load(Request(connection: 1, after: 0, count: 8))])
        let actions = queue.loaded(entries, newest: nil, for: Request(connection: 1, after: 0, count: 8))
        return (queue, actions)
    }

    @Test func severalReportsAreOneMessage() {
        var (queue, actions) = batches(entries(1...6))
        #expect(actions == [.send(entries(1...4))])
        #expect(queue.acknowledged(.report(2)) == [])
        #expect(
            queue.acknowledged(.report(1))
                == [.delete(1), .delete(2), .delete(3), .delete(4), .send(entries(5...6))])
        #expect(queue.stored(Samples.entry(7)) == [])
        #expect(queue.acknowledged(.report(5)) == [.delete(5), .delete(6), .send(entries(7...7))])
    }

    @Test func aRefusedReportIsSetAside() {
        var (queue, _) = batches(entries(1...1))
        #expect(queue.refused(.report(1)) == [.setAside(1)])
        #expect(queue.refused(.report(1)) == [])
        #expect(!queue.awaitsAcknowledgement)
    }

    /// The third is at fault: the others arrive, in order.
    @Test func aReportThatIsAtFaultIsFound() {
        var (queue, _) = batches(entries(1...6))
        #expect(queue.refused(.report(1)) == [.send(entries(1...2))])
        #expect(queue.acknowledged(.report(1)) == [.delete(1), .delete(2), .send(entries(3...6))])
        #expect(queue.refused(.report(3)) == [.send(entries(3...4))])
        #expect(queue.refused(.report(3)) == [.send(entries(3...3))])
        #expect(queue.refused(.report(3)) == [.setAside(3), .send(entries(4...4))])
        #expect(queue.acknowledged(.report(4)) == [.delete(4), .send(entries(5...6))])
    }

    @Test func aRefusedStateIsDropped() {
        var queue = drained()
        _ = queue.stored(Samples.entry(1))
        #expect(queue.refused(.state) == [])
        #expect(queue.stored(Samples.entry(2)) == [.sendState(Samples.entry(2)), .send([Samples.entry(2)])])
    }
}
