import AuthorizationPolicy
import LocationModel
import Testing

/// The lifetimes of decisions, and how decisions end.
@Suite struct LifetimeTests {
    @Test func onceEndsTenSecondsAfterTheLastConnection() throws {
        var scene = Scene()
        scene.request(.whenInUse)
        try scene.answer(.once)
        scene.advance(by: 86_400)
        #expect(scene.status() == .authorizedWhenInUse)
        scene.disconnect()
        #expect(scene.machine.deadline == scene.now + 10)
        scene.advance(by: 9)
        #expect(scene.status() == .authorizedWhenInUse)
        scene.connect()
        #expect(scene.machine.deadline == nil)
        scene.advance(by: 60)
        scene.disconnect()
        scene.advance(by: 10)
        #expect(scene.status() == .notDetermined)
        #expect(scene.disk[.maps] == nil)
    }

    /// Attack: an app makes the daemon exit and start again, so that the daemon forgets the dismissals of the app's
    /// prompts.
    @Test func whileIdleNothingIsKeptThatARestartWouldLose() throws {
        var scene = Scene(connected: [])
        #expect(scene.machine.hasOnlyStoredState)
        scene.connect()
        #expect(!scene.machine.hasOnlyStoredState)
        scene.request(.whenInUse)
        scene.disconnect()
        // The prompt is still open, and that it goes unanswered has to be remembered.
        #expect(!scene.machine.hasOnlyStoredState)
        scene.advance(by: 10)
        #expect(!scene.machine.hasOnlyStoredState)
        scene.advance(by: 60)
        #expect(scene.machine.hasOnlyStoredState)
        // The table holds the decision. Only an end that depends on when the app was connected exists in memory
        // alone.
        try scene.decide(Decision(level: .whenInUse, lifetime: .until(secondsSince1970: scene.now + 5000)))
        scene.connect()
        scene.disconnect()
        #expect(scene.machine.hasOnlyStoredState)
        try scene.decide(Decision(level: .whenInUse, lifetime: .once))
        #expect(!scene.machine.hasOnlyStoredState)
        scene.advance(by: 10)
        #expect(scene.machine.hasOnlyStoredState)
    }

    @Test func onceIsOverForAnAppThatComesTooLateWhateverTheTimerDoes() {
        var scene = Scene([.maps: Decision(level: .whenInUse, lifetime: .once)])
        scene.disconnect()
        scene.now += 10
        scene.connect()
        #expect(scene.status() == .notDetermined)
    }

    @Test func onceForAnAppThatIsNotConnectedLastsTenSeconds() throws {
        var scene = Scene(connected: [])
        try scene.decide(Decision(level: .whenInUse, lifetime: .once))
        scene.advance(by: 9)
        #expect(scene.status() == .authorizedWhenInUse)
        scene.advance(by: 1)
        #expect(scene.status() == .notDetermined)
    }

    @Test func onceEndsAlsoWhenTheDaemonWasDownMeanwhile() {
        var scene = Scene([.maps: Decision(level: .whenInUse, lifetime: .once)], connected: [])
        #expect(scene.machine.deadline == scene.now + 10)
        scene.advance(by: 0)
        #expect(scene.last == [.wake(at: scene.now + 10)])
        scene.advance(by: 10)
        #expect(scene.status() == .notDetermined)
    }

    @Test func aClockThatIsSetBackDoesNotLengthenOnce() {
        var scene = Scene([.maps: Decision(level: .whenInUse, lifetime: .once)])
        scene.disconnect()
        scene.advance(by: -1_000_000)
        #expect(scene.machine.deadline == scene.now + 10)
        scene.advance(by: 10)
        #expect(scene.status() == .notDetermined)
    }

    @Test func untilTomorrowEndsAtLocalMidnight() throws {
        var scene = Scene()
        scene.request(.whenInUse)
        try scene.answer(.untilTomorrow)
        #expect(scene.machine.deadline == Scene.midnight)
        scene.advance(by: Scene.midnight - scene.now - 1)
        #expect(scene.status() == .authorizedWhenInUse)
        scene.advance(by: 1)
        #expect(scene.status() == .notDetermined)
        #expect(scene.disk[.maps] == nil)
        #expect(scene.machine.deadline == nil)
    }

    @Test func whatEndedWhileTheDaemonWasDownDoesNotHold() {
        var scene = Scene(
            [.maps: Decision(level: .always, lifetime: .until(secondsSince1970: Scene.start - 1))], connected: [])
        scene.advance(by: 0)
        #expect(scene.status() == .notDetermined)
        #expect(scene.disk[.maps] == nil)
    }

    @Test func midnightMayPassWhileTheAnswerIsBeingWritten() throws {
        var scene = Scene()
        scene.writesAtOnce = false
        let request = scene.request(.whenInUse)
        try scene.answer(.untilTomorrow)
        scene.now = Scene.midnight
        scene.finishWrite()
        #expect(scene.status() == .notDetermined)
        #expect(scene.reply(to: request) == .notDetermined)
        scene.finishWrite()
        #expect(scene.disk[.maps] == nil)
    }

    @Test func theEndOfAnOldDecisionDoesNotTakeANewOneFromTheDisk() throws {
        var scene = Scene([.maps: Decision(level: .whenInUse, lifetime: .until(secondsSince1970: Scene.midnight))])
        scene.writesAtOnce = false
        try scene.decide(Decision(level: .always))
        scene.advance(by: Scene.midnight - scene.now)
        #expect(scene.status() == .notDetermined)
        scene.finishWrite()
        #expect(scene.writes.isEmpty)
        #expect(scene.status() == .authorizedAlways)
        #expect(scene.disk[.maps]?.level == .always)
    }
}
