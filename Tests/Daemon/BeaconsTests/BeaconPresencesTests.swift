import LocationModel
import TestSupport
import Testing

@testable import Beacons

@Suite struct BeaconPresencesTests {
    private let watch = BeaconWatch(BeaconSamples.pattern())

    private func listening(_ watches: Set<BeaconWatch>? = nil) -> BeaconPresences {
        var presences = BeaconPresences()
        presences.setListening(true, at: 0)
        presences.watch(watches ?? [watch], at: 0)
        return presences
    }

    /// Has the scans for regions run from one time to another, 13 s in each minute, and a beacon heard at times within
    /// a scan. Returns the changes.
    private func watching(
        _ presences: inout BeaconPresences, minutes: Range<Int>, hearing times: [Double]
    ) -> [RegionState] {
        var changes: [RegionState] = []
        for minute in minutes {
            let start = Double(minute) * 60
            presences.setListening(true, at: start)
            for tenth in 0..<130 {
                let now = start + Double(tenth) / 10
                changes += presences.advance(to: now).map(\.state)
                if times.contains(Double(tenth) / 10) {
                    changes += presences.receive(BeaconSamples.identity(), at: now).map(\.state)
                }
            }
            presences.setListening(false, at: start + 13)
        }
        return changes
    }

    @Test func theFirstPacketIsAnEntryAndThirtySecondsOfSilenceAnExit() {
        var presences = listening()
        #expect(presences.state(of: watch, at: 0) == .unknown)
        let entry = BeaconPresences.Change(watch: watch, state: .inside, beacon: BeaconSamples.identity())
        #expect(presences.receive(BeaconSamples.identity(), at: 1) == [entry])
        #expect(presences.receive(BeaconSamples.identity(), at: 2) == [])
        #expect(presences.state(of: watch, at: 2) == .inside)
        #expect(presences.deadline == 32)
        #expect(presences.advance(to: 31.9) == [])
        #expect(presences.advance(to: 32) == [.init(watch: watch, state: .outside, beacon: nil)])
        #expect(presences.deadline == nil)
        #expect(presences.advance(to: 100) == [])
    }

    @Test func withoutAPacketTheFirstStateIsOutsideAfterARound() {
        var presences = listening()
        #expect(presences.deadline == 12)
        #expect(presences.advance(to: 11) == [])
        #expect(presences.advance(to: 12).map(\.state) == [.outside])
    }

    /// One entry at the first beacon, and one exit after the last.
    @Test func aWildcardIsLeftWithTheLastBeacon() {
        var presences = listening()
        #expect(presences.receive(BeaconSamples.identity(1, 1), at: 1).count == 1)
        #expect(presences.receive(BeaconSamples.identity(1, 2), at: 20) == [])
        #expect(presences.advance(to: 35) == [])
        #expect(presences.advance(to: 50).map(\.state) == [.outside])
    }

    /// Between the scans for regions, silence means nothing, and a scan that has just begun has heard nothing yet.
    @Test func onlySilenceDuringOneScanCounts() {
        var presences = listening()
        _ = presences.receive(BeaconSamples.identity(), at: 0.5)
        presences.setListening(false, at: 13)
        #expect(presences.deadline == nil)
        #expect(presences.advance(to: 59) == [])
        presences.setListening(true, at: 60)
        #expect(presences.deadline == 72)
        // The second adapter begins.
        presences.setListening(true, at: 65)
        #expect(presences.deadline == 72)
        #expect(presences.advance(to: 71) == [])
        #expect(presences.advance(to: 72).map(\.state) == [.outside])
    }

    /// An adapter that passes on a beacon once in each scan, at its beginning.
    @Test func aBeaconThatIsHeardOnceInAScanIsNotLeftAndEnteredAgain() {
        var presences = listening()
        #expect(watching(&presences, minutes: 0..<30, hearing: [0.5]) == [.inside])
        #expect(watching(&presences, minutes: 30..<31, hearing: [11]) == [])
        #expect(watching(&presences, minutes: 31..<33, hearing: []) == [.outside])
    }

