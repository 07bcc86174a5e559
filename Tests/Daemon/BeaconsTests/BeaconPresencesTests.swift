import LocationModel
import TestSupport
import Testing

@testable import Beacons

@Suite struct BeaconPresencesTests {
    private let pattern = BeaconSamples.pattern()

    private func listening(_ patterns: Set<BeaconPattern>? = nil) -> BeaconPresences {
        var presences = BeaconPresences()
        presences.setListening(true, at: 0)
        presences.watch(patterns ?? [pattern], at: 0)
        return presences
    }

    @Test func theFirstPacketIsAnEntryAndThirtySecondsOfSilenceAnExit() {
        var presences = listening()
        #expect(presences.state(of: pattern).state == .unknown)
        let entry = BeaconPresences.Change(pattern: pattern, state: .inside, beacon: BeaconSamples.identity())
        #expect(presences.receive(BeaconSamples.identity(), at: 1) == [entry])
        #expect(presences.receive(BeaconSamples.identity(), at: 2) == [])
        #expect(presences.state(of: pattern).beacon == BeaconSamples.identity())
        #expect(presences.deadline == 32)
        #expect(presences.advance(to: 31.9) == [])
        #expect(presences.advance(to: 32) == [.init(pattern: pattern, state: .outside, beacon: nil)])
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

    /// Between the scans for regions, silence means nothing.
    @Test func onlySilenceDuringScansCounts() {
        var presences = listening()
        _ = presences.receive(BeaconSamples.identity(), at: 5)
        presences.setListening(false, at: 13)
        #expect(presences.deadline == nil)
        #expect(presences.advance(to: 59) == [])
        presences.setListening(true, at: 60)
        // 8 s of silence before, 4 s from now on.
        #expect(presences.deadline == 64)
        #expect(presences.advance(to: 63) == [])
        #expect(presences.advance(to: 64).map(\.state) == [.outside])
    }

    /// An adapter is switched off, or BlueZ ends: nothing is known, and nobody has left.
    @Test func withoutAnAdapterNobodyLeaves() {
        var presences = listening()
        _ = presences.receive(BeaconSamples.identity(), at: 5)
        presences.setListening(false, at: 6)
        #expect(presences.advance(to: 10_000) == [])
        #expect(presences.state(of: pattern).state == .inside)
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

    @Test func constraintsComeAndGo() {
        var presences = listening()
        let other = BeaconSamples.pattern(major: 5)
        _ = presences.receive(BeaconSamples.identity(), at: 1)
        presences.watch([pattern, other], at: 2)
        #expect(presences.state(of: pattern).state == .inside)
        #expect(presences.receive(BeaconSamples.identity(5, 5), at: 3).map(\.pattern) == [other])
        presences.watch([other], at: 4)
        #expect(presences.state(of: pattern).state == .unknown)
        #expect(presences.advance(to: 40).map(\.pattern) == [other])
    }
}
