import AuthorizationPolicy
import LocationModel
import Testing

/// The requests of apps, and the prompts that they cause.
@Suite struct RequestTests {
    @Test(arguments: RequestedLevel.allCases)
    func aRequestPromptsOnlyFromNotDetermined(level: RequestedLevel) {
        let decided: [Decision] = [
            .denied, Decision(level: .provisionalAlways), Decision(level: .always),
            Decision(level: .whenInUse, alwaysPromptSpent: true),
        ]
        for decision in decided {
            var scene = Scene([.maps: decision])
            let status = scene.status()
            let request = scene.request(level)
            #expect(scene.reply(to: request) == status)
            #expect(scene.opened.isEmpty)
        }
        var scene = Scene()
        let request = scene.request(level)
        #expect(scene.replies[request] == nil)
        #expect(scene.prompt()?.subject == (level == .always ? .always : .whenInUse))
        #expect(scene.last.contains(.open(scene.opened[0])))
    }

    @Test func alwaysPromptsOnceMoreFromWhenInUse() throws {
        var scene = Scene([.maps: Decision(level: .whenInUse)])
        scene.request(.always)
        #expect(scene.prompt()?.subject == .alwaysInsteadOfWhenInUse)
        try scene.answer(.whileUsing)
        #expect(scene.status() == .authorizedWhenInUse)
        let second = scene.request(.always)
        #expect(scene.reply(to: second) == .authorizedWhenInUse)
        #expect(scene.opened.count == 1)
        #expect(scene.disk[.maps]?.alwaysPromptSpent == true)
    }

    @Test(arguments: [Decision(level: .whenInUse), nil])
    func aNewDecisionOrAResetLetsAlwaysPromptAgain(decision: Decision?) throws {
        var scene = Scene([.maps: Decision(level: .whenInUse, alwaysPromptSpent: true)])
        try scene.decide(decision)
        scene.request(.always)
        #expect(scene.opened.count == 1)
    }

    @Test func alwaysPromptsAgainNotBeforeTheNewDecisionIsOnTheDisk() throws {
        var scene = Scene([.maps: Decision(level: .whenInUse, alwaysPromptSpent: true)])
        scene.writesAtOnce = false
        try scene.decide(Decision(level: .whenInUse))
        scene.request(.always)
        #expect(scene.opened.isEmpty)
        scene.finishWrite()
        scene.request(.always)
        #expect(scene.opened.count == 1)
    }

    @Test func theManifestsDescriptionReplacesTheAppsReason() {
        var scene = Scene()
        scene.request(.always, reason: "own words")
        #expect(scene.prompt()?.usageDescription?.text.plain == "Records hikes.")
        #expect(scene.prompt()?.usageDescription?.isFromApp == false)
    }

    @Test func withoutAManifestTheAppsOwnWordsAreMarked() {
        var scene = Scene(connected: [.tool])
        scene.request(.whenInUse, reason: "to show\n\u{202e}the way", by: .tool)
        #expect(scene.prompt(.tool)?.usageDescription?.text.plain == "to show the way")
        #expect(scene.prompt(.tool)?.usageDescription?.isFromApp == true)
    }

    @Test(arguments: [nil, "", " \n\u{202e}", "\u{200b}"])
    func withoutAnyDescriptionNobodyIsAsked(reason: String?) {
        var scene = Scene(connected: [.tool])
        let request = scene.request(.whenInUse, reason: reason, by: .tool)
        #expect(scene.replies[request] == .refusal(.usageDescriptionMissing))
        #expect(scene.opened.isEmpty)
    }

    @Test func ownWordsDoNotStandInForWhatTheManifestIsSilentAbout() throws {
        let manifest = try AppManifest(whenInUse: LocalizedText("Shows where you are."))
        var scene = Scene(manifests: [.maps: manifest])
        let request = scene.request(.always, reason: "own words")
        #expect(scene.replies[request] == .refusal(.usageDescriptionMissing))
    }

