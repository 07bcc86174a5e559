import AuthorizationPolicy
import LocationModel
import Testing

/// Changes of one thing of a decision, and the revision that the user has seen.
@Suite struct DecisionRevisionTests {
    private static let changes: [(String, @Sendable (inout Scene) throws -> Void)] = [
        ("revoked", { try $0.revoke() }), ("denied", { try $0.decide(.denied) }), ("reset", { try $0.decide(nil) }),
        ("narrowed to once", { try $0.decide(Decision(level: .whenInUse, lifetime: .once)) }),
        ("granted the same again", { try $0.decide(Decision(level: .always)) }),
        ("reduced", { try $0.setAccuracy(.reduced) }), ("kept while in use", { try $0.keepWhileInUse() }),
    ]

    /// Attack: "Reduce" on a screen from before a revocation gives the location back.
    @Test(arguments: changes.indices)
    func aStaleCallChangesNothing(change: Int) throws {
        let (name, change) = Self.changes[change]
        var scene = Scene([.maps: Decision(level: .always)])
        let seen = scene.revision()
        try change(&scene)
        let after = scene.machine.table.decision(about: .maps)
        #expect(scene.revision() != seen, "\(name)")
        #expect(throws: DecisionRefusal.changed) { try scene.setAccuracy(.reduced, seeing: seen) }
        #expect(throws: DecisionRefusal.changed) { try scene.keepWhileInUse(seeing: seen) }
        #expect(throws: DecisionRefusal.changed) { try scene.revoke(seeing: seen) }
        #expect(throws: DecisionRefusal.changed) {
            _ = try scene.machine.decide(Decision(level: .always), about: .maps, revision: seen, at: scene.now)
        }
        #expect(scene.machine.table.decision(about: .maps) == after, "\(name)")
    }

    @Test func theRevisionChangesWithEachEnd() throws {
        var scene = Scene([
            .maps: Decision(level: .whenInUse, accuracy: .reduced, lifetime: .until(secondsSince1970: Scene.midnight))
        ])
        var seen = [scene.revision()]
        scene.requestFull()
        try scene.answer(.once)
        seen.append(scene.revision())
        scene.run(scene.machine.wentToBackground(.maps, at: scene.now))
        seen.append(scene.revision())
        scene.advance(by: Scene.midnight - scene.now)
        seen.append(scene.revision())
        #expect(Set(seen).count == 4 && scene.status() == .notDetermined)
    }

    /// A grant that is being written is not in effect yet, so the user cannot have seen it.
    @Test func theRevisionChangesWhenAGrantBegins() throws {
        var scene = Scene([.maps: Decision(level: .whenInUse)])
        scene.writesAtOnce = false
        let seen = scene.revision()
        try scene.decide(Decision(level: .always))
        #expect(throws: DecisionRefusal.changed) { try scene.setAccuracy(.reduced, seeing: seen) }
        scene.finishWrite()
        #expect(scene.status() == .authorizedAlways && scene.accuracy() == .full)
    }

    /// Attack: a user counts how often another user decides.
    @Test func anotherUsersChangesDoNotShow() throws {
        var scene = Scene([.maps: Decision(level: .whenInUse)])
        let (seen, undecided) = (scene.revision(), scene.revision(of: .tool))
        for _ in 0..<10 {
            try scene.decide(Decision(level: .always), about: .mapsOfAnother)
            try scene.decide(nil, about: .mapsOfAnother)
        }
        #expect(scene.revision() == seen && scene.revision(of: .tool) == undecided)
        try scene.decide(nil)
        #expect(scene.revision() - seen <= 2, "only the user's own changes are counted")
    }

    @Test func aRestartChangesAllRevisions() {
        func table(_ first: UInt64) -> AuthorizationTable {
            AuthorizationTable(decisions: [.maps: Decision(level: .always)], firstRevision: first)
        }
        #expect(table(100).revision(of: .maps) != table(20_000).revision(of: .maps))
        #expect(table(100).revision(of: .tool) == 100)
    }

    // MARK: One thing at a time

    static let grants: [Decision] = [Decision.Level.whenInUse, .provisionalAlways, .always].flatMap { level in
        [AccuracyAuthorization.full, .reduced].flatMap { accuracy in
            [Decision.Lifetime.permanent, .once, .until(secondsSince1970: Scene.midnight)].map {
                Decision(level: level, accuracy: accuracy, lifetime: $0)
            }
        }
    }

    @Test(arguments: grants)
    func theAccuracyAloneChanges(decision: Decision) throws {
        for accuracy in [AccuracyAuthorization.full, .reduced] {
            var scene = Scene([.maps: decision])
            try scene.setAccuracy(accuracy)
            var expected = decision
            expected.accuracy = accuracy
            #expect(scene.machine.table.decision(about: .maps) == expected)
            if expected != decision { #expect(scene.disk[.maps] == expected) }
        }
    }

    /// Attack: each touch of the accuracy lets the app ask for `always` once more.
    @Test func aSpentPromptStaysSpent() throws {
        var scene = Scene([.maps: Decision(level: .whenInUse, alwaysPromptSpent: true)])
        try scene.setAccuracy(.reduced)
        try scene.setAccuracy(.full)
        scene.request(.always)
        #expect(scene.prompt() == nil)
    }

    @Test(arguments: grants)
    func theBackgroundAloneIsTakenAway(decision: Decision) throws {
        var scene = Scene([.maps: decision])
        try scene.keepWhileInUse()
        var expected = decision
        expected.level = .whenInUse
        expected.alwaysPromptSpent = true
        #expect(scene.machine.table.decision(about: .maps) == expected)
        #expect(scene.delivery(.background) == .suspend)
    }

    @Test(arguments: [nil, Decision.denied])
    func nothingIsGrantedByAChange(decision: Decision?) {
        var scene = Scene(decision.map { [.maps: $0] } ?? [:])
        #expect(throws: DecisionRefusal.nothingGranted) { try scene.setAccuracy(.full) }
        #expect(throws: DecisionRefusal.nothingGranted) { try scene.setAccuracy(.reduced) }
        #expect(throws: DecisionRefusal.nothingGranted) { try scene.keepWhileInUse() }
        #expect(throws: DecisionRefusal.nothingGranted) { try scene.revoke() }
        #expect(scene.machine.table.decision(about: .maps) == decision)
    }

    /// Attack: the timer is late, and a change to a grant that has just ended grants it again.
    @Test func whatIsOverIsNotChanged() {
        var scene = Scene([.maps: Decision(level: .whenInUse, lifetime: .until(secondsSince1970: Scene.midnight))])
        scene.now = Scene.midnight
        #expect(throws: DecisionRefusal.nothingGranted) { try scene.setAccuracy(.reduced) }
        scene.advance(by: 0)
        #expect(scene.status() == .notDetermined)
    }

    /// Attack: a prompt from before the user has reduced the accuracy is answered without one, and brings full accuracy
    /// back.
    @Test func aPromptIsReplacedByOneWithTheNewAccuracy() throws {
        var scene = Scene([.maps: Decision(level: .provisionalAlways)])
        scene.promptAgain()
        let old = try #require(scene.prompt())
        try scene.setAccuracy(.reduced)
        let new = try #require(scene.prompt())
        #expect(new.id != old.id && new.defaultAccuracy == .reduced && new.subject == old.subject)
        #expect(throws: AnswerRefusal.noSuchPrompt) {
            try scene.machine.answer(old.id, with: .always, at: scene.now)
        }
        try scene.answer(.always)
        #expect(scene.machine.table.decision(about: .maps) == Decision(level: .always, accuracy: .reduced))
    }
}
