import Bus
import LocationModel
import TestSupport
import Testing

@testable import GeoClueFront

/// Data that another app on the bus must not get.
@Suite struct AttackTests {
    /// Another connection makes every call to a client and its locations, whether they exist or not.
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
                #expect(scene.getAll(object, interface, from: 2) == .failure(.unknownObject))
                #expect(scene.get("Location", object, interface, from: 2) == .failure(.unknownObject))
                #expect(scene.set("DesktopId", .string("x"), object, interface, from: 2) == .failure(.unknownObject))
            }
            for (interface, method) in [
                (Scene.client, "Start"), (Scene.client, "Stop"), ("org.freedesktop.DBus.Introspectable", "Introspect"),
            ] {
                #expect(scene.call(object, interface, method, from: 2) == .failure(.unknownObject))
            }
        }
        #expect(scene.take().isEmpty)
        #expect(scene.get("Active", path) == .success([.variant(.boolean(true))]))
    }

    /// Attack: an app counts the clients of others, by its own numbers and by the errors for others' clients.
    @Test func nobodyLearnsHowManyClientsOthersHave() {
        var scene = Scene()
        func look() -> [Result<[BusValue], BusError>] {
            var scene = scene
            var answers = [scene.call(Scene.managerPath, Scene.manager, "CreateClient", from: 2)]
            for number in 1...10 {
                let path = "/org/freedesktop/GeoClue2/Client/\(number)"
                answers.append(scene.getAll(path, from: 2))
                answers.append(scene.getAll(path + "/Location/0", Scene.location, from: 2))
            }
            return answers
        }
        let before = look()
        scene.authorizations[1] = .granted
        for _ in 0..<5 { _ = scene.makeClient("CreateClient") }
        let path = "/org/freedesktop/GeoClue2/Client/3"
        scene.set("DesktopId", .string("x"), path)
        scene.start(path)
        scene.deliver(to: 3)
        #expect(scene.get("Location", path).value != .variant(.objectPath("/")))
        #expect(look() == before)
    }

    /// Attack: one app, or one user, makes clients through many connections.
    @Test func theClientsOfAnAppAndOfAUserAreLimited() {
        var scene = Scene()
        let neighbour = AppKey(uid: 1001, app: Scene.maps.app)
        func make(_ app: AppKey, _ connections: ClosedRange<UInt64>) -> Int {
            var made = 0
            for connection in connections {
                scene.apps[connection] = app
                for _ in 0..<ClientTable.maximumCount {
                    let answer = scene.call(Scene.managerPath, Scene.manager, "CreateClient", from: connection)
                    if case .success = answer { made += 1 }
                }
            }
            return made
        }
        #expect(make(Scene.maps, 1...4) == ClientTable.maximumCountPerApp)
        #expect(make(Scene.redshift, 11...14) == ClientTable.maximumCountPerUser - ClientTable.maximumCountPerApp)
        #expect(make(Scene.flatpak, 21...22) == 0)
        #expect(make(neighbour, 31...31) == ClientTable.maximumCount, "another user")
        scene.perform { $0.closed(1) }
        #expect(make(Scene.flatpak, 41...42) == ClientTable.maximumCount)
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
        #expect(scene.makeClient(from: 2) == "/org/freedesktop/GeoClue2/Client/1", "nobody else is refused")
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
        // Pending answers arrive.
        scene.deliver()
        scene.authorize(.denied)
        scene.perform { $0.modify(1) { $0.setSuspended(true) } }
        scene.perform { $0.closed(1) }
        #expect(scene.take().isEmpty)
        #expect(scene.start(path) == .failure(.unknownObject))
    }

    /// All data that is public on the bus, over a walk with every possible call.
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
            default: scene.deliver(.berne.moved(north: Double(step)), to: UInt64.random(in: 1...20, using: &random))
            }
            for action in scene.take() {
                switch action {
                case .announce(let signal): announced.append(signal)
                case .signal(let signal, to: let owner):
                    guard case .client(let client) = ObjectPath(signal.path) else {
                        Issue.record("\(signal)")
                        continue
                    }
                    #expect(scene.tree.clients.client(client, of: owner) != nil, "to its owner alone")
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
