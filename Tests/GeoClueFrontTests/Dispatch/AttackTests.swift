import LocationModel
import TestSupport
import Testing

@testable import GeoClueFront

/// What another app on the bus must not get.
@Suite struct AttackTests {
    /// Another connection calls everything of a client and its locations, also of those that do not exist.
    @Test func anotherConnectionsObjects() {
        var scene = Scene()
        scene.authorizations[1] = .granted
        scene.authorizations[2] = .granted
        let path = scene.makeLabelledClient()
        scene.start(path)
        scene.deliver()
        _ = scene.take()
        for object in [path, path + "/Location/0", path + "/Location/1", path + "/Location/999"] {
            for interface in [Scene.client, Scene.location, ""] {
                #expect(scene.getAll(object, interface, from: 2) == .failure(.accessDenied))
                #expect(scene.get("Location", object, interface, from: 2) == .failure(.accessDenied))
                #expect(scene.set("DesktopId", .string("x"), object, interface, from: 2) == .failure(.accessDenied))
            }
            for (interface, method) in [
                (Scene.client, "Start"), (Scene.client, "Stop"), ("org.freedesktop.DBus.Introspectable", "Introspect"),
            ] {
                #expect(scene.call(object, interface, method, from: 2) == .failure(.accessDenied))
            }
        }
        #expect(scene.take().isEmpty)
        #expect(scene.get("Active", path) == .success([.variant(.boolean(true))]))
    }

    @Test func tenThousandClientsOfOneConnection() {
        var scene = Scene()
        var made = 0
        for _ in 0..<10_000 {
            switch scene.call(Scene.managerPath, Scene.manager, "CreateClient") {
            case .success: made += 1
            case .failure(let error): #expect(error.name == .limitsExceeded)
            }
        }
        #expect(made == ClientTable.maximumCount)
        #expect(scene.makeClient() == "/org/freedesktop/GeoClue2/Client/64", "it still has its own")
        #expect(scene.makeClient(from: 2) == "/org/freedesktop/GeoClue2/Client/65", "nobody else is refused")
    }

    @Test func aStormOfStarts() {
        var scene = Scene()
        let path = scene.makeLabelledClient()
        for _ in 0..<10_000 { #expect(scene.start(path) == .success([])) }
        let prompts = scene.take().filter { if case .prompt = $0 { true } else { false } }
        #expect(prompts.count == 1)
    }

    @Test func aStormOfStartsAndStopsLeavesNothingOpen() {
        var scene = Scene()
        scene.authorizations[1] = .granted
        let path = scene.makeLabelledClient()
        for _ in 0..<1000 {
            scene.start(path)
            scene.stop(path)
        }
        let actions = scene.take()
        #expect(actions.count { $0 == .subscribe(1, .threeKilometers) } == 1000)
        #expect(actions.count { $0 == .unsubscribe(1) } == 1000)
    }

    /// The app leaves the bus between any two steps.
    @Test(arguments: 0..<6)
    func aConnectionThatVanishes(_ steps: Int) {
        var scene = Scene()
        scene.authorizations[1] = steps.isMultiple(of: 2) ? .granted : .notDetermined
        let path = scene.makeClient()
        if steps > 0 { scene.set("DesktopId", .string("x"), path) }
        if steps > 1 { scene.start(path) }
        if steps > 2 { scene.authorize(.granted) }
        if steps > 3 { scene.deliver() }
        if steps > 4 { scene.stop(path) }
        let isPrompting = scene.tree.clients[1]?.phase == .undecided
        let isSubscribed = scene.tree.clients[1]?.phase == .delivering
        _ = scene.take()
        scene.perform { $0.closed(1) }
        #expect(scene.take() == (isPrompting ? [.cancelPrompt(1)] : isSubscribed ? [.unsubscribe(1)] : []))
        #expect(scene.tree.clients.isEmpty)
        // What was under way arrives.
        scene.deliver()
        scene.authorize(.denied)
        scene.perform { $0.modify(1) { $0.setSuspended(true) } }
        scene.perform { $0.closed(1) }
        #expect(scene.take().isEmpty)
        #expect(scene.start(path) == .failure(.unknownObject))
    }

    /// An app that was granted the location reads nothing, so that the bus has to keep what is sent to it.
    @Test func anAppThatReadsNothing() {
        var scene = Scene()
        for connection in [1, 2] as [ConnectionID] {
            scene.authorizations[connection] = .granted
            scene.start(scene.makeLabelledClient(from: connection), from: connection)
        }
        _ = scene.take()
        for step in 0..<10_000 { scene.deliver(.berne.moved(north: Double(step))) }
        #expect(scene.take().count == 2 * ObjectTree.maximumUnread)
        scene.deliver(to: 2)
        #expect(scene.take().count == 2, "nobody else is held up")
        _ = scene.get("Location", "/org/freedesktop/GeoClue2/Client/1")
        scene.deliver()
        #expect(scene.take().count == 2, "a call shows that it lives")
    }

    /// Everything that everybody on the bus can read, over a walk with every call there is.
    @Test func nothingIsAnnouncedButTheManagersProperties() {
        var scene = Scene()
        var random = SeededRandom(seed: 4)
        var announced: [BusSignal] = []
        for step in 0..<20_000 {
            let connection = UInt64.random(in: 1...3, using: &random)
            let path = "/org/freedesktop/GeoClue2/Client/\(Int.random(in: 1...6, using: &random))"
            switch Int.random(in: 0..<10, using: &random) {
            case 0: scene.call(Scene.managerPath, Scene.manager, "CreateClient", from: connection)
            case 1: scene.set("DesktopId", .string("secret-\(step % 3)"), path, from: connection)
            case 2: scene.start(path, from: connection)
            case 3: scene.call(path, Scene.client, "Stop", from: connection)
            case 4:
                scene.authorize([Authorization.granted, .denied, .notDetermined, .servicesOff][step % 4], connection)
            case 5: scene.perform { $0.manager.setInUse(step.isMultiple(of: 2)) }
            case 6: scene.perform { $0.manager.setAvailable(step.isMultiple(of: 3)) }
            case 7:
                scene.call(Scene.managerPath, Scene.manager, "DeleteClient", "o", [.objectPath(path)], from: connection)
            default: scene.deliver(.berne.moved(north: Double(step)), to: UInt64.random(in: 1...6, using: &random))
            }
            for action in scene.take() {
                switch action {
                case .announce(let signal): announced.append(signal)
                case .signal(let signal, to: let owner):
                    guard case .client(let client) = ObjectPath(signal.path) else {
                        Issue.record("\(signal)")
                        continue
                    }
                    #expect(scene.tree.clients[client]?.connection == owner, "to its owner alone")
                default: break
                }
            }
        }
        #expect(!announced.isEmpty)
        for signal in announced {
            #expect(signal.path == Scene.managerPath && signal.member == "PropertiesChanged")
            guard case .properties(let properties) = signal.arguments[1] else {
                Issue.record("\(signal)")
                continue
            }
            #expect(properties.allSatisfy { ["InUse", "AvailableAccuracyLevel"].contains($0.name) })
        }
    }
}
