import Publishing
import TestSupport
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

    // MARK: A server that fails

    /// A server that fails at certain reports, or at all for some connections.
    private struct FailingServer {
        var poison: Set<Int64> = []
        /// The numbers of the connections on which it fails at everything.
        var isDown: (Int) -> Bool = { _ in false }
        /// The reports on the server and those set aside, in that order.
        private(set) var has: [Int64] = []
        private(set) var aside: [Int64] = []
        private(set) var connections = 0

        init(poison: Set<Int64> = [], isDown: @escaping (Int) -> Bool = { _ in false }) {
            (self.poison, self.isDown) = (poison, isDown)
        }

        /// Lets the queue send what is on the disk, on one connection after the other, until all of it is gone.
        mutating func take(_ numbers: ClosedRange<Int64>, batch: Int) {
            var queue = SendQueue(window: 1, maximumBatch: batch, sendsState: false)
            var disk = Array(numbers)
            while !disk.isEmpty, connections < 1000 {
                connections += 1
                var actions = queue.connected()
                while let action = actions.first {
                    actions.removeFirst()
                    switch action {
                    case .load(let request):
                        let read = disk.filter { $0 > request.after }.prefix(request.count).map { Samples.entry($0) }
                        actions += queue.loaded(read, newest: nil, for: request)
                    case .send(let reports):
                        let sent = reports.map(\.identity.number)
                        guard isDown(connections) || !poison.isDisjoint(with: sent) else {
                            has += sent
                            actions += queue.acknowledged(.report(sent[0]))
                            continue
                        }
                        actions = queue.failed(.report(sent[0])).filter {
                            if case .setAside = $0 { true } else { false }
                        }
                        for case .setAside(let number) in actions {
                            aside.append(number)
                            disk.removeAll { $0 == number }
                        }
                        actions = []
                        queue.disconnected()
                    case .delete(let number): disk.removeAll { $0 == number }
                    case .setAside, .sendState: Issue.record("\(action)")
                    }
                }
            }
        }
    }

    /// Attack: one report at which the server always fails keeps all that follow it from being sent.
    @Test(arguments: [1, 50]) func aReportAtWhichTheServerAlwaysFails(batch: Int) {
        var server = FailingServer(poison: [7, 30])
        server.take(1...60, batch: batch)
        #expect(server.aside == [7, 30])
        #expect(server.has.sorted() == (1...60).filter { ![7, 30].contains($0) })
        #expect(server.connections < 60)
    }

    /// A server that is down for an hour, at whatever moment it comes back, loses nothing and nothing is set aside.
    @Test(arguments: 1...40) func aServerThatIsDown(connections: Int) {
        for batch in [1, 20] {
            var server = FailingServer { $0 <= connections }
            server.take(1...50, batch: batch)
            #expect(server.aside == [])
            #expect(server.has.sorted() == Array(1...50))
            #expect(server.connections == connections + 1)
        }
    }

    /// One that comes and goes: the end of one connection says nothing about the report that was on its way.
    @Test func aServerThatComesAndGoes() {
        for seed in UInt64(1)...200 {
            var random = SeededRandom(seed: seed)
            let down = (0...1000).map { _ in Int.random(in: 0..<4, using: &random) > 0 }
            var server = FailingServer { down[$0] }
            server.take(1...50, batch: 1)
            #expect(server.aside == [], "seed \(seed)")
            #expect(server.has.sorted() == Array(1...50))
        }
    }

    @Test func aReportAloneIsNotSetAside() {
        var server = FailingServer(poison: [1])
        server.take(1...1, batch: 1)
        #expect(server.aside == [] && server.connections == 1000)
    }
}
