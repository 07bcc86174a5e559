import AuthorizationPolicy
import LocationModel
import Testing

/// The limits that users' desktops set with switches of their own.
@Suite struct DesktopLimitTests {
    private static let shell = AppKey(uid: 1000, app: AppIdentity("exe:/usr/bin/gnome-shell")!)

    private func set(_ limit: DesktopLimit?, by agent: AppKey = shell, _ scene: inout Scene) {
        scene.run(scene.machine.setDesktopLimit(limit, by: agent, at: scene.now))
    }

    @Test func offTurnsServicesOffForItsUser() {
        var scene = Scene([.maps: Decision(level: .whenInUse), .mapsOfAnother: Decision(level: .whenInUse)])
        set(.off, &scene)
        #expect(scene.status() == .denied && scene.status(.mapsOfAnother) == .authorizedWhenInUse)
        #expect(!scene.machine.table.servicesEnabled(for: 1000) && scene.machine.table.servicesEnabled(for: 1001))
        #expect(scene.machine.table.isSwitchedOffByDesktop(for: 1000))
        #expect(scene.last.contains(.changed(.maps)))
        set(.off, &scene)
        #expect(scene.last.isEmpty, "nothing has changed")
        set(nil, &scene)
        #expect(scene.status() == .authorizedWhenInUse)
    }

    /// The level of a city or a country does not give full accuracy.
    @Test func reducedLimitsEveryAppOfItsUser() {
        var scene = Scene([
            .maps: Decision(level: .whenInUse), .tool: Decision(level: .always, accuracy: .reduced),
            .mapsOfAnother: Decision(level: .whenInUse),
        ])
        set(.reduced, &scene)
        #expect(scene.status() == .authorizedWhenInUse && scene.accuracy() == .reduced)
        #expect(scene.accuracy(.mapsOfAnother) == .full)
        #expect(scene.machine.table.decision(about: .maps)?.accuracy == .full, "the user's decision is not touched")
        set(nil, &scene)
        #expect(scene.accuracy() == .full && scene.accuracy(.tool) == .reduced)
    }

    /// Attack: an app gets around the desktop's limit by asking for full accuracy for now.
    @Test func aTemporaryFullAccuracyIsWithinTheLimit() throws {
        var scene = Scene([.maps: Decision(level: .whenInUse, accuracy: .reduced)])
        scene.requestFull()
        try scene.answer(.once)
        #expect(scene.accuracy() == .full)
        set(.reduced, &scene)
        #expect(scene.accuracy() == .reduced)
        scene.requestFull("rescue")
        #expect(scene.lastReply == .refusal(.promptDeclined))
    }

    /// Attack: another program of the user says that the desktop's switch is on.
    @Test func onlyTheAgentThatSetALimitEndsIt() {
        var scene = Scene([.maps: Decision(level: .whenInUse)])
        set(.off, &scene)
        set(nil, by: .tool, &scene)
        #expect(scene.status() == .denied)
        set(.reduced, by: .tool, &scene)
        set(nil, &scene)
        #expect(scene.status() == .authorizedWhenInUse && scene.accuracy() == .reduced)
    }

    private func setAll(_ limit: DesktopLimit?, _ scene: inout Scene) {
        for number in 0..<50 { set(limit, by: AppKey(uid: 1000, app: AppIdentity("exe:/opt/\(number)")!), &scene) }
    }

    /// Attack: programs without end each set a limit as an agent, and the shell's own finds no room.
    @Test(arguments: [DesktopLimit.reduced, .off]) func theShellsLimitFindsRoom(limit: DesktopLimit) {
        var scene = Scene([.maps: Decision(level: .whenInUse)])
        setAll(limit, &scene)
        #expect(scene.machine.table.desktopLimits(of: 1000).count == DesktopLimit.maximumCountPerUser + 1)
        set(.off, &scene)
        setAll(nil, &scene)
        #expect(scene.status() == .denied)
        #expect(scene.machine.table.desktopLimits(of: 1000).count == 1)
    }

    /// Attack: programs without end each set a limit as an agent, and end it: the shell's own is forgotten with theirs.
    @Test(arguments: [DesktopLimit.reduced, .off]) func theShellsLimitStays(limit: DesktopLimit) {
        var scene = Scene([.maps: Decision(level: .whenInUse)])
        set(.reduced, &scene)
        setAll(limit, &scene)
        setAll(nil, &scene)
        #expect(scene.machine.table.desktopLimits(of: 1000)[Self.shell.app] == .reduced)
        #expect(scene.accuracy() == .reduced || scene.status() == .denied)
    }

    @Test func theUsersOwnSwitchStaysAsItIs() {
        var scene = Scene([.maps: Decision(level: .whenInUse)])
        scene.setServices(false, for: 1000)
        set(.off, &scene)
        set(nil, &scene)
        #expect(scene.status() == .denied, "the user's own is off")
        set(.off, &scene)
        scene.setServices(true, for: 1000)
        #expect(scene.status() == .denied, "the desktop's is off")
        set(nil, &scene)
        #expect(scene.status() == .authorizedWhenInUse)
    }

    @Test func anOpenPromptIsClosed() {
        var scene = Scene()
        scene.request(.whenInUse)
        #expect(scene.prompt() != nil)
        set(.off, &scene)
        #expect(scene.prompt() == nil)
        #expect(scene.lastReply != nil)
    }
}

/// Requests of apps that need only reduced accuracy.
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

    /// Attack: an app asks for a low level and is granted full accuracy, and a later prompt takes that for granted; or
    /// the other way round. A decision overrides an app's preference.
    @Test func aDecisionStandsAboveIt() throws {
        var scene = Scene([.maps: Decision(level: .whenInUse, accuracy: .full)])
        scene.run(scene.machine.request(.always, prefersReduced: true, id: 78, by: .maps, at: scene.now))
        #expect(scene.prompt()?.defaultAccuracy == .full)
    }
}