    @Test func anAnsweredRequestNeedsNoDescription() {
        var scene = Scene([.tool: .denied], connected: [.tool])
        let request = scene.request(.always, by: .tool)
        #expect(scene.reply(to: request) == .denied)
    }

    // MARK: One prompt at a time

    @Test func aFloodOfRequestsIsOnePrompt() throws {
        var scene = Scene()
        let requests = (0..<1000).map { _ in scene.request(.whenInUse) }
        #expect(scene.opened.count == 1)
        #expect(scene.replies.isEmpty)
        try scene.answer(.whileUsing)
        #expect(requests.allSatisfy { scene.reply(to: $0) == .authorizedWhenInUse })
    }

    @Test func everyAppHasItsOwnPrompt() throws {
        var scene = Scene(connected: [.maps, .mapsOfAnother])
        let own = scene.request(.whenInUse)
        let others = scene.request(.whenInUse, by: .mapsOfAnother)
        #expect(scene.machine.prompts.map(\.app) == [.maps, .mapsOfAnother])
        try scene.answer(.deny)
        #expect(scene.reply(to: own) == .denied)
        #expect(scene.replies[others] == nil)
        #expect(scene.status(.mapsOfAnother) == .notDetermined)
    }

    @Test func alwaysWaitsForTheAnswerToWhenInUseAndAsksThen() throws {
        var scene = Scene()
        let whenInUse = scene.request(.whenInUse)
        let always = scene.request(.always)
        #expect(scene.opened.count == 1)
        try scene.answer(.whileUsing)
        #expect(scene.reply(to: whenInUse) == .authorizedWhenInUse)
        #expect(scene.replies[always] == nil)
        #expect(scene.prompt()?.subject == .alwaysInsteadOfWhenInUse)
        try scene.answer(.always)
        #expect(scene.reply(to: always) == .authorizedAlways)
    }

    @Test(arguments: [PromptAnswer.deny, .dismiss])
    func alwaysThatWaitedDoesNotAskAfterANo(answer: PromptAnswer) throws {
        var scene = Scene()
        scene.request(.whenInUse)
        let always = scene.request(.always)
        try scene.answer(answer)
        #expect(scene.reply(to: always) == (answer == .deny ? .denied : .notDetermined))
        #expect(scene.opened.count == 1)
    }

    @Test func theAnswerToAlwaysIsForWhenInUseToo() throws {
        var scene = Scene()
        let always = scene.request(.always)
        let whenInUse = scene.request(.whenInUse)
        try scene.answer(.once)
        #expect(scene.reply(to: always) == .authorizedWhenInUse)
        #expect(scene.reply(to: whenInUse) == .authorizedWhenInUse)
    }

    @Test func aRequestWhileTheAnswerIsBeingWrittenDoesNotPromptAgain() throws {
        var scene = Scene()
        scene.writesAtOnce = false
        scene.request(.whenInUse)
        try scene.answer(.whileUsing)
        let late = scene.request(.whenInUse)
        #expect(scene.replies.isEmpty)
        scene.finishWrite()
        #expect(scene.reply(to: late) == .authorizedWhenInUse)
        #expect(scene.opened.count == 1)
    }

    @Test func withNobodyToAnswerTheRequestStaysPending() {
        var scene = Scene()
        let request = scene.request(.whenInUse)
        for _ in 1...100 { scene.advance(by: 3600) }
        #expect(scene.replies[request] == nil)
        #expect(scene.machine.prompts.count == 1)
        #expect(scene.machine.deadline == nil)
    }

    // MARK: Prompts are suppressed

