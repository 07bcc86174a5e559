import Foundation
import LocationModel
import LocationProtocol
import Synchronization
import TestSupport
import Testing
import Varlink

/// Two subscriptions with filters of their own on one daemon. Each receives what the rules say, whatever the other
/// one needs.
@Suite(.timeLimit(.minutes(15))) struct SubscriptionRulesTests {
    private static func options(_ random: inout SeededRandom) -> Options {
        var options = Options()
        options.desiredAccuracy = [.best, .nearestTenMeters, .bestForNavigation].randomElement(using: &random)
        options.pausesAutomatically = false
        if Bool.random(using: &random) { options.distanceFilter = .random(in: 0...120, using: &random) }
        if Bool.random(using: &random) { options.minimumInterval = .random(in: 0...12, using: &random).rounded() }
        if Int.random(in: 0..<4, using: &random) == 0 {
            options.maximumUpdates = .random(in: 1...20, using: &random)
        }
        return options
    }

    /// Returns the epochs of a walk and a drive with stops, outliers, and changing dilutions of precision.
    private static func sentences(_ random: inout SeededRandom, count: Int) -> [String] {
        var track = Track()
        var epochs: [String] = []
        var speed = 0.0
        for _ in 0..<count {
            if Int.random(in: 0..<10, using: &random) == 0 {
                speed = [0, 1.4, 12, 30].randomElement(using: &random) ?? 0
            }
            let before = track.sentences.count
            track.go(1, at: speed)
            track.add(
                speed: speed, east: .random(in: -20...20, using: &random),
                hdop: [0.7, 0.9, 2.5, 9.9].randomElement(using: &random) ?? 1)
            epochs.append(String(track.sentences.dropFirst(before)))
        }
        return epochs
    }

    /// The fixes that the rules deliver, restated: at least the minimum interval, and at least the filter's distance or
    /// at most half the accuracy, each compared with the last delivery, up to the maximum number.
    private struct Expected {
        let options: Options
        var locations: [Location] = []

        mutating func consider(_ fix: Location) {
            if let maximum = options.maximumUpdates, locations.count == maximum { return }
            guard let last = locations.last else {
                locations.append(fix)
                return
            }
            let isLate = fix.timestamp.seconds(since: last.timestamp) >= (options.minimumInterval ?? 0) - 0.02
            let isFar = fix.distance(to: last) >= options.distanceFilter ?? 0
            let isBetter = (fix.horizontalAccuracy ?? .infinity) <= (last.horizontalAccuracy ?? 0) / 2
            if isLate, isFar || isBetter { locations.append(fix) }
        }
    }

    /// Returns the next location of a stream. If this process is held up for five seconds, its wire is silent, and the
    /// receiver is lost and found again in between.
    private func nextLocation(of updates: inout VarlinkStream<Subscribe.Reply>.Iterator) async throws -> Location {
        while let update = try await updates.next()?.update {
            if update.event == .location, let location = update.location { return location }
            try #require(update.event == .receiverLost || update.event == .receiverFound)
        }
        throw Overdue(what: "a location")
    }

    @Test(arguments: [1, 2, 3, 5, 8, 13] as [UInt64])
    func eachSubscriptionFollowsTheRules(seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        let wire = try Wire(sendsTexts: true)
        let daemon = try await TestDaemon(receivers: ["serial:\(wire.path)@9600"])
        try await daemon.grantSelf()
        let wishes = [Self.options(&random), Self.options(&random)]
        let sessions = [
            Collected(try await daemon.subscribe(wishes[0])), Collected(try await daemon.subscribe(wishes[1])),
        ]
        var everything = Options()
        everything.pausesAutomatically = false
        var all = try await daemon.subscribe(everything).makeAsyncIterator()
        // The first subscription opens the port, and the others may come later.
        try await eventually("the subscriptions") {
            try await daemon.call(ListSessions.self, UserScope()).sessions.count == 3
        }
        try await daemon.waitUntilOpen()

        var count = 0
        var expected = wishes.map { Expected(options: $0) }
        for epoch in Self.sentences(&random, count: 120) {
            wire.write(epoch)
            // There are two epochs in each burst. Treating them as one would show here.
            for _ in 0..<2 {
                let fix = try await nextLocation(of: &all)
                count += 1
                for index in expected.indices { expected[index].consider(fix) }
            }
            // A socket that is not read has room for some twenty locations. After that, each replaces the one before.
            for (rules, session) in zip(expected, sessions) {
                try await eventually("\(rules.locations.count) locations, seed \(seed), \(rules.options)") {
                    session.locations.count >= rules.locations.count
                }
            }
        }
        for (rules, session) in zip(expected, sessions) {
            #expect(session.locations == rules.locations, "seed \(seed), \(rules.options)")
        }
        // No further location is on its way.
        let delivered = try await daemon.call(GetStatistics.self, Nothing()).statistics.delivered
        #expect(delivered == count + expected.reduce(0) { $0 + $1.locations.count }, "seed \(seed)")
    }
}

/// The locations of a stream, read as they arrive.
private final class Collected: Sendable {
    private let task: Task<Void, any Error>

    init(_ stream: VarlinkStream<Subscribe.Reply>) {
        let locations = Box()
        box = locations
        task = Task {
            for try await reply in stream {
                if let location = reply.update?.location { locations.values.withLock { $0.append(location) } }
            }
        }
    }

    deinit { task.cancel() }

    var locations: [Location] { box.values.withLock { $0 } }

    private let box: Box

    private final class Box: Sendable {
        let values = Mutex<[Location]>([])
    }
}
