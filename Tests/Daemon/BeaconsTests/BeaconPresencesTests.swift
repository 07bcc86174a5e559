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

    /// Has the scans for regions run in some minutes, in windows of 13 s and as they are needed besides, and a beacon
    /// heard at a time within each scan. Returns the changes.
    private func watching(
        _ presences: inout BeaconPresences, minutes: Range<Int>, hearing time: Double?
    ) -> [RegionState] {
        var changes: [RegionState] = []
        var start: Int?
        for tenth in minutes.lowerBound * 600..<minutes.upperBound * 600 {
            let now = Double(tenth) / 10
            let need = presences.listening(at: now)
            let isListening = need == .continuous || need == .windows && tenth % 600 < 130
            start = isListening ? start ?? tenth : nil
            presences.setListening(isListening, at: now)
            changes += presences.advance(to: now).map(\.state)
            if let start, let time, tenth - start == Int(time * 10) {
                changes += presences.receive(BeaconSamples.identity(), at: now).map(\.state)
            }
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
        #expect(presences.deadline == 82)
        // The second adapter begins.
        presences.setListening(true, at: 65)
        #expect(presences.deadline == 82)
        #expect(presences.advance(to: 81) == [])
        #expect(presences.advance(to: 82).map(\.state) == [.outside])
    }

    /// An adapter that passes on a beacon once in each scan, at its beginning.
    @Test func aBeaconThatIsHeardOnceInAScanIsNotLeftAndEnteredAgain() {
        var presences = listening()
        #expect(watching(&presences, minutes: 0..<30, hearing: 0.5) == [.inside])
        #expect(watching(&presences, minutes: 30..<32, hearing: 11) == [])
        #expect(watching(&presences, minutes: 32..<33, hearing: nil) == [.outside])
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
        #expect(watching(&presences, minutes: 0..<10, hearing: 10) == [.inside])
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

    /// A beacon that was heard lately needs no scan: a scan ends with its first signal.
    @Test func theNeedForListeningFollowsTheStates() {
        var presences = BeaconPresences()
        #expect(presences.listening(at: 0) == .none)
        presences.watch([watch], at: 0)
        #expect(presences.listening(at: 0) == .continuous)
        presences.setListening(true, at: 0)
        _ = presences.advance(to: 12)
        #expect(presences.listening(at: 12) == .windows && presences.nextChange(after: 12) == nil)
        _ = presences.receive(BeaconSamples.identity(), at: 13)
        presences.setListening(false, at: 13)
        #expect(presences.listening(at: 13) == .none && presences.nextChange(after: 13) == 27)
        #expect(presences.listening(at: 26.9) == .none && presences.listening(at: 27) == .continuous)
        presences.setListening(true, at: 27)
        #expect(presences.nextChange(after: 27) == 49)
        #expect(presences.advance(to: 49).map(\.state) == [.outside])
        #expect(presences.listening(at: 49) == .windows)
    }

    /// Attack: a device nearby has monitors report thousands of times a second, or a program sets the clock that they
    /// go by. A report alone changes no state.
    @Test func aReportOfAMonitorIsNothingButAReasonToListen() {
        var presences = listening()
        let patterns: Set = [watch.pattern]
        _ = presences.receive(BeaconSamples.identity(), at: 1)
        presences.setMonitored(true, at: 1)
        let isFound = presences.receive(.found, of: patterns, at: 2)
        #expect(isFound)
        presences.setListening(false, at: 2)
        #expect(presences.listening(at: 200) == .none && presences.nextChange(after: 200) == 301)
        #expect(presences.state(of: watch, at: 200) == .inside)
        let counted = (0..<10_000).count { _ in presences.receive(.lost, of: patterns, at: 200) }
        #expect(counted == 1)
        #expect(presences.listening(at: 200) == .continuous && presences.advance(to: 200) == [])
        // It is still there. The scan is over, and the monitor counts when it has found the beacon again.
        presences.setListening(true, at: 200)
        #expect(presences.receive(BeaconSamples.identity(), at: 201) == [])
        #expect(presences.listening(at: 214.9) == .none && presences.listening(at: 215) == .continuous)
        _ = presences.receive(.found, of: patterns, at: 202)
        #expect(presences.listening(at: 215) == .none)
        presences.setListening(false, at: 202)
        // It has left: the silence is measured here, not by the monitor.
        let isNews = presences.receive(.lost, of: patterns, at: 250)
        #expect(isNews)
        presences.setListening(true, at: 250.5)
        #expect(presences.advance(to: 272) == [] && presences.listening(at: 272) == .continuous)
        #expect(presences.advance(to: 272.5).map(\.state) == [.outside])
        // Without monitors, the scans begin again.
        presences.setListening(false, at: 273)
        presences.setMonitored(false, at: 400)
        #expect(presences.state(of: watch, at: 430) == .outside && presences.state(of: watch, at: 461) == .unknown)
    }

    /// BlueZ reports no beacon as lost of which it has heard one packet only.
    @Test func aMonitorThatHasNotFoundABeaconWillNotReportItsLoss() {
        var presences = listening()
        presences.setMonitored(true, at: 0)
        _ = presences.receive(BeaconSamples.identity(), at: 1)
        #expect(presences.listening(at: 14.9) == .none && presences.listening(at: 15) == .continuous)
        _ = presences.receive(.found, of: [BeaconSamples.pattern(major: 5)], at: 2)
        #expect(presences.listening(at: 15) == .continuous)
        _ = presences.receive(.found, of: [watch.pattern], at: 2)
        #expect(presences.listening(at: 15) == .none)
    }

    /// BlueZ forgets at the end of a scan what it has heard, and does not report its loss.
    @Test func whatAMonitorHasFoundBeforeTheEndOfAScanIsNotReportedAsLost() {
        var presences = listening()
        presences.setMonitored(true, at: 0)
        _ = presences.receive(.found, of: [watch.pattern], at: 1)
        _ = presences.receive(BeaconSamples.identity(), at: 1)
        #expect(presences.listening(at: 15) == .none)
        presences.scanEnds()
        #expect(presences.nextChange(after: 2) == 15 && presences.listening(at: 15) == .continuous)
    }

    /// Attack: a device nearby has the monitors report the whole time, and the adapter would scan as long. A report
    /// that comes too soon is postponed, since a monitor reports a beacon once.
    @Test func outsideAReportInVainPostponesTheNext() {
        var presences = listening()
        presences.setMonitored(true, at: 0)
        _ = presences.advance(to: 12)
        presences.setListening(false, at: 12)
        let foreign = presences.receive(.found, of: [BeaconSamples.pattern(major: 5)], at: 20)
        #expect(!foreign && presences.listening(at: 20) == .windows)
        let first = presences.receive(.found, of: [watch.pattern], at: 20)
        #expect(first && presences.listening(at: 20) == .continuous && presences.nextChange(after: 20) == 32)
        _ = presences.receive(.lost, of: [watch.pattern], at: 25)
        _ = presences.receive(.found, of: [watch.pattern], at: 25)
        #expect(presences.listening(at: 25) == .continuous && presences.listening(at: 32) == .windows)
        #expect(presences.nextChange(after: 32) == 80 && presences.listening(at: 80) == .continuous)
        for now in 33..<80 {
            _ = presences.receive(.lost, of: [watch.pattern], at: Double(now))
            _ = presences.receive(.found, of: [watch.pattern], at: Double(now))
            #expect(presences.listening(at: Double(now)) == .windows)
        }
        _ = presences.receive(BeaconSamples.identity(), at: 81)
        #expect(presences.listening(at: 81) == .none)
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
