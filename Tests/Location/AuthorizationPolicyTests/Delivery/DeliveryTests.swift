import AuthorizationPolicy
import LocationModel
import Testing

@Suite struct DeliveryTests {
    private let service = AppIdentity("service:chrony")!

    @Test func anAppNobodyHasDecidedAboutGetsNoFix() {
        let scene = Scene()
        for presence in Presence.allCases { #expect(scene.delivery(presence) == .refuse) }
    }

    @Test(arguments: [
        // decided, began in use, allows background, delivery in the background
        (Decision.denied, true, true, Delivery.refuse),
        (Decision(level: .whenInUse), true, true, .deliver(inBackground: true)),
        (Decision(level: .whenInUse), true, false, .suspend),
        (Decision(level: .whenInUse), false, true, .suspend),
        (Decision(level: .whenInUse), false, false, .suspend),
        (Decision(level: .provisionalAlways), true, true, .promptAgain),
        (Decision(level: .provisionalAlways), false, false, .promptAgain),
        (Decision(level: .always), true, false, .deliver(inBackground: true)),
        (Decision(level: .always), false, false, .deliver(inBackground: true)),
    ])
    func whatIsDueInTheBackground(decision: Decision, beganInUse: Bool, allowsBackground: Bool, delivery: Delivery) {
        let scene = Scene([.maps: decision])
        let terms = DeliveryTerms(presence: beganInUse ? .inUse : .background, allowsBackground: allowsBackground)
        #expect(scene.delivery(.background, terms) == delivery)
        #expect(scene.delivery(.inUse, terms) == (decision.grants ? .deliver(inBackground: false) : .refuse))
    }

    @Test func aManifestCanForgoTheBackground() throws {
        for (background, allows) in [(nil, true), (true, true), (false, false)] {
            let manifest = try AppManifest(background: background)
            let terms = DeliveryTerms(presence: .inUse, allowsBackground: true, manifest: manifest)
            #expect(terms.allowsBackground == allows)
        }
    }

    @Test(arguments: [
        // in an active session, has declared itself in the background, presence
        (true, false, Presence.inUse), (true, true, .background), (false, false, .background),
        (false, true, .background),
    ])
    func inUseIsAnActiveSessionAndNoWordToTheContrary(isActive: Bool, hasDeclared: Bool, presence: Presence) {
        for identity in ["app:a", "exe:/a", "flatpak:a.b.c", "snap:a"].map({ AppIdentity($0)! }) {
            #expect(
                Presence(of: identity, isInActiveSession: isActive, hasDeclaredBackground: hasDeclared) == presence)
        }
        #expect(
            Presence(of: service, isInActiveSession: isActive, hasDeclaredBackground: hasDeclared) == .background)
    }

    @Test func aSubscriptionIsNotifiedOnceOfSuspensionAndResumption() {
        var suspension = Suspension()
        let story: [(Delivery, Suspension.Event?)] = [
            (.deliver(inBackground: false), nil), (.suspend, .suspended), (.suspend, nil), (.promptAgain, nil),
            (.deliver(inBackground: true), .unsuspended), (.deliver(inBackground: false), nil), (.refuse, nil),
            (.promptAgain, .suspended), (.refuse, nil), (.deliver(inBackground: false), .unsuspended),
        ]
        for (delivery, event) in story { #expect(suspension.follow(delivery) == event) }
    }

    @Test func aStreamFollowsItsAppIntoTheBackgroundAndTheAnswer() throws {
        var scene = Scene([.maps: Decision(level: .provisionalAlways)])
        let terms = DeliveryTerms(presence: .inUse, allowsBackground: false)
        var suspension = Suspension()
        #expect(suspension.follow(scene.delivery(.inUse, terms)) == nil)
        #expect(suspension.follow(scene.delivery(.background, terms)) == .suspended)
        scene.promptAgain()
        try scene.answer(.always)
        #expect(suspension.follow(scene.delivery(.background, terms)) == .unsuspended)
    }
}
