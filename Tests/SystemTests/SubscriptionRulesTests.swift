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

    /// Returns the fixes that the rules deliver, restated: at least the minimum interval, and at least the filter's
    /// distance or at most half the accuracy, each compared with the last delivery, up to the maximum number.
    private static func expected(_ options: Options, _ fixes: [Location]) -> [Location] {
        var delivered: [Location] = []
        for fix in fixes {
            if let maximum = options.maximumUpdates, delivered.count == maximum { break }
            guard let last = delivered.last else {
                delivered.append(fix)
                continue
            }
            let isLate = fix.timestamp.seconds(since: last.timestamp) >= (options.minimumInterval ?? 0) - 0.02
            let isFar = fix.distance(to: last) >= options.distanceFilter ?? 0
            let isBetter = (fix.horizontalAccuracy ?? .infinity) <= (last.horizontalAccuracy ?? 0) / 2
            if isLate, isFar || isBetter { delivered.append(fix) }
        }
        return delivered
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
        try await daemon.waitUntilOpen()

        var fixes: [Location] = []
        for epoch in Self.sentences(&random, count: 120) {
            wire.write(epoch)
            // There are two epochs in each burst. Treating them as one would show here.
            for _ in 0..<2 { fixes.append(try #require(try await all.next()?.update?.location)) }
        }
        for (options, session) in zip(wishes, sessions) {
            let expected = Self.expected(options, fixes)
            try await eventually("\(expected.count) locations, seed \(seed), \(options)") {
                session.locations.count >= expected.count
            }
            #expect(session.locations == expected, "seed \(seed), \(options)")
        }
        // No further location is on its way.
        let delivered = try await daemon.call(GetStatistics.self, Nothing()).statistics.delivered
        #expect(delivered == fixes.count + wishes.reduce(0) { $0 + Self.expected($1, fixes).count }, "seed \(seed)")
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