    @Test func afterThreeDismissalsNobodyIsAskedForAMinute() throws {
        var scene = Scene()
        for _ in 1...3 {
            let request = scene.request(.whenInUse)
            try scene.answer(.dismiss)
            #expect(scene.reply(to: request) == .notDetermined)
        }
        scene.advance(by: 59)
        scene.request(.whenInUse)
        #expect(scene.lastReply == .refusal(.promptDeclined))
        scene.request(.always)
        #expect(scene.lastReply == .refusal(.promptDeclined))
        #expect(scene.opened.count == 3)
        scene.advance(by: 1)
        for _ in 1...3 {
            scene.request(.whenInUse)
            try scene.answer(.dismiss)
        }
        #expect(scene.opened.count == 6)
        scene.request(.whenInUse)
        #expect(scene.lastReply == .refusal(.promptDeclined))
    }

    @Test func dismissalsAreInARowHoweverLongItIsFromOneToTheNext() throws {
        var scene = Scene([.maps: Decision(level: .whenInUse)])
        for wait: Int64 in [100, 86_400, 0] {
            scene.request(.always)
            try scene.answer(.dismiss)
            scene.advance(by: wait)
        }
        scene.request(.always)
        #expect(scene.lastReply == .refusal(.promptDeclined))
    }

    @Test func reconnectingDoesNotLiftTheSuppression() throws {
        var scene = Scene()
        for _ in 1...3 {
            scene.request(.whenInUse)
            try scene.answer(.dismiss)
        }
        scene.disconnect()
        scene.advance(by: 30)
        scene.connect()
        scene.request(.whenInUse)
        #expect(scene.lastReply == .refusal(.promptDeclined))
    }

    @Test func anAnswerBetweenDismissalsResetsTheCount() throws {
        var scene = Scene()
        for answer in [PromptAnswer.dismiss, .dismiss, .once] {
            scene.request(.whenInUse)
            try scene.answer(answer)
        }
        try scene.decide(nil)
        scene.request(.whenInUse)
        try scene.answer(.dismiss)
        scene.request(.whenInUse)
        #expect(scene.prompt() != nil)
    }

    @Test func theUserCanGrantWhilePromptsAreSuppressed() throws {
        var scene = Scene()
        for _ in 1...3 {
            scene.request(.whenInUse)
            try scene.answer(.dismiss)
        }
        try scene.decide(Decision(level: .whenInUse))
        scene.request(.always)
        #expect(scene.prompt()?.subject == .alwaysInsteadOfWhenInUse)
    }

    // MARK: Abandoned prompts

    @Test func anAppThatGoesAndComesFindsItsPromptAgain() throws {
        var scene = Scene()
        for _ in 1...10 {
            scene.request(.whenInUse)
            scene.disconnect()
            scene.advance(by: 9)
            scene.connect()
        }
        let request = scene.request(.whenInUse)
        #expect(scene.opened.count == 1)
        try scene.answer(.whileUsing)
        #expect(scene.reply(to: request) == .authorizedWhenInUse)
    }

    @Test func aPromptThatNobodyWaitsForEndsAfterTenSecondsAsIfDismissed() {
        var scene = Scene()
        for round in 1...3 {
            scene.cancel(scene.request(.whenInUse))
            scene.advance(by: 9)
            #expect(scene.prompt() != nil)
            scene.advance(by: 1)
            #expect(scene.prompt() == nil)
            #expect(scene.last.contains(.close(scene.opened[round - 1])))
        }
        scene.request(.whenInUse)
        #expect(scene.lastReply == .refusal(.promptDeclined))
    }

    @Test func aPromptStaysWhileOneRequestWaits() {
        var scene = Scene()
        let first = scene.request(.whenInUse)
        scene.request(.whenInUse)
        scene.cancel(first)
        scene.advance(by: 3600)
        #expect(scene.prompt() != nil)
    }

    @Test func nothingIsRememberedOfAnAppThatIsGone() {
        var scene = Scene()
        scene.cancel(scene.request(.whenInUse))
        scene.disconnect()
        for _ in 1...10 { scene.advance(by: 10) }
        #expect(scene.machine.deadline == nil)
        #expect(scene.machine.prompts.isEmpty)
        // As if the app were new: three dismissals are needed again before its prompts are suppressed.
        scene.connect()
        scene.request(.whenInUse)
        #expect(scene.prompt() != nil)
    }
}
