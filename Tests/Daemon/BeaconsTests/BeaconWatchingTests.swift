import LocationModel
import Testing

@testable import Beacons

/// The delay of the crossings of a region of beacons, and its cost in scans. The figures are printed.
@Suite struct BeaconWatchingTests {
    private static func range(_ values: [Double]) -> String {
        func text(_ value: Double?) -> String { "\(((value ?? .infinity) * 10).rounded() / 10)" }
        return "\(text(values.min())) to \(text(values.max()))"
    }

    /// The beacon comes and leaves at any time within a period of scans.
    @Test(arguments: BeaconWatching.Mode.allCases) func crossingsAreNoticedInTime(_ mode: BeaconWatching.Mode) throws {
        let (entryLimit, exitLimits): (Double, ClosedRange<Double>) =
            switch mode {
            case .attentive, .ranging, .monitored: (3, 30...40)
            // The last signal that was heard is up to 14 s older than the last one that was sent.
            case .windows: (60, 22...40)
            // A missed entry costs minutes, and not the event. For an exit, only a monitor counts that has reported the
            // entry.
            case .deaf: (300, 22...40)
            }
        var (entries, exits): ([Double], [Double]) = ([], [])
        for phase in 0..<12 {
            let watching = BeaconWatching(mode)
            watching.run(seconds: 100 + Double(phase) * 28.7)
            try #require(watching.changes.map(\.state) == [.outside])
            let came = watching.now
            watching.chance = 1
            watching.run(seconds: 400 + Double(phase) * 1.3)
            let left = watching.now
            watching.chance = 0
            watching.run(seconds: 400)
            try #require(watching.changes.map(\.state) == [.outside, .inside, .outside], "phase \(phase)")
            entries.append(watching.changes[1].time - came)
            exits.append(watching.changes[2].time - left)
        }
        print("\(mode): an entry after \(Self.range(entries)) s, an exit after \(Self.range(exits)) s")
        #expect(entries.allSatisfy { $0 <= entryLimit })
        // A step of the clock earlier: the last signal is sent in the one before.
        let earliest = exitLimits.lowerBound - BeaconWatching.step
        #expect(exits.allSatisfy { $0 >= earliest && $0 <= exitLimits.upperBound })
    }

    /// The beacon falls silent just after its entry was noticed, by a scan that a monitor has had begun.
    @Test func theExitOfABeaconThatHardlyStaysIsNoticedInTime() throws {
        let watching = BeaconWatching(.monitored)
        watching.run(seconds: 100)
        watching.chance = 1
        while watching.changes.count < 2, watching.now < 110 { watching.run(seconds: BeaconWatching.step) }
        watching.run(seconds: 0.4)
        watching.chance = 0
        let left = watching.now
        watching.run(seconds: 60)
        try #require(watching.changes.map(\.state) == [.outside, .inside, .outside])
        #expect(watching.changes[2].time - left <= 40)
    }

    /// One advertisement in twenty is heard, for an hour.
    @Test(arguments: BeaconWatching.Mode.allCases, [1, 2] as [UInt64])
    func aBeaconAtTheBorderOfReceptionIsNotLeftAndEnteredAgain(_ mode: BeaconWatching.Mode, _ seed: UInt64) {
        let watching = BeaconWatching(mode, seed: seed)
        watching.chance = 0.05
        watching.run(seconds: 3600)
        #expect(watching.changes.map(\.state) == [.inside], "\(watching.changes)")
    }

    /// The share of the time in which the adapter scans actively. A beacon at the border of reception, of which one
    /// packet in fifty arrives, is lost and found by monitors all the time.
    @Test(
        arguments: [
            (.windows, 0, 0.22), (.windows, 1, 0.05), (.monitored, 0, 0.05), (.monitored, 1, 0.01),
            (.monitored, 0.02, 0.25),
        ] as [(BeaconWatching.Mode, Double, Double)])
    func aScanIsShort(_ mode: BeaconWatching.Mode, _ chance: Double, _ limit: Double) {
        let watching = BeaconWatching(mode)
        watching.chance = chance
        watching.run(seconds: 60)
        let (before, scans) = (watching.scanned, watching.scans)
        watching.run(seconds: 3600)
        let share = (watching.scanned - before) / 3600
        let percent = (share * 1000).rounded() / 10
        print("\(mode), \(watching.state): \(percent) % of the time, \(watching.scans - scans) scans an hour")
        #expect(share <= limit)
    }

    @Test(arguments: BeaconWatching.Mode.allCases) func withoutDemandNothingScans(_ mode: BeaconWatching.Mode) {
        let watching = BeaconWatching(mode)
        watching.chance = 1
        watching.run(seconds: 60)
        watching.end()
        watching.run(seconds: 1)
        let (scans, scanned) = (watching.scans, watching.scanned)
        watching.run(seconds: 60)
        #expect(watching.scans == scans && watching.scanned == scanned)
    }

    /// Attack: an app has a region watched, and learns from the time of its first state whether something scans
    /// already, as for an app that ranges.
    @Test func theFirstStateOfARegionTakesAsLongWhetherSomethingScansOrNot() {
        var times: [Double] = []
        for mode in [BeaconWatching.Mode.windows, .ranging, .attentive] {
            let watching = BeaconWatching(mode)
            watching.run(seconds: 140)
            let begin = watching.now
            watching.addRegion()
            watching.run(seconds: 60)
            times.append((watching.changes.last?.time ?? .infinity) - begin)
        }
        #expect(times.allSatisfy { $0 >= 12 && $0 < 12.5 }, "\(times)")
    }

    /// BlueZ is started again, and no longer offers monitors.
    @Test func withoutMonitorsTheWindowsComeBack() {
        let watching = BeaconWatching(.monitored)
        watching.run(seconds: 100)
        watching.endMonitors()
        watching.chance = 1
        watching.run(seconds: 3)
        #expect(watching.changes.map(\.state) == [.outside, .inside])
    }
}
