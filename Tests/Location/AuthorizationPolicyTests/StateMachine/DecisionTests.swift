import AuthorizationPolicy
import LocationModel
import Testing

/// Decisions that the administrator and the user make without a prompt, and when they take effect.
@Suite struct DecisionTests {
    // MARK: Restrictions and switches

    @Test(arguments: [
        Restriction.everything, Restriction(app: .maps), Restriction(uid: 1000), Restriction(app: .maps, uid: 1000),
    ])
    func restrictedBeatsEverythingElseAndKeepsWhatWasDecided(restriction: Restriction) {
        for decision in [.denied, Decision(level: .whenInUse), Decision(level: .provisionalAlways)] {
            var scene = Scene([.maps: decision])
            let status = scene.status()
            scene.restrict([restriction])
            #expect(scene.status() == .restricted)
            #expect(scene.delivery(.inUse) == .refuse)
            scene.setServices(false)
            #expect(scene.status() == .restricted)
            scene.setServices(true)
            scene.restrict([])
            #expect(scene.status() == status)
            #expect(scene.disk[.maps] == decision)
        }
    }

    @Test func aRestrictionIsAboutThatAppAndThatUser() {
        var scene = Scene(connected: [.maps, .mapsOfAnother, .tool])
        scene.restrict([Restriction(app: .maps, uid: 1000)])
        #expect(scene.status(.maps) == .restricted)
        #expect(scene.status(.mapsOfAnother) == .notDetermined)
        #expect(scene.status(.tool) == .notDetermined)
    }

    @Test func nobodyCanGrantWhatIsRestricted() throws {
        var scene = Scene()
        scene.restrict([.everything])
        #expect(throws: DecisionRefusal.restricted) { try scene.decide(Decision(level: .whenInUse)) }
        #expect(scene.disk.isEmpty)
        let request = scene.request(.whenInUse)
        #expect(scene.reply(to: request) == .restricted)
        #expect(scene.opened.isEmpty)
        try scene.decide(.denied)
        scene.restrict([])
        #expect(scene.status() == .denied)
    }

    @Test func aGrantThatIsBeingWrittenDoesNotBeatARestriction() throws {
        var scene = Scene()
        scene.writesAtOnce = false
        scene.request(.whenInUse)
        try scene.answer(.whileUsing)
        scene.restrict([.everything])
        scene.finishWrite()
        #expect(scene.status() == .restricted)
        #expect(scene.reply(to: 1) == .restricted)
    }

    @Test(arguments: [nil, 1000] as [UInt32?])
    func servicesOffIsDeniedAndAnswersRequestsAtOnce(uid: UInt32?) {
        var scene = Scene([.maps: Decision(level: .always)], connected: [.maps, .tool])
        let pending = scene.request(.whenInUse, reason: "own words", by: .tool)
        scene.setServices(false, for: uid)
        #expect(scene.reply(to: pending) == .denied)
        #expect(scene.machine.prompts.isEmpty)
        for app in [AppKey.maps, .tool] {
            #expect(scene.status(app) == .denied)
            #expect(!scene.machine.table.authorization(of: app).servicesEnabled)
            let request = scene.request(.always, reason: "own words", by: app)
            #expect(scene.reply(to: request) == .denied)
        }
        scene.setServices(true, for: uid)
        #expect(scene.status() == .authorizedAlways)
        #expect(scene.status(.tool) == .notDetermined)
    }

    // MARK: Decisions at any time

    @Test(arguments: [
        (nil, AuthorizationStatus.notDetermined), (.denied, .denied),
        (Decision(level: .whenInUse), .authorizedWhenInUse), (Decision(level: .always), .authorizedAlways),
    ])
    func aDecisionAnswersThePromptThatIsOpen(decision: Decision?, status: AuthorizationStatus) throws {
        var scene = Scene()
        let request = scene.request(.whenInUse)
        try scene.decide(decision)
        #expect(scene.last.contains(.close(scene.opened[0])))
        #expect(scene.machine.prompts.isEmpty)
        #expect(scene.reply(to: request) == status)
        #expect(scene.status() == status)
    }

    @Test func resetMeansAskNextTime() throws {
        var scene = Scene([.maps: .denied])
        try scene.decide(nil)
        #expect(scene.status() == .notDetermined)
        #expect(scene.disk[.maps] == nil)
        scene.request(.whenInUse)
        #expect(scene.prompt() != nil)
    }

    @Test func aChangeNotifiesOnlyTheAffectedApp() throws {
        var scene = Scene(connected: [.maps, .mapsOfAnother])
        try scene.decide(Decision(level: .whenInUse))
        let granted = Authorization(status: .authorizedWhenInUse, accuracy: .full, servicesEnabled: true)
        #expect(scene.last.contains(.changed(.maps)) && scene.machine.table.authorization(of: .maps) == granted)
        try scene.decide(Decision(level: .whenInUse))
        #expect(!scene.last.contains(.changed(.maps)))
        scene.setServices(false, for: 1001)
        let off = Authorization(
            status: .denied, accuracy: .full, servicesEnabled: false, decision: .notDetermined)
        #expect(scene.last.contains(.changed(.mapsOfAnother)))
        #expect(scene.machine.table.authorization(of: .mapsOfAnother) == off)
        #expect(!scene.last.contains(.changed(.maps)))
    }

