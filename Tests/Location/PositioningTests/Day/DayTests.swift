import LocationModel
import Testing

@testable import Positioning

/// A day in virtual time for each kind of consumer: home, walk, bus, office, drive, stationary overnight.
@Suite struct DayTests {
    static let seeds: ClosedRange<UInt64> = 1...20
    private static let printedSeed: UInt64 = 1
    private static let dwell = 180.0

    @Test(arguments: seeds)
    func aDayOfMovement(seed: UInt64) {
        let figures = DayFigures(seed: seed)
        if seed == Self.printedSeed { print(figures.table) }
        let day = figures.day

        // Pauses: one in each stay, and no resume during 8 h without movement.
        #expect(figures.subscriber.pauses.count == 3, "seed \(seed)")
        #expect(figures.subscriber.resumes.count == 2, "seed \(seed)")
        for delay in figures.pauseDelays {
            #expect((Self.dwell - 5...Self.dwell + 60).contains(delay), "seed \(seed)")
        }
        for (seconds, metres) in figures.resumeDelays {
            #expect((0...90).contains(seconds), "seed \(seed)")
            #expect((0...150).contains(metres), "seed \(seed)")
        }

        // Significant changes: each is far and late enough after the last one, and none is missing after an arrival.
        for (before, after) in zip(figures.changes, figures.changes.dropFirst()) {
            let place = day.journey.state(at: before).place
            #expect(after - before >= 300, "seed \(seed)")
            #expect(day.distance(from: place, at: after) > 400, "seed \(seed)")
        }
        for stay in day.stays {
            let known = figures.changes.last { $0 < stay.end }.map { day.distance(from: stay.place, at: $0) }
            #expect(known.map { $0 < 600 } ?? false, "seed \(seed)")
            #expect(!figures.changes.contains { $0 > stay.begin + 310 && $0 < stay.end }, "seed \(seed)")
        }

        // Visits: home, office, home.
        #expect(figures.visits.count == 5, "seed \(seed)")
        for error in figures.visitErrors { #expect(error.magnitude <= 300, "seed \(seed)") }
        for distance in figures.visitDistances { #expect(distance <= 100, "seed \(seed)") }

        // Regions: each border once, in order.
        let crossings = figures.crossings.map { "\($0.identifier) \($0.state)" }
        #expect(crossings == DayFigures.trueCrossings, "seed \(seed)")
        for delay in figures.crossingDelays { #expect((20...120).contains(delay), "seed \(seed)") }

        // Power.
        #expect(figures.shares.best <= 0.5, "seed \(seed)")
        #expect(figures.shares.kilometer <= 0.1, "seed \(seed)")
        #expect(figures.shares.significantChanges <= 0.05, "seed \(seed)")
        #expect(figures.shares.visits <= 0.05, "seed \(seed)")
        #expect(figures.shares.regions <= 0.2, "seed \(seed)")
        #expect(figures.shares.nobody == 0, "seed \(seed)")
    }

    /// Two receivers on the machine: one is always open, and the other for ten minutes in each hour.
    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func nothingIsSuspect(seed: UInt64) {
        let day = Day(seed: seed)
        var monitor = IntegrityMonitor()
        var receivers = [ReceiverModel(day: day, number: 1), ReceiverModel(day: day, number: 1000)]
        for second in 0..<Int(Day.length) {
            let now = Double(second)
            receivers[0].setOpen(true, at: now)
            receivers[1].setOpen(second % 3600 < 600, at: now)
            for index in receivers.indices where receivers[index].nextFix == now {
                let location = receivers[index].location(at: now)
                receivers[index].advance()
                let doubts = monitor.judge(
                    location, of: index, warning: nil, at: now + 0.1 * Double(index), isTimeWrong: { false })
                if let doubts { Issue.record("seed \(seed), second \(second): \(doubts.reasons)") }
            }
        }
    }

    /// Fixes come every second all day, with outliers among them, at times two in a row. These are days with such
    /// pairs.
    @Test(arguments: [4, 5, 12] as [UInt64])
    func anotherAppThatWantsEveryFixDoesNotResumeAPausedOne(seed: UInt64) {
        let day = Day(seed: seed)
        var pair = Accompanied(subscriber: Subscriber(.best))
        #expect(day.live(&pair) > 0.99)
        #expect(pair.subscriber.pauses.count == 3, "seed \(seed)")
        #expect(pair.subscriber.resumes.count == 2, "seed \(seed)")
    }
}
