import LocationModel
import TestSupport
import Testing

@testable import AuthorizationPolicy

/// The bounds on one user's open prompts and decisions.
@Suite struct BoundTests {
    private static let prompts = AuthorizationStateMachine.maximumOpenPromptsPerUser
    private static let decisions = AuthorizationStateMachine.maximumDecisionsPerUser

    private static func app(_ index: Int, uid: UInt32 = 1000) -> AppKey {
        AppKey(uid: uid, app: AppIdentity("exe:/opt/\(index)/" + String(repeating: "x", count: 4000))!)
    }

    private static func scene(asking count: Int) -> Scene {
        var scene = Scene(connected: (0..<count).map { app($0) })
        for index in 0..<count { scene.request(.whenInUse, reason: "own words", by: app(index)) }
        return scene
    }

    /// Attack: two hundred programs with long paths send requests at once.
    @Test func furtherAppsWaitInTheirOrder() throws {
        var scene = Self.scene(asking: 200)
        #expect(scene.machine.prompts.count == Self.prompts)
        #expect(scene.opened.map(\.app) == (0..<Self.prompts).map { Self.app($0) })
        #expect(scene.replies.isEmpty)
        // A prompt about another user's app opens at once.
        scene.connect(.mapsOfAnother)
        scene.request(.whenInUse, by: .mapsOfAnother)
        #expect(scene.prompt(.mapsOfAnother) != nil)
        for index in 0..<200 {
            try scene.answer([.deny, .whileUsing, .dismiss][index % 3], about: Self.app(index))
            #expect(scene.machine.prompts.count <= Self.prompts + 1)
        }
        #expect(scene.opened.filter { $0.app.uid == 1000 }.map(\.app) == (0..<200).map { Self.app($0) })
        #expect(scene.replies.count == 200)
    }

    @Test func aDisconnectedAppLosesItsPlaceInTheQueue() throws {
        var scene = Self.scene(asking: Self.prompts + 3)
        scene.disconnect(Self.app(Self.prompts))
        try scene.answer(.deny, about: Self.app(0))
        #expect(scene.prompt(Self.app(Self.prompts)) == nil)
        #expect(scene.prompt(Self.app(Self.prompts + 1)) != nil)
        // A new request goes to the end of the queue.
        scene.connect(Self.app(Self.prompts))
        scene.request(.whenInUse, reason: "own words", by: Self.app(Self.prompts))
        try scene.answer(.deny, about: Self.app(1))
        #expect(scene.prompt(Self.app(Self.prompts + 2)) != nil)
        let cancelled = scene.request(.always, reason: "own words", by: Self.app(Self.prompts))
        scene.cancel(cancelled, by: Self.app(Self.prompts))
        try scene.answer(.deny, about: Self.app(2))
        #expect(scene.prompt(Self.app(Self.prompts))?.subject == .whenInUse)
    }

    /// Attack: programs that send a request and exit use up all prompts of the user.
    @Test func abandonedPromptsMakeRoom() {
        var scene = Self.scene(asking: Self.prompts)
        for index in 0..<Self.prompts { scene.disconnect(Self.app(index)) }
        scene.request(.whenInUse)
        #expect(scene.prompt() == nil)
        scene.advance(by: AuthorizationStateMachine.abandonedPromptSeconds)
        #expect(scene.prompt() != nil)
        #expect(scene.machine.prompts.count == 1)
    }

    @Test func aDecisionAnswersAnAppThatWaits() throws {
        var scene = Self.scene(asking: Self.prompts + 1)
        try scene.decide(Decision(level: .whenInUse), about: Self.app(Self.prompts))
        #expect(scene.lastReply == .authorization(scene.machine.table.authorization(of: Self.app(Self.prompts))))
        for index in 0..<Self.prompts { try scene.decide(nil, about: Self.app(index)) }
        #expect(scene.machine.prompts.isEmpty)
        #expect(scene.machine.hasOnlyStoredState == false)
        for index in 0...Self.prompts { scene.disconnect(Self.app(index)) }
        #expect(scene.machine.hasOnlyStoredState)
    }