    /// After a restart of the daemon, the stored state stays until it is refuted, and needs the time of an exit.
    @Test func aStoredStateEndsAsOneThatWasObserved() {
        let stored = BeaconWatch(BeaconSamples.pattern(), formerState: .inside)
        var presences = listening([stored])
        #expect(presences.state(of: stored, at: 1) == .unknown)
        #expect(presences.deadline == 30)
        #expect(presences.receive(BeaconSamples.identity(), at: 20).map(\.state) == [.inside])
        #expect(presences.state(of: stored, at: 20) == .inside)
        #expect(presences.deadline == 50)

        presences = BeaconPresences()
        presences.watch([stored], at: 0)
        #expect(watching(&presences, minutes: 0..<10, hearing: [10]) == [.inside])
        // It was outside, and still is: nothing is crossed, but the state is known again.
        let left = BeaconWatch(BeaconSamples.pattern(), formerState: .outside)
        presences = listening([left])
        #expect(presences.state(of: left, at: 1) == .unknown)
        #expect(presences.advance(to: 12).map(\.state) == [.outside])
        #expect(presences.state(of: left, at: 12) == .outside)
    }

    /// An adapter is switched off, or BlueZ ends: nobody has left, and after a while nothing is known.
    @Test func withoutAnAdapterNobodyLeavesAndNothingIsKnown() {
        var presences = listening()
        _ = presences.receive(BeaconSamples.identity(), at: 5)
        presences.setListening(false, at: 6)
        #expect(presences.advance(to: 10_000) == [])
        #expect(presences.state(of: watch, at: 66) == .inside)
        #expect(presences.state(of: watch, at: 67) == .unknown)
        presences.setListening(true, at: 10_000)
        #expect(presences.state(of: watch, at: 10_001) == .unknown)
        #expect(presences.receive(BeaconSamples.identity(), at: 10_002).map(\.state) == [.inside])
        #expect(presences.state(of: watch, at: 10_002) == .inside)
    }

    /// Attack: a machine is carried away while it sleeps, in which the clock stands still.
    @Test func asleepNothingIsHeard() {
        var presences = listening()
        _ = presences.receive(BeaconSamples.identity(), at: 5)
        presences.restart(at: 34)
        #expect(presences.state(of: watch, at: 34) == .unknown)
        #expect(presences.deadline == 64)
        #expect(presences.advance(to: 63) == [])
        #expect(presences.advance(to: 64).map(\.state) == [.outside])
    }

    /// A beacon at the border of reception, of which one packet in twenty arrives.
    @Test func aBeaconAtTheBorderOfReceptionIsNotLeftAndEnteredAgain() {
        let seed = UInt64.random(in: 0 ... .max)
        var random = SeededRandom(seed: seed)
        var presences = listening()
        var changes: [RegionState] = []
        for packet in 0..<36_000 {
            let now = Double(packet) / 10
            changes += presences.advance(to: now).map(\.state)
            guard packet == 0 || Int.random(in: 0..<20, using: &random) == 0 else { continue }
            changes += presences.receive(BeaconSamples.identity(), at: now).map(\.state)
        }
        #expect(changes == [.inside], "seed \(seed)")
    }

    @Test func regionsComeAndGo() {
        var presences = listening()
        let other = BeaconWatch(BeaconSamples.pattern(major: 5))
        _ = presences.receive(BeaconSamples.identity(), at: 1)
        presences.watch([watch, other], at: 2)
        #expect(presences.state(of: watch, at: 2) == .inside)
        #expect(presences.receive(BeaconSamples.identity(5, 5), at: 3).map(\.watch) == [other])
        presences.watch([other], at: 4)
        #expect(presences.state(of: watch, at: 4) == .unknown)
        #expect(presences.advance(to: 40).map(\.watch) == [other])
    }

    /// Attack: an app has a region watched, and learns from a result in the same moment that another app, of any user,
    /// has had the same beacons watched.
    @Test(arguments: [true, false]) func aRegionDoesNotGetTheResultsOfAnother(_ isThere: Bool) {
        var presences = listening()
        if isThere { _ = presences.receive(BeaconSamples.identity(), at: 99) }
        _ = presences.advance(to: 100)
        #expect(presences.state(of: watch, at: 100) == (isThere ? .inside : .outside))
        let spy = BeaconWatch(BeaconSamples.pattern())
        presences.watch([watch, spy], at: 100)
        #expect(presences.state(of: spy, at: 100) == .unknown)
        #expect(presences.deadline == 112)
        #expect(presences.advance(to: 111.9) == [])
        guard isThere else { return #expect(presences.advance(to: 112).map(\.watch) == [spy]) }
        #expect(presences.receive(BeaconSamples.identity(), at: 111.9).map(\.watch) == [spy])
    }
}
