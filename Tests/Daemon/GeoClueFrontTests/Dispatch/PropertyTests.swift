import Bus
import Testing

@testable import GeoClueFront

@Suite struct PropertyTests {
    @Test func theManagersProperties() {
        var scene = Scene()
        #expect(
            scene.getAll(Scene.managerPath, Scene.manager)
                == .success([
                    .properties([
                        PropertyValue("InUse", .boolean(false)), PropertyValue("AvailableAccuracyLevel", .uint32(0)),
                    ])
                ]))
        scene.perform { $0.manager.setAvailable(true) }
        scene.perform { $0.manager.setInUse(true) }
        #expect(
            scene.take() == [
                .announce(
                    .changed([PropertyValue("AvailableAccuracyLevel", .uint32(8))], of: .manager, at: .manager)),
                .announce(.changed([PropertyValue("InUse", .boolean(true))], of: .manager, at: .manager)),
            ])
        scene.perform { $0.manager.setAvailable(true) }
        #expect(scene.take().isEmpty, "only changes are announced")
        let level = scene.get("AvailableAccuracyLevel", Scene.managerPath, Scene.manager)
        #expect(level == .success([.variant(.uint32(8))]))
    }

    @Test(arguments: [
        ("DistanceThreshold", BusValue.uint32(100)), ("TimeThreshold", .uint32(.max)),
        ("DesktopId", .string("firefox")),
        ("RequestedAccuracyLevel", .uint32(99)),
    ])
    func whatIsSetIsReadBack(_ name: String, _ value: BusValue) {
        var scene = Scene()
        let path = scene.makeClient()
        #expect(scene.set(name, value, path) == .success([]))
        #expect(scene.take() == [.changed(name, value)])
        #expect(scene.get(name, path) == .success([.variant(value)]))
        scene.set(name, value, path)
        #expect(scene.take().isEmpty, "nothing has changed")
    }

    @Test(arguments: [
        ("DistanceThreshold", BusValue.unread(signature: "i"), BusError.invalidArguments(expected: "u")),
        ("DistanceThreshold", .string("100"), .invalidArguments(expected: "u")),
        ("DesktopId", .uint32(1), .invalidArguments(expected: "s")),
        ("DesktopId", .unread(signature: "o"), .invalidArguments(expected: "s")),
        ("RequestedAccuracyLevel", .variant(.uint32(8)), .invalidArguments(expected: "u")),
        ("Active", .unread(signature: "b"), .readOnly), ("Location", .objectPath("/"), .readOnly),
        ("Nothing", .uint32(1), .unknownProperty), ("", .uint32(1), .unknownProperty),
        ("DesktopId\0", .string("x"), .unknownProperty),
    ])
    func whatCannotBeSet(_ name: String, _ value: BusValue, _ error: BusError) {
        var scene = Scene()
        let path = scene.makeClient()
        let before = scene.getAll(path)
        #expect(scene.set(name, value, path) == .failure(error))
        #expect(scene.getAll(path) == before && scene.take().isEmpty)
    }

    @Test func aLongDesktopIDIsRefused() {
        var scene = Scene()
        let path = scene.makeClient()
        // 255 bytes.
        #expect(scene.set("DesktopId", .string(String(repeating: "é", count: 127) + "x"), path) == .success([]))
        let refusal = BusError(.invalidArguments, "A DesktopId has at most 255 bytes")
        #expect(scene.set("DesktopId", .string(String(repeating: "é", count: 128)), path) == .failure(refusal))
    }

    @Test func otherInterfaces() {
        var scene = Scene()
        let path = scene.makeClient()
        #expect(scene.getAll(path, "") == scene.getAll(path))
        #expect(scene.getAll(path, Scene.properties) == .success([.properties([])]))
        #expect(scene.getAll(path, Scene.manager) == .failure(.unknownInterface))
        #expect(scene.get("Active", path, Scene.properties) == .failure(.unknownProperty))
        #expect(scene.get("Nothing", path) == .failure(.unknownProperty))
        #expect(scene.getAll("/org", Scene.manager) == .failure(.unknownInterface))
        #expect(scene.getAll("/org", "") == .success([.properties([])]))
        #expect(scene.set("InUse", .boolean(true), Scene.managerPath, Scene.manager) == .failure(.readOnly))
    }

    @Test func aLocationIsReadOnly() {
        var scene = Scene()
        scene.authorizations[1] = .granted
        let path = scene.makeLabelledClient()
        scene.start(path)
        scene.deliver()
        let location = path + "/Location/0"
        #expect(scene.get("Latitude", location, Scene.location) == .success([.variant(.double(46.95))]))
        #expect(scene.set("Latitude", .double(0), location, Scene.location) == .failure(.readOnly))
        #expect(scene.call(location, Scene.client, "Start") == .failure(.unknownInterface))
    }
}
