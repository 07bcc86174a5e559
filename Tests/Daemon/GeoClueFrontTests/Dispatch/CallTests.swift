import Bus
import Testing

@testable import GeoClueFront

@Suite struct CallTests {
    private let peer = "org.freedesktop.DBus.Peer"
    private let introspectable = "org.freedesktop.DBus.Introspectable"

    @Test func getClientGivesTheLatest() {
        var scene = Scene()
        let first = scene.makeClient()
        #expect(first == "/org/freedesktop/GeoClue2/Client/1")
        #expect(scene.makeClient() == first)
        let second = scene.makeClient("CreateClient")
        #expect(second == "/org/freedesktop/GeoClue2/Client/2" && scene.makeClient() == second)
        #expect(scene.makeClient(from: 2) == first, "numbered for each connection")
    }

    @Test func aDeletedClientIsGoneAndItsNumberIsNotUsedAgain() {
        var scene = Scene()
        let path = scene.makeClient()
        #expect(scene.call(Scene.managerPath, Scene.manager, "DeleteClient", "o", [.objectPath(path)]) == .success([]))
        #expect(scene.start(path) == .failure(.unknownObject))
        #expect(scene.makeClient() == "/org/freedesktop/GeoClue2/Client/2")
    }

    /// A path that is unknown, another's or deleted is an empty success, as in GeoClue.
    @Test(arguments: ["/", "/org/freedesktop/GeoClue2/Client/1", "/org/freedesktop/GeoClue2/Client/9", "/x"])
    func deleteClientSucceedsForAnyPath(_ path: String) {
        var scene = Scene()
        let other = scene.makeClient(from: 2)
        #expect(scene.call(Scene.managerPath, Scene.manager, "DeleteClient", "o", [.objectPath(path)]) == .success([]))
        #expect(scene.get("Active", other, from: 2) == .success([.variant(.boolean(false))]))
    }

    // MARK: Errors

    @Test(arguments: [
        ("/org/freedesktop/GeoClue2/Client/1", Scene.client, "Start", BusError.unknownObject),
        ("/org/freedesktop/GeoClue2/Client/1/Location/0", Scene.location, "x", .unknownObject),
        ("/nowhere", Scene.client, "Start", .unknownObject),
        (Scene.managerPath, Scene.client, "Start", .unknownInterface),
        (Scene.managerPath, "org.example", "Start", .unknownInterface),
        (Scene.managerPath, Scene.manager, "Start", .unknownMethod),
        (Scene.managerPath, Scene.manager, "getclient", .unknownMethod),
        (Scene.managerPath, Scene.manager, "InUse", .unknownMethod),
        ("/org", Scene.manager, "GetClient", .unknownInterface),
        (Scene.managerPath, Scene.manager, "DeleteClient", .invalidArguments(expected: "o")),
        (Scene.managerPath, Scene.manager, "AddAgent", .invalidArguments(expected: "s")),
        (Scene.managerPath, Scene.properties, "Set", .invalidArguments(expected: "ssv")),
    ])
    func whatThereIsNot(_ path: String, _ interface: String, _ member: String, _ error: BusError) {
        var scene = Scene()
        #expect(scene.call(path, interface, member) == .failure(error))
        if error == .unknownMethod { #expect(scene.call(path, nil, member + "?") == .failure(error)) }
    }

    @Test func aMethodWithoutArgumentsTakesNone() {
        var scene = Scene()
        let call = scene.call(Scene.managerPath, Scene.manager, "GetClient", "s", [.string("x")])
        #expect(call == .failure(.invalidArguments(expected: "")))
    }

    /// The signature fits, but the arguments could not be read.
    @Test func argumentsThatAreMissing() {
        var scene = Scene()
        let call = scene.call(Scene.managerPath, Scene.manager, "DeleteClient", "o")
        #expect(call == .failure(.invalidArguments(expected: "o")))
    }

    // MARK: Standard interfaces

    @Test func aCallMayLeaveOutTheInterface() {
        var scene = Scene()
        let path = scene.makeClient()
        #expect(scene.call(path, nil, "Stop") == .success([]))
        #expect(scene.call(Scene.managerPath, nil, "GetClient") == .success([.objectPath(path)]))
    }

    /// Libraries call it at any path.
    @Test(arguments: ["/", Scene.managerPath, "/org/freedesktop/GeoClue2/Client/1", "/nowhere"])
    func everyPathIsAPeer(_ path: String) {
        var scene = Scene()
        #expect(scene.call(path, peer, "Ping") == .success([]))
        #expect(scene.call(path, peer, "GetMachineId").text?.count == 32)
        #expect(scene.call(path, peer, "GetClient") == .failure(.unknownMethod))
        scene.tree = ObjectTree(machineID: nil)
        #expect(scene.call(path, peer, "GetMachineId") == .failure(BusError(.failed, "The machine has no id")))
    }

    @Test func introspectionLeadsToTheManagerAndToNoClient() {
        var scene = Scene()
        _ = scene.makeClient()
        var path = ""
        for child in ["org", "freedesktop", "GeoClue2", "Manager"] {
            guard let xml = scene.call(path.isEmpty ? "/" : path, introspectable, "Introspect").text else {
                Issue.record("no introspection of \(path)")
                return
            }
            #expect(xml.contains("<node name=\"\(child)\"/>") && !xml.contains("Client"))
            path += "/" + child
        }
        guard let xml = scene.call(path, introspectable, "Introspect").text else {
            Issue.record("no introspection of the manager")
            return
        }
        for interface in [Scene.manager, Scene.properties, introspectable, peer] {
            #expect(xml.contains("<interface name=\"\(interface)\">"))
        }
        #expect(!xml.contains("<node name="))
    }
}
