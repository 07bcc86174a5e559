import Glibc

/// Measures several subjects in turn, epoch by epoch, so that all of them see the same noise of the machine.
final class LatencyRun {
    private final class Lane {
        let subject: any Subject
        let subscribers: Subscribers
        var writer = EpochWriter(start: time(nil))

        init(_ subject: any Subject) throws {
            self.subject = subject
            subscribers = try Subscribers(framing: subject.framing)
        }
    }

    private let lanes: [Lane]
    private var random = SystemRandomNumberGenerator()

    init(_ subjects: [any Subject]) throws {
        lanes = try subjects.map(Lane.init)
    }

    /// Measures the latency with `count` subscribers: microseconds from the write of an epoch until its last
    /// subscriber has read it. Returns samples by subject name, without the subjects that cannot serve so many
    /// subscribers.
    func measure(subscribers count: Int, rounds: Int, spacing: ClosedRange<Int>) throws -> [String: Samples] {
        let lanes = lanes.filter { $0.subject.maximumSubscribers >= count }
        for lane in lanes {
            while lane.subscribers.count < count { try lane.subscribers.add(try lane.subject.subscribe()) }
            try lane.subject.awaitSubscribers(count)
        }
        try warmUp(lanes)
        var samples: [String: Samples] = [:]
        for _ in 0..<rounds {
            for lane in lanes {
                sleep(milliseconds: .random(in: spacing, using: &random))
                samples[lane.subject.name, default: Samples()].add(try latency(lane))
            }
        }
        return samples
    }

    /// Sends epochs until all subscribers have promptly received ten in a row. Then each subject has learned the date
    /// and the cycle, and serves every subscriber.
    private func warmUp(_ lanes: [Lane]) throws {
        for lane in lanes {
            var inRow = 0
            for _ in 0..<200 where inRow < 10 {
                let latency = try latency(lane)
                inRow = (latency ?? .infinity) < 500_000 ? inRow + 1 : 0
                sleep(milliseconds: 20)
            }
            guard inRow == 10 else { throw Failure("\(lane.subject.name) does not send fixes") }
        }
    }

    private func latency(_ lane: Lane) throws -> Double? {
        let epoch = lane.writer.next()
        lane.subscribers.expect(lane.subject.mark(of: epoch))
        let start = try lane.subject.port.send(epoch.bytes)
        guard let end = try lane.subscribers.awaitAll(deadline: start + 2_000_000_000) else { return nil }
        return Double(end - start) / 1000
    }
}