    @Test func noSecondPromptWithoutRoom() throws {
        let provisional = Decision(level: .provisionalAlways)
        var scene = Scene([.maps: provisional], connected: [.maps])
        for index in 0..<Self.prompts {
            scene.connect(Self.app(index))
            scene.request(.whenInUse, reason: "own words", by: Self.app(index))
        }
        scene.promptAgain()
        #expect(scene.prompt() == nil)
        try scene.answer(.deny, about: Self.app(0))
        scene.promptAgain()
        #expect(scene.prompt()?.subject == .keepAlways)
    }

    /// In any order of events, a user never has too many open prompts, and never too few while an app waits for one.
    @Test(arguments: UInt64(1)...12) func theBoundHoldsInAnyOrder(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var scene = Scene(connected: [])
        let apps = (0..<24).map { Self.app($0, uid: $0 < 16 ? 1000 : 1001) }
        var requests: [AppKey: [UInt64]] = [:]
        for _ in 0..<2000 {
            let app = apps.randomElement(using: &random)!
            switch Int.random(in: 0..<12, using: &random) {
            case 0...5: requests[app, default: []].append(scene.request(.whenInUse, reason: "own words", by: app))
            case 6: if let request = requests[app]?.popLast() { scene.cancel(request, by: app) }
            case 7: scene.connect(app)
            case 8: scene.disconnect(app)
            case 9:
                if scene.prompt(app) != nil {
                    try scene.answer([.deny, .dismiss, .once].randomElement(using: &random)!, about: app)
                }
            case 10: try scene.decide(nil, about: app)
            default: scene.advance(by: [0, 3, 10, 60].randomElement(using: &random)!)
            }
            for uid: UInt32 in [1000, 1001] {
                let open = scene.machine.prompts.count { $0.app.uid == uid }
                #expect(open <= Self.prompts)
                #expect(scene.machine.openPrompts[uid] ?? 0 == open)
                let isWaiting = scene.machine.states.contains {
                    $0.key.uid == uid && $0.value.prompt == nil && !$0.value.waiting.isEmpty
                }
                #expect(!isWaiting || open == Self.prompts)
                #expect(isWaiting == scene.machine.queue.users.contains(uid))
            }
        }
    }

    /// Attack: a user grants access to nonexistent apps without end.
    @Test func decisionsOfAUserAreBounded() throws {
        var scene = Scene(connected: [.maps])
        scene.writesAtOnce = false
        // Decisions that are still being written count.
        for index in 0..<Self.decisions { try scene.decide(Decision(level: .always), about: Self.app(index)) }
        func refuses(_ decision: Decision?, about app: AppKey) -> Bool {
            do { try scene.decide(decision, about: app) } catch { return error == .tooManyDecisions }
            return false
        }
        #expect(refuses(.denied, about: .tool))
        while !scene.writes.isEmpty { scene.finishWrite() }
        scene.writesAtOnce = true
        #expect(refuses(Decision(level: .whenInUse), about: .tool))
        #expect(refuses(.denied, about: .tool))
        #expect(scene.status(.tool) == .notDetermined)
        // Existing decisions can still be changed, revoked and reset, and another user has a limit of their own.
        try scene.decide(.denied, about: Self.app(0))
        try scene.decide(Decision(level: .whenInUse), about: Self.app(0))
        try scene.decide(.denied, about: .mapsOfAnother)
        try scene.decide(nil, about: .tool)
        scene.request(.whenInUse)
        #expect(throws: AnswerRefusal.tooManyDecisions) { try scene.answer(.once) }
        #expect(scene.prompt() != nil)
        try scene.decide(nil, about: Self.app(0))
        try scene.answer(.once)
        #expect(scene.status() == .authorizedWhenInUse)
        #expect(refuses(.denied, about: .tool))
        scene.disconnect(.maps)
        scene.advance(by: 10)
        try scene.decide(.denied, about: .tool)
        #expect(scene.status(.tool) == .denied)
    }
}
