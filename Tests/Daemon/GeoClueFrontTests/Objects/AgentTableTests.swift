import AuthorizationPolicy
import Bus
import LocationModel
import Testing

@testable import GeoClueFront

@Suite struct AgentTableTests {
    private let refused = BusError(.accessDenied, "ID not allowed to act as agent")

    private func add(_ id: String, from connection: ConnectionID = 1, _ scene: inout Scene)
        -> Result<[BusValue], BusError>
    {
        scene.call(Scene.managerPath, Scene.manager, "AddAgent", "s", [.string(id)], from: connection)
    }

    private func answer(_ level: UInt32?, of connection: ConnectionID = 1, _ scene: inout Scene) -> [Action] {
        scene.perform { $0.agentAnswered(connection, level) }
        return scene.take()
    }

    private func limited(_ limit: DesktopLimit?, by agent: AppKey = Scene.maps) -> [Action] {
        [.setDesktopLimit(limit, agent: agent)]
    }

    @Test(arguments: [
        "geoclue-demo-agent", "gnome-shell", "io.elementary.desktop.agent-geoclue2", "sm.puri.Phosh", "lipstick",
    ])
    func theIDsOfTheList(_ id: String) {
        var scene = Scene()
        #expect(add(id, &scene) == .success([]))
        #expect(scene.take() == [.queryAgent(1)], "after the reply: the agent may wait for it")
    }

    @Test(arguments: ["", "gnome-shell.desktop", "GNOME-Shell", "gnome\u{2010}shell", "org.example"])
    func anotherID(_ id: String) {
        var scene = Scene()
        #expect(add(id, &scene) == .failure(refused))
        #expect(scene.take().isEmpty)
    }

    @Test func aSandboxedAppIsNoShell() {
        var scene = Scene()
        scene.apps[1] = Scene.flatpak
        #expect(add("gnome-shell", &scene) == .failure(refused))
    }

    /// A city or a country is not a level of full accuracy: GClueAccuracyLevel.
    @Test(
        arguments: [
            (0, DesktopLimit.off), (1, .reduced), (4, .reduced), (5, .reduced), (6, nil), (8, nil), (.max, nil),
        ] as [(UInt32, DesktopLimit?)])
    func theLimitOfALevel(level: UInt32, limit: DesktopLimit?) {
        var scene = Scene()
        _ = add("gnome-shell", &scene)
        _ = scene.take()
        #expect(answer(level, &scene) == limited(limit))
    }

    @Test func anAgentThatHangsChangesNothing() {
        var scene = Scene()
        _ = add("gnome-shell", &scene)
        _ = scene.take()
        #expect(answer(nil, &scene).isEmpty)
        #expect(answer(0, &scene) == limited(.off))
        #expect(answer(nil, &scene) == limited(.off), "its last word counts")
    }

    @Test func eachUserHasAShellOfTheirOwn() {
        var scene = Scene()
        let other = AppKey(uid: 1001, app: Scene.maps.app)
        scene.apps[2] = other
        _ = add("gnome-shell", &scene)
        _ = add("gnome-shell", from: 2, &scene)
        _ = scene.take()
        #expect(answer(0, of: 2, &scene) == limited(.off, by: other))
        #expect(answer(8, of: 1, &scene) == limited(nil))
    }

    /// Attack: an app registers beside the shell, under the shell's own identity, to turn on what the shell has turned
    /// off.
    @Test func theLeastLevelOfAnAppCounts() {
        var scene = Scene()
        _ = add("gnome-shell", &scene)
        _ = add("lipstick", from: 2, &scene)
        _ = scene.take()
        #expect(answer(0, of: 1, &scene) == limited(.off))
        #expect(answer(8, of: 2, &scene) == limited(.off))
    }

    /// Attack: an app waits until the shell or the bus starts again, and gets the location before the shell is back, or
    /// after an absence of the shell.
    @Test func anAgentThatLeavesLeavesItsLimit() {
        var scene = Scene()
        _ = add("gnome-shell", &scene)
        _ = answer(0, &scene)
        scene.perform { $0.closed(1) }
        #expect(scene.take().isEmpty, "nothing is turned on")
        _ = add("gnome-shell", from: 2, &scene)
        #expect(scene.take() == [.queryAgent(2)])
        #expect(answer(8, of: 2, &scene) == limited(nil), "the same app says so")
    }

    /// Attack: an agent reports changes without end. One question to it is open at a time.
    @Test func aFloodOfChangesIsOneQuestion() {
        var scene = Scene()
        _ = add("gnome-shell", &scene)
        _ = scene.take()
        for _ in 0..<10_000 { scene.perform { $0.agentChanged(1) } }
        #expect(scene.take().isEmpty)
        #expect(answer(8, &scene) == limited(nil) + [.queryAgent(1)])
        #expect(answer(8, &scene) == limited(nil))
        scene.perform { $0.agentChanged(1) }
        #expect(scene.take() == [.queryAgent(1)])
        scene.perform { $0.agentChanged(7) }
        #expect(scene.take().isEmpty, "not an agent")
    }

    @Test func theirNumberIsLimited() {
        var scene = Scene()
        for connection in 1...4 as ClosedRange<UInt64> {
            #expect(add("lipstick", from: connection, &scene) == .success([]))
        }
        _ = scene.take()
        #expect(add("lipstick", from: 4, &scene) == .success([]), "again")
        guard case .failure(let error) = add("lipstick", from: 5, &scene) else {
            Issue.record("no limit")
            return
        }
        #expect(error.name == .limitsExceeded)
        #expect(scene.take().isEmpty)
    }
}
