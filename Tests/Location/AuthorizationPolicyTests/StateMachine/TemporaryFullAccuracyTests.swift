import AuthorizationPolicy
import LocationModel
import Testing

@Suite struct TemporaryFullAccuracyTests {
    private var reduced: Scene { Scene([.maps: Decision(level: .whenInUse, accuracy: .reduced)]) }

    @Test func aPurposeOfTheManifestIsAskedForAndGrantsFullAccuracy() throws {
        var scene = reduced
        let request = scene.requestFull()
        #expect(scene.prompt()?.subject == .temporaryFullAccuracy(purposeKey: "navigation"))
        #expect(scene.prompt()?.usageDescription?.text.plain == "Tells you where to turn.")
        try scene.answer(.once)
        #expect(scene.accuracy() == .full)
        #expect(
            scene.replies[request]
                == .authorization(Authorization(status: .authorizedWhenInUse, accuracy: .full, servicesEnabled: true)))
        #expect(scene.machine.table.decision(about: .maps)?.accuracy == .reduced)
        #expect(scene.disk[.maps]?.accuracy == .reduced)
    }

    @Test func aMissingPurposeIsDeclined() {
        var scene = reduced
        scene.requestFull("advertising")
        #expect(scene.lastReply == .refusal(.promptDeclined))
        var tool = Scene([.tool: Decision(level: .whenInUse, accuracy: .reduced)], connected: [.tool])
        tool.requestFull(by: .tool)
        #expect(tool.lastReply == .refusal(.promptDeclined))
        #expect(scene.opened.isEmpty && tool.opened.isEmpty)
    }

    @Test func fullAlreadyIsDeclined() throws {
        var scene = Scene([.maps: Decision(level: .whenInUse)])
        scene.requestFull()
        #expect(scene.lastReply == .refusal(.promptDeclined))
        scene = reduced
        scene.requestFull()
        try scene.answer(.once)
        scene.requestFull("rescue")
        #expect(scene.lastReply == .refusal(.promptDeclined))
        #expect(scene.opened.count == 1)
    }

    @Test func inTheBackgroundItIsDeclined() {
        var scene = reduced
        scene.requestFull("navigation", .background)
        #expect(scene.lastReply == .refusal(.promptDeclined))
        #expect(scene.opened.isEmpty)
    }

    @Test(arguments: [nil, Decision.denied])
    func withoutAuthorizationItIsDeclined(decision: Decision?) {
        var scene = Scene(decision.map { [.maps: $0] } ?? [:])
        scene.requestFull()
        #expect(scene.lastReply == .refusal(.promptDeclined))
    }

    @Test func itEndsLikeOnce() throws {
        var scene = reduced
        scene.requestFull()
        try scene.answer(.once)
        scene.advance(by: 86_400)
        #expect(scene.accuracy() == .full)
        scene.disconnect()
        scene.advance(by: 9)
        scene.connect()
        scene.advance(by: 60)
        #expect(scene.accuracy() == .full)
        scene.disconnect()
        scene.advance(by: 10)
        #expect(scene.accuracy() == .reduced)
        #expect(scene.status() == .authorizedWhenInUse)
    }

    @Test(arguments: [nil, .denied, Decision(level: .always, accuracy: .reduced)])
    func aDecisionEndsIt(decision: Decision?) throws {
        var scene = reduced
        scene.requestFull()
        try scene.answer(.once)
        scene.writesAtOnce = false
        try scene.decide(decision)
        #expect(!scene.machine.table.hasTemporaryFullAccuracy(.maps))
        #expect(scene.accuracy() == decision.map(\.accuracy) ?? .full)
    }

    @Test func keepingOrGrantingAlwaysLeavesIt() throws {
        for answer in [PromptAnswer.whileUsing, .always] {
            var scene = reduced
            scene.requestFull()
            try scene.answer(.once)
            scene.request(.always)
            try scene.answer(answer)
            #expect(scene.accuracy() == .full)
            #expect(scene.machine.table.decision(about: .maps)?.accuracy == .reduced)
        }
    }

    @Test func aDenialHoldsUntilTheAppHasDisconnected() throws {
        var scene = reduced
        let request = scene.requestFull()
        try scene.answer(.deny)
        #expect(scene.reply(to: request) == .authorizedWhenInUse)
        #expect(scene.accuracy() == .reduced)
        scene.requestFull()
        #expect(scene.lastReply == .refusal(.promptDeclined))
        scene.requestFull("rescue")
        #expect(scene.prompt()?.subject == .temporaryFullAccuracy(purposeKey: "rescue"))
        try scene.answer(.dismiss)
        scene.disconnect()
        scene.advance(by: 10)
        scene.connect()
        scene.requestFull()
        #expect(scene.prompt()?.subject == .temporaryFullAccuracy(purposeKey: "navigation"))
    }

    @Test func itDoesNotOutlastARestart() throws {
        var scene = reduced
        scene.requestFull()
        try scene.answer(.once)
        #expect(Scene(scene.disk).accuracy() == .reduced)
    }

    @Test func anotherPurposeWaitsAndIsAnsweredWithTheFirst() throws {
        var scene = reduced
        scene.requestFull()
        let other = scene.requestFull("rescue")
        #expect(scene.opened.count == 1)
        try scene.answer(.once)
        #expect(scene.replies[other] == .refusal(.promptDeclined))
    }
}
