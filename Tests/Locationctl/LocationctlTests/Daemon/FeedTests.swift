import Testing

@testable import LocationctlSupport

/// A feed of numbers from daemons that come and go.
@Suite struct FeedTests {
    private actor Daemons {
        private var count = 0

        func next() -> Int {
            count += 1
            return count
        }
    }

    /// Returns the events of a feed, and the error that ends it.
    private func run(_ feed: Feed<Int>) async -> ([String], (any Error)?) {
        var events: [String] = []
        do {
            try await feed.run { event in
                switch event {
                case .value(let value, let isFirst): events.append(isFirst ? "\(value), the first" : "\(value)")
                case .lost: events.append("lost")
                }
            }
            return (events, nil)
        } catch {
            return (events, error)
        }
    }

    @Test func theNextDaemonGoesOn() async {
        let daemons = Daemons()
        let feed = Feed<Int>(isTemporary: { error, wasReached in wasReached && error.isUnreachable }) { onValue in
            let number = await daemons.next()
            guard number < 3 else { throw Failure(.notAuthorized, "refused") }
            onValue(number)
            onValue(number * 10)
            if number == 2 { throw Failure(.unreachable, "gone") }
        }
        let (events, error) = await run(feed)
        #expect(events == ["1, the first", "10", "lost", "2, the first", "20", "lost"])
        #expect((error as? Failure)?.status == .notAuthorized)
    }

    @Test func aDaemonThatIsNotThereAtFirstEndsIt() async {
        let feed = Feed<Int>(isTemporary: { error, wasReached in wasReached && error.isUnreachable }) { _ in
            throw Failure(.unreachable, "not there")
        }
        let (events, error) = await run(feed)
        #expect(events.isEmpty)
        #expect(error?.isUnreachable == true)
    }

    @Test func aDaemonThatIsNotThereAtFirstIsWaitedForIfThatIsTemporary() async {
        let daemons = Daemons()
        let feed = Feed<Int>(isTemporary: { error, _ in error.isUnreachable }) { onValue in
            let number = await daemons.next()
            guard number > 1 else { throw Failure(.unreachable, "not there") }
            onValue(number)
            throw Failure(.notAuthorized, "refused")
        }
        let (events, error) = await run(feed)
        #expect(events == ["2, the first"])
        #expect((error as? Failure)?.status == .notAuthorized)
    }
}
