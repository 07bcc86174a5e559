import AuthorizationPolicy
import LocationModel
import Testing

/// The answers to prompts, and the decisions that they lead to.
@Suite struct AnswerTests {
    @Test(arguments: [
        (OpenPrompt.Subject.whenInUse, [PromptAnswer.deny, .once, .whileUsing, .untilTomorrow, .dismiss]),
        (.always, [.deny, .once, .whileUsing, .untilTomorrow, .always, .dismiss]),
        (.alwaysInsteadOfWhenInUse, [.whileUsing, .always, .dismiss]),
        (.keepAlways, [.whileUsing, .always, .dismiss]),
        (.temporaryFullAccuracy(purposeKey: "navigation"), [.deny, .once, .dismiss]),
    ])
    func theAnswersOfferedForEachPrompt(subject: OpenPrompt.Subject, answers: [PromptAnswer]) {
        #expect(PromptAnswer.offered(for: subject) == answers)
    }

    @Test(arguments: AccuracyAuthorization.allCases)
    func everyAnswerWithEitherAccuracy(accuracy: AccuracyAuthorization) throws {
        let expected: [(PromptAnswer, Decision)] = [
            (.once, Decision(level: .whenInUse, accuracy: accuracy, lifetime: .once)),
            (.whileUsing, Decision(level: .provisionalAlways, accuracy: accuracy)),
            (
                .untilTomorrow,
                Decision(
                    level: .whenInUse, accuracy: accuracy, lifetime: .until(secondsSince1970: Scene.midnight))
            ),
            (.always, Decision(level: .always, accuracy: accuracy)),
            (.deny, .denied),
        ]
        for (answer, decision) in expected {
            var scene = Scene()
            scene.request(.always)
            try scene.answer(answer, accuracy)
            #expect(scene.machine.table.decision(about: .maps) == decision)
            #expect(scene.disk[.maps] == decision)
        }
    }

    @Test func anAnswerWithoutAccuracyHasTheManifestsDefault() throws {
        for (manifest, accuracy) in [(AppManifest.ofMaps, AccuracyAuthorization.full), (.ofMapsReduced, .reduced)] {
            var scene = Scene(manifests: [.maps: manifest])
            scene.request(.whenInUse)
            #expect(scene.prompt()?.defaultAccuracy == accuracy)
            try scene.answer(.whileUsing)
            #expect(scene.accuracy() == accuracy)
        }
    }

    @Test func alwaysInsteadOfWhenInUseKeepsTheAccuracyUnlessAnswered() throws {
        let cases: [(AccuracyAuthorization?, AccuracyAuthorization)] = [(nil, .reduced), (.full, .full)]
        for (chosen, expected) in cases {
            var scene = Scene([.maps: Decision(level: .whenInUse, accuracy: .reduced)])
            scene.request(.always)
            try scene.answer(.always, chosen)
            #expect(scene.status() == .authorizedAlways)
            #expect(scene.accuracy() == expected)
        }
    }

    @Test func aDismissedPromptLeavesEverythingAsItIs() throws {
        for decision in [nil, Decision(level: .whenInUse), Decision(level: .whenInUse, accuracy: .reduced)] {
            var scene = Scene(decision.map { [.maps: $0] } ?? [:])
            let status = scene.status()
            let request = scene.request(.always)
            try scene.answer(.dismiss)
            #expect(scene.machine.table.decision(about: .maps) == decision)
            #expect(scene.reply(to: request) == status)
            scene.request(.always)
            #expect(scene.opened.count == 2)
        }
    }

    @Test func anAnswerThatIsNotOfferedIsRefused() {
        var scene = Scene()
        scene.request(.whenInUse)
        #expect(throws: AnswerRefusal.notOffered(PromptAnswer.offered(for: .whenInUse))) { try scene.answer(.always) }
        #expect(scene.status() == .notDetermined)
        #expect(scene.prompt() != nil)
    }

