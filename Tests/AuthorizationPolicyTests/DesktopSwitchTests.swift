import AuthorizationPolicy
import LocationModel
import Testing

/// The switch that a user's desktop has of its own.
@Suite struct DesktopSwitchTests {
    private func turn(_ isOn: Bool, _ scene: inout Scene) {
        scene.run(scene.machine.setDesktopSwitch(isOn, for: 1000, at: scene.now))
    }

    @Test func itTurnsServicesOffForItsUserWhileItIsThere() {
        var scene = Scene([.maps: Decision(level: .whenInUse), .mapsOfAnother: Decision(level: .whenInUse)])
        turn(false, &scene)
        #expect(scene.status() == .denied && scene.status(.mapsOfAnother) == .authorizedWhenInUse)
        #expect(!scene.machine.table.servicesEnabled(for: 1000) && scene.machine.table.servicesEnabled(for: 1001))
        #expect(scene.machine.table.isSwitchedOffByDesktop(for: 1000))
        #expect(scene.last.contains { if case .changed(.maps, _) = $0 { true } else { false } })
        turn(false, &scene)
        #expect(scene.last.isEmpty, "nothing has changed")
        turn(true, &scene)
        #expect(scene.status() == .authorizedWhenInUse)
    }

    /// What the user has decided is not touched, and nothing of the desktop's word is stored.
    @Test func itStoresNothing() {
        var scene = Scene([.maps: Decision(level: .whenInUse)])
        scene.writesAtOnce = false
        turn(false, &scene)
        turn(true, &scene)
        turn(false, &scene)
        #expect(scene.writes.isEmpty && scene.machine.table.decision(about: .maps) == Decision(level: .whenInUse))
        let restarted = AuthorizationMachine(
            table: AuthorizationTable(decisions: [.maps: Decision(level: .whenInUse)]), at: scene.now)
        #expect(restarted.table.servicesEnabled(for: 1000))
    }

    @Test func theUsersOwnSwitchStaysAsItIs() {
        var scene = Scene([.maps: Decision(level: .whenInUse)])
        scene.setServices(false, for: 1000)
        turn(false, &scene)
        turn(true, &scene)
        #expect(scene.status() == .denied, "the user's own is off")
        turn(false, &scene)
        scene.setServices(true, for: 1000)
        #expect(scene.status() == .denied, "the desktop's is off")
        turn(true, &scene)
        #expect(scene.status() == .authorizedWhenInUse)
    }

    /// A daemon that ends when it is idle would come back without the switch, and deliver.
    @Test func aSwitchThatIsOffKeepsTheStateMachineFromRest() {
        var scene = Scene(connected: [])
        #expect(scene.machine.hasOnlyStoredState)
        turn(false, &scene)
        #expect(!scene.machine.hasOnlyStoredState)
        turn(true, &scene)
        #expect(scene.machine.hasOnlyStoredState)
    }

    @Test func anOpenPromptIsClosed() {
        var scene = Scene()
        scene.request(.whenInUse)
        #expect(scene.prompt() != nil)
        turn(false, &scene)
        #expect(scene.prompt() == nil)
        #expect(scene.lastReply != nil)
    }
}

/// Requests of apps for which reduced accuracy suffices.
@Suite struct PreferredAccuracyTests {
    private func request(_ scene: inout Scene, by app: AppKey, prefersReduced: Bool) {
        scene.run(
            scene.machine.request(
                .whenInUse, reason: "Calls itself weather.", prefersReduced: prefersReduced, id: 77, by: app,
                at: scene.now))
    }

    @Test func thePromptPreselectsReducedAccuracy() throws {
        var scene = Scene(connected: [.tool])
        request(&scene, by: .tool, prefersReduced: true)
        #expect(scene.prompt(.tool)?.defaultAccuracy == .reduced)
        try scene.answer(.whileUsing, about: .tool)
        #expect(scene.accuracy(.tool) == .reduced)
    }

    @Test func theUserMayChooseFullAccuracy() throws {
        var scene = Scene(connected: [.tool])
        request(&scene, by: .tool, prefersReduced: true)
        try scene.answer(.whileUsing, .full, about: .tool)
        #expect(scene.accuracy(.tool) == .full)
    }

    @Test func anAppThatWantsMoreGetsTheManifestsDefault() {
        var scene = Scene(connected: [.tool])
        request(&scene, by: .tool, prefersReduced: false)
        #expect(scene.prompt(.tool)?.defaultAccuracy == .full)
        var reduced = Scene(manifests: [.maps: .ofMapsReduced])
        request(&reduced, by: .maps, prefersReduced: false)
        #expect(reduced.prompt()?.defaultAccuracy == .reduced)
    }

    /// Attack: an app asks for a low level, is granted full accuracy, and a later prompt takes that for granted, or the
    /// other way round. A decision stands above what an app prefers.
    @Test func aDecisionStandsAboveIt() throws {
        var scene = Scene([.maps: Decision(level: .whenInUse, accuracy: .full)])
        scene.run(scene.machine.request(.always, prefersReduced: true, id: 78, by: .maps, at: scene.now))
        #expect(scene.prompt()?.defaultAccuracy == .full)
    }
}
