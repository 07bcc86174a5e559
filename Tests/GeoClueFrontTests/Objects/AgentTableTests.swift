import LocationModel
import SystemBus
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

    private func didNotReturn(_ scene: inout Scene) -> [Action] {
        scene.perform { $0.agentDidNotReturn(of: 1000) }
        return scene.take()
    }

    private func switched(_ isOn: Bool, _ uid: UInt32 = 1000) -> [Action] { [.setDesktopSwitch(isOn: isOn, uid: uid)] }

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

    @Test func levelZeroTurnsServicesOff() {
        var scene = Scene()
        _ = add("gnome-shell", &scene)
        _ = scene.take()
        #expect(answer(0, &scene) == switched(false))
        #expect(answer(0, &scene).isEmpty)
        #expect(answer(4, &scene) == switched(true), "a level other than 0 is not a limit")
        #expect(answer(8, &scene).isEmpty)
    }

    @Test func anAgentThatHangsChangesNothing() {
        var scene = Scene()
        _ = add("gnome-shell", &scene)
        _ = scene.take()
        #expect(answer(nil, &scene).isEmpty)
        #expect(answer(0, &scene) == switched(false))
        #expect(answer(nil, &scene).isEmpty, "its last word counts")
        scene.perform { $0.closed(1) }
        #expect(scene.take() == [.awaitAgent(uid: 1000)])
        #expect(answer(0, &scene).isEmpty)
        #expect(didNotReturn(&scene) == switched(true))
    }

    @Test func eachUserHasAShellOfTheirOwn() {
        var scene = Scene()
        scene.apps[2] = AppKey(uid: 1001, app: Scene.maps.app)
        _ = add("gnome-shell", &scene)
        _ = add("gnome-shell", from: 2, &scene)
        _ = scene.take()
        #expect(answer(0, of: 2, &scene) == switched(false, 1001))
        #expect(answer(8, of: 1, &scene).isEmpty)
        scene.perform { $0.closed(1) }
        #expect(scene.take().isEmpty)
    }

    /// Attack: an app calls itself a shell, to turn on what the shell has turned off.
    @Test func anotherAgentDoesNotTurnServicesOn() {
        var scene = Scene()
        _ = add("gnome-shell", &scene)
        _ = add("lipstick", from: 2, &scene)
        _ = scene.take()
        #expect(answer(0, of: 1, &scene) == switched(false))
        #expect(answer(8, of: 2, &scene).isEmpty)
        scene.perform { $0.closed(2) }
        #expect(scene.take().isEmpty)
        scene.perform { $0.closed(1) }
        #expect(scene.take() == [.awaitAgent(uid: 1000)])
        #expect(didNotReturn(&scene) == switched(true))
    }

    /// Attack: an agent reports changes without end. One question to it is open at a time.
    @Test func aFloodOfChangesIsOneQuestion() {
        var scene = Scene()
        _ = add("gnome-shell", &scene)
        _ = scene.take()
        for _ in 0..<10_000 { scene.perform { $0.agentChanged(1) } }
        #expect(scene.take().isEmpty)
        #expect(answer(8, &scene) == [.queryAgent(1)])
        #expect(answer(8, &scene).isEmpty)
        scene.perform { $0.agentChanged(1) }
        #expect(scene.take() == [.queryAgent(1)])
        scene.perform { $0.agentChanged(7) }
        #expect(scene.take().isEmpty, "not an agent")
    }

    /// Attack: an app waits until the shell starts again, and gets the location before it is back.
    @Test func theSwitchOutlivesTheShell() {
        var scene = Scene()
        _ = add("gnome-shell", &scene)
        _ = answer(0, &scene)
        scene.perform { $0.closed(1) }
        #expect(scene.take() == [.awaitAgent(uid: 1000)])
        _ = add("gnome-shell", from: 2, &scene)
        _ = scene.take()
        #expect(answer(0, of: 2, &scene).isEmpty, "off")
        #expect(didNotReturn(&scene).isEmpty, "off: it did return")
        #expect(answer(8, of: 2, &scene) == switched(true))
    }

    /// Attack: an app calls itself the shell that has returned.
    @Test func anotherAppIsNotTheShellThatReturns() {
        var scene = Scene()
        scene.apps[2] = AppKey(uid: 1000, app: AppIdentity("exe:/usr/bin/other")!)
        for connection in [1, 2] as [ConnectionID] { _ = add("gnome-shell", from: connection, &scene) }
        _ = answer(0, &scene)
        scene.perform { $0.closed(1) }
        #expect(scene.take() == [.awaitAgent(uid: 1000)])
        #expect(answer(8, of: 2, &scene).isEmpty, "off")
        scene.perform { $0.closed(2) }
        #expect(scene.take().isEmpty)
        _ = add("gnome-shell", from: 3, &scene)
        _ = scene.take()
        #expect(answer(8, of: 3, &scene) == switched(true))
    }

    /// Attack: an app waits until the bus is lost, and gets the location before the shell is back.
    @Test func theSwitchOutlivesTheBus() {
        var scene = Scene()
        _ = add("gnome-shell", &scene)
        _ = answer(0, &scene)
        for isBack in [true, false] {
            scene.perform {
                $0.disconnected()
                return $0.closed(1)
            }
            #expect(scene.take().isEmpty, "off")
            scene.perform { $0.connected() }
            #expect(scene.take() == [.awaitAgent(uid: 1000)])
            guard isBack else { continue }
            _ = add("gnome-shell", from: 2, &scene)
            _ = scene.take()
            #expect(answer(0, of: 2, &scene).isEmpty, "off")
            #expect(didNotReturn(&scene).isEmpty, "off: it did return")
        }
        #expect(didNotReturn(&scene) == switched(true))
        #expect(didNotReturn(&scene).isEmpty)
    }

    @Test func theSwitchIsOnWhenTheShellIsBack() {
        var scene = Scene()
        _ = add("gnome-shell", &scene)
        _ = answer(0, &scene)
        scene.perform {
            $0.disconnected()
            return $0.closed(1)
        }
        _ = add("gnome-shell", from: 2, &scene)
        _ = scene.take()
        #expect(answer(nil, of: 2, &scene).isEmpty)
        #expect(answer(8, of: 2, &scene) == switched(true))
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