    /// Attack: location services are off, and an app that keeps locations does not learn that it was denied them.
    @Test func aDecisionIsReportedWhileServicesAreOff() throws {
        var scene = Scene(connected: [.maps])
        try scene.decide(Decision(level: .always))
        scene.setServices(false, for: 1000)
        for (decision, status) in [
            (Decision(level: .denied), AuthorizationStatus.denied), (nil, .notDetermined),
            (Decision(level: .whenInUse, accuracy: .reduced), .authorizedWhenInUse),
        ] {
            try scene.decide(decision)
            let authorization = Authorization(
                status: .denied, accuracy: decision?.accuracy ?? .full, servicesEnabled: false, decision: status)
            #expect(
                scene.last.contains(.changed(.maps)) && scene.machine.table.authorization(of: .maps) == authorization)
        }
    }

    // MARK: The disk

    @Test func whatOpensTakesEffectWhenItIsOnTheDisk() throws {
        var scene = Scene()
        scene.writesAtOnce = false
        let request = scene.request(.whenInUse)
        try scene.answer(.whileUsing)
        #expect(scene.last.contains(.close(scene.opened[0])))
        #expect(scene.status() == .notDetermined)
        #expect(scene.replies[request] == nil)
        scene.finishWrite()
        #expect(scene.status() == .authorizedWhenInUse)
        #expect(scene.reply(to: request) == .authorizedWhenInUse)
    }

    @Test(arguments: [nil, Decision.denied])
    func aRevocationHoldsAtOnceAndStaysWhenWritingFails(decision: Decision?) throws {
        var scene = Scene([.maps: Decision(level: .always)])
        scene.writesAtOnce = false
        try scene.decide(decision)
        let expected: AuthorizationStatus = decision == nil ? .notDetermined : .denied
        #expect(scene.delivery(.inUse) == .refuse)
        #expect(scene.status() == expected)
        scene.finishWrite(successfully: false)
        #expect(scene.status() == expected)
    }

    @Test func aRevocationOvertakesAGrantThatIsBeingWritten() throws {
        var scene = Scene()
        scene.writesAtOnce = false
        try scene.decide(Decision(level: .always))
        try scene.decide(.denied)
        #expect(scene.status() == .denied)
        scene.finishWrite()
        #expect(scene.status() == .denied)
        scene.finishWrite()
        #expect(scene.status() == .denied)
        #expect(scene.disk[.maps] == .denied)
    }

    @Test func aDecisionThatOpensAndClosesClosesAtOnce() throws {
        var scene = Scene([.maps: Decision(level: .always, accuracy: .reduced)])
        scene.writesAtOnce = false
        try scene.decide(Decision(level: .whenInUse, accuracy: .full, lifetime: .once))
        #expect(scene.status() == .authorizedWhenInUse)
        #expect(scene.accuracy() == .reduced)
        scene.finishWrite()
        #expect(scene.accuracy() == .full)
        try scene.decide(Decision(level: .always, accuracy: .reduced))
        #expect(scene.accuracy() == .reduced)
        #expect(scene.status() == .authorizedWhenInUse)
        scene.finishWrite(successfully: false)
        #expect(scene.accuracy() == .reduced)
        #expect(scene.status() == .authorizedWhenInUse)
    }

    @Test func aRequestIsAnsweredWhenAllOfTheAnswerHolds() throws {
        var scene = Scene([.maps: Decision(level: .whenInUse)])
        scene.writesAtOnce = false
        let request = scene.request(.always)
        try scene.answer(.always, .reduced)
        #expect(scene.accuracy() == .reduced)
        #expect(scene.replies[request] == nil)
        scene.finishWrite()
        #expect(scene.reply(to: request) == .authorizedAlways)
    }

    @Test func aGrantThatCouldNotBeWrittenIsNoneAndEndsThePrompt() throws {
        var scene = Scene()
        scene.writesAtOnce = false
        for _ in 1...3 {
            let request = scene.request(.whenInUse)
            try scene.answer(.whileUsing)
            scene.finishWrite(successfully: false)
            #expect(scene.reply(to: request) == .notDetermined)
            #expect(scene.status() == .notDetermined)
            // The absence of a decision.
            scene.finishWrite(successfully: false)
        }
        // A disk that stays full does not cause a flood of prompts.
        scene.request(.whenInUse)
        #expect(scene.lastReply == .refusal(.promptDeclined))
    }

    @Test func servicesGoOnWhenThatIsOnTheDiskAndOffAtOnce() {
        var scene = Scene()
        scene.writesAtOnce = false
        scene.setServices(false)
        #expect(scene.status() == .denied)
        scene.finishWrite()
        scene.setServices(true)
        #expect(scene.status() == .denied)
        // Turning another switch off does not interfere with a pending "on". Turning the same switch off does.
        scene.setServices(false, for: 1001)
        scene.finishWrite()
        #expect(scene.status() == .notDetermined)
        scene.setServices(false)
        scene.setServices(true)
        scene.setServices(false)
        while !scene.writes.isEmpty { scene.finishWrite() }
        #expect(scene.status() == .denied)
        for enabled in [true, false, true] { scene.setServices(enabled) }
        scene.finishWrite()
        // The first "on" is on the disk, but a later "off" has overtaken it.
        #expect(scene.status() == .denied)
        scene.finishWrite()
        scene.finishWrite()
        #expect(scene.status() == .notDetermined)
    }
}
