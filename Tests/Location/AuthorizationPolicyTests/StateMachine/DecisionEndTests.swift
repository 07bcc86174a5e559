import AuthorizationPolicy
import LocationModel
import Testing

/// The ends of "once" over a restart, of "until tomorrow" by a clock that is wrong, and of full accuracy for now.
@Suite struct DecisionEndTests {
    private static let once = Decision(level: .whenInUse, lifetime: .once)
    private static let holder = ProcessStart(pid: 4711, ticks: 100)

    private func restarted(_ holders: Set<ProcessStart>) -> Scene {
        Scene([.maps: Self.once], onceHolders: [.maps: holders], connected: [])
    }

    // MARK: Once

    /// An upgrade of the daemon.
    @Test func onceGoesOnForTheProcessThatHadIt() {
        var scene = restarted([Self.holder])
        scene.connect()
        #expect(scene.status() == .notDetermined, "not before it is known which process this is")
        scene.run(scene.machine.returned(.maps, as: Self.holder, at: scene.now))
        #expect(scene.status() == .authorizedWhenInUse)
        scene.advance(by: 3600)
        #expect(scene.status() == .authorizedWhenInUse && scene.disk[.maps] == Self.once)
    }

    /// Attack: the machine is switched off in the evening. In the morning, the app starts with the session.
    @Test(
        arguments: [
            [], [ProcessStart(pid: 4711, ticks: 99)], [ProcessStart(pid: 4712, ticks: 100)],
        ] as [Set<ProcessStart>])
    func onceEndsForAnotherProcess(holders: Set<ProcessStart>) {
        var scene = restarted(holders)
        scene.connect()
        scene.run(scene.machine.returned(.maps, as: Self.holder, at: scene.now))
        #expect(scene.status() == .notDetermined)
        scene.advance(by: 10)
        #expect(scene.status() == .notDetermined && scene.disk[.maps] == nil)
    }

    @Test func onceEndsForAProcessThatComesTooLate() {
        var scene = restarted([Self.holder])
        scene.now += 10
        scene.connect()
        scene.run(scene.machine.returned(.maps, as: Self.holder, at: scene.now))
        #expect(scene.status() == .notDetermined && scene.disk[.maps] == nil)
    }

    /// Attack: another process of the app comes and goes, and so prolongs the time for the return.
    @Test func comingsAndGoingsOfOthersDoNotProlongTheTime() {
        var scene = restarted([Self.holder])
        for _ in 0..<9 {
            scene.connect()
            scene.disconnect()
            scene.advance(by: 1)
        }
        scene.connect()
        scene.advance(by: 1)
        scene.run(scene.machine.returned(.maps, as: Self.holder, at: scene.now))
        #expect(scene.status() == .notDetermined)
    }

    @Test func aDecisionInTheMeantimeCounts() throws {
        var scene = restarted([Self.holder])
        try scene.revoke()
        scene.connect()
        scene.run(scene.machine.returned(.maps, as: Self.holder, at: scene.now))
        #expect(scene.status() == .denied)
        scene = restarted([Self.holder])
        scene.connect()
        scene.request(.whenInUse)
        #expect(scene.prompt() != nil)
        scene.run(scene.machine.returned(.maps, as: Self.holder, at: scene.now))
        #expect(scene.prompt() == nil && scene.lastReply != nil)
    }

    // MARK: Until tomorrow

    private func until(_ seconds: Int64) -> Decision {
        Decision(level: .whenInUse, lifetime: .until(secondsSince1970: seconds))
    }

    /// Attack, or accident: the answer is given while the clock is ahead, and lasts until the clock is there again.
    @Test(arguments: [3 * 3600, 3 * 86_400, 365 * 86_400] as [Int64])
    func anEndDoesNotLieMoreThanTwoDaysAhead(ahead: Int64) throws {
        var scene = Scene(at: Scene.start + ahead, midnight: Scene.start + ahead + 20_000)
        scene.request(.whenInUse)
        try scene.answer(.untilTomorrow)
        scene.advance(by: -ahead)
        let end = try #require(scene.machine.table.decision(about: .maps)?.lifetime.end)
        #expect(end <= scene.now + 2 * 86_400, "\(ahead)")
        #expect(scene.disk[.maps]?.lifetime.end == end)
        scene.advance(by: 2 * 86_400)
        #expect(scene.status() == .notDetermined)
    }

    /// The same while the answer is being written.
    @Test func anEndThatIsBeingWrittenDoesNotLieMoreThanTwoDaysAhead() throws {
        let ahead: Int64 = 365 * 86_400
        var scene = Scene(at: Scene.start + ahead, midnight: Scene.start + ahead + 20_000)
        scene.writesAtOnce = false
        scene.request(.whenInUse)
        try scene.answer(.untilTomorrow)
        scene.advance(by: -ahead)
        scene.writesAtOnce = true
        scene.finishWrite()
        let end = try #require(scene.machine.table.decision(about: .maps)?.lifetime.end)
        #expect(end <= scene.now + 2 * 86_400)
        #expect(scene.disk[.maps]?.lifetime.end == end)
    }

    /// The same with a restart in between: the end is on the disk.
    @Test func aStoredEndDoesNotLieMoreThanTwoDaysAhead() {
        var scene = Scene([.maps: until(Scene.start + 365 * 86_400)])
        scene.advance(by: 0)
        #expect(scene.machine.table.decision(about: .maps) == until(Scene.midnight))
        #expect(scene.disk[.maps] == until(Scene.midnight))
    }

    @Test func anEndThatIsNearStays() {
        for hours in [1, 25, 47] as [Int64] {
            var scene = Scene([.maps: until(Scene.start + hours * 3600)])
            scene.advance(by: 0)
            #expect(scene.machine.table.decision(about: .maps) == until(Scene.start + hours * 3600))
        }
    }

    /// A calendar that cannot be right: mktime(3) fails with -1.
    @Test(arguments: [-1, 0, Scene.start, Scene.start + 40 * 86_400])
    func aCalendarThatIsWrongCountsAsADay(midnight: Int64) throws {
        var scene = Scene(midnight: midnight)
        scene.request(.whenInUse)
        try scene.answer(.untilTomorrow)
        #expect(scene.machine.table.decision(about: .maps) == until(Scene.start + 86_400))
    }

    // MARK: Full accuracy for now

    /// Attack: the user allows full accuracy for now, and turns to something else. The app follows the exact position
    /// for days.
    @Test func fullAccuracyForNowEndsInTheBackground() throws {
        var scene = Scene([.maps: Decision(level: .always, accuracy: .reduced)])
        scene.requestFull()
        try scene.answer(.once)
        #expect(scene.accuracy() == .full)
        scene.run(scene.machine.wentToBackground(.maps, at: scene.now))
        #expect(scene.accuracy() == .reduced && scene.status() == .authorizedAlways)
        #expect(scene.last.contains(.changed(.maps)))
        scene.run(scene.machine.wentToBackground(.maps, at: scene.now))
        #expect(scene.last.isEmpty)
    }

    // MARK: Requests for always

    /// Core Location ignores such a request.
    @Test(arguments: [Decision.Lifetime.once, .until(secondsSince1970: Scene.midnight)])
    func aGrantForALimitedTimeIsNotExtendedByARequest(lifetime: Decision.Lifetime) {
        var scene = Scene([.maps: Decision(level: .whenInUse, lifetime: lifetime)])
        scene.request(.always)
        #expect(
            scene.prompt() == nil && scene.lastReply == .authorization(scene.machine.table.authorization(of: .maps)))
    }
}