    @Test func aPromptIsAnsweredOnce() throws {
        var scene = Scene()
        scene.request(.whenInUse)
        let id = try #require(scene.prompt()).id
        try scene.answer(.deny)
        #expect(throws: AnswerRefusal.noSuchPrompt) {
            try scene.machine.answer(id, with: .whileUsing, at: scene.now)
        }
        #expect(scene.status() == .denied)
    }

    @Test func fullAccuracyCannotBeGrantedReduced() {
        var scene = Scene([.maps: Decision(level: .whenInUse, accuracy: .reduced)])
        scene.requestFull()
        #expect(throws: AnswerRefusal.contradictory) { try scene.answer(.once, .reduced) }
        #expect(scene.prompt() != nil)
    }

    @Test func anAnswerFromBeforeARestartMeetsNoOtherPrompt() throws {
        var before = Scene()
        before.request(.whenInUse)
        let old = try #require(before.prompt()).id
        var machine = AuthorizationStateMachine(
            manifests: [.maps: .ofMaps], firstPromptID: 1000, at: Scene.start, nextMidnight: { $0 + 86_400 })
        _ = machine.request(.whenInUse, id: 1, by: .mapsOfAnother, at: Scene.start)
        #expect(throws: AnswerRefusal.noSuchPrompt) {
            try machine.answer(old, with: .whileUsing, at: Scene.start)
        }
    }

    // MARK: Provisional always

    @Test func provisionalAlwaysIsSeenAsAlways() throws {
        var scene = Scene()
        let request = scene.request(.always)
        try scene.answer(.whileUsing)
        #expect(scene.reply(to: request) == .authorizedAlways)
        #expect(scene.machine.table.isProvisional(.maps))
        #expect(scene.disk[.maps]?.level == .provisionalAlways)
    }

    @Test func provisionalAlwaysDeliversNothingInTheBackgroundUntilTheSecondAnswer() throws {
        let cases: [(PromptAnswer, AuthorizationStatus, Delivery)] = [
            (.whileUsing, .authorizedWhenInUse, .suspend),
            (.always, .authorizedAlways, .deliver(inBackground: true)),
        ]
        for (answer, status, delivery) in cases {
            var scene = Scene([.maps: Decision(level: .provisionalAlways)])
            #expect(scene.delivery(.inUse) == .deliver(inBackground: false))
            #expect(scene.delivery(.background) == .promptAgain)
            let terms = DeliveryTerms(presence: .inUse, allowsBackground: true)
            #expect(scene.delivery(.background, terms) == .promptAgain)
            for _ in 1...5 { scene.promptAgain() }
            #expect(scene.opened.map(\.subject) == [.keepAlways])
            #expect(scene.prompt()?.usageDescription?.text.plain == "Records hikes.")
            #expect(scene.delivery(.background) == .promptAgain)
            try scene.answer(answer)
            #expect(scene.status() == status)
            #expect(scene.delivery(.background) == delivery)
            // Sent even if the app sees no difference, because its subscriptions have to be evaluated again.
            #expect(scene.last.contains(.changed(.maps)))
            scene.promptAgain()
            scene.request(.always)
            #expect(scene.opened.count == 1)
        }
    }

    @Test func aDismissedSecondPromptIsAskedAgainAtTheNextOccasion() throws {
        var scene = Scene([.maps: Decision(level: .provisionalAlways)])
        for _ in 1...3 {
            scene.promptAgain()
            try scene.answer(.dismiss)
            #expect(scene.delivery(.background) == .promptAgain)
        }
        scene.promptAgain()
        #expect(scene.opened.count == 3)
        scene.advance(by: 60)
        scene.promptAgain()
        #expect(scene.opened.count == 4)
    }

    @Test func onlyAProvisionalAlwaysIsAskedAboutAgain() {
        for decision in [nil, .denied, Decision(level: .whenInUse), Decision(level: .always)] {
            var scene = Scene(decision.map { [.maps: $0] } ?? [:])
            scene.promptAgain()
            #expect(scene.opened.isEmpty)
        }
    }

    @Test func theSecondPromptOutlivesTheConnection() {
        var scene = Scene([.maps: Decision(level: .provisionalAlways)])
        scene.promptAgain()
        scene.disconnect()
        scene.advance(by: 3600)
        #expect(scene.prompt()?.subject == .keepAlways)
    }
}
