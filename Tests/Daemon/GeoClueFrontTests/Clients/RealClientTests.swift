import Bus
import LocationModel
import Testing

@testable import GeoClueFront

/// The calls of real programs, in their order, without a bus.
@Suite struct RealClientTests {
    private let first = "/org/freedesktop/GeoClue2/Client/1/Location/0"

    private func granted() -> Scene {
        var scene = Scene()
        scene.authorizations[1] = .granted
        scene.perform { $0.manager.setAvailable(true) }
        _ = scene.take()
        return scene
    }

    /// libgeoclue's GClueSimple: GNOME Maps, Weather, Clocks, where-am-i and every program of GObject introspection.
    @Test func simple() {
        var scene = granted()
        _ = scene.getAll(Scene.managerPath, Scene.manager)
        let path = scene.makeClient()
        _ = scene.getAll(path)
        // Not waited for.
        scene.set("DesktopId", .string("org.gnome.Maps"), path)
        scene.set("RequestedAccuracyLevel", .uint32(8), path)
        #expect(scene.start(path) == .success([]))
        #expect(scene.take().suffix(2) == [.changed("Active", .boolean(true)), .subscribe(1, .best)])
        scene.deliver()
        #expect(scene.take().first == .updated("/", first))
        guard case .properties(let properties) = scene.getAll(first, Scene.location).value else {
            Issue.record("no location")
            return
        }
        #expect(properties.count == 8)
        scene.call(Scene.managerPath, Scene.manager, "DeleteClient", "o", [.objectPath(path)])
        #expect(scene.take() == [.unsubscribe(1)])
    }

    /// redshift and gammastep: never a level; an error of DistanceThreshold ends them.
    @Test func redshift() {
        var scene = granted()
        let path = scene.makeClient()
        scene.set("DesktopId", .string("redshift"), path)
        #expect(scene.set("DistanceThreshold", .uint32(50_000), path) == .success([]))
        #expect(scene.start(path) == .success([]))
        #expect(scene.take().last == .subscribe(1, .threeKilometers))
        scene.deliver()
        scene.deliver(.berne.moved(north: 40_000, after: 3600))
        #expect(scene.take().count == 2, "the second is too near")
    }

    /// Firefox: Stop, Set, Start for another accuracy.
    @Test func firefox() {
        var scene = granted()
        let path = scene.makeClient()
        scene.set("DesktopId", .string("firefox"), path)
        for (level, accuracy) in [(8, DesiredAccuracy.best), (4, .threeKilometers)] as [(UInt32, DesiredAccuracy)] {
            scene.set("RequestedAccuracyLevel", .uint32(level), path)
            #expect(scene.start(path) == .success([]))
            #expect(scene.take().last == .subscribe(1, accuracy))
            scene.deliver(.berne.moved(north: Double(level)))
            scene.stop(path)
            #expect(scene.take().last == .changed("Active", .boolean(false)))
        }
        #expect(scene.makeClient() == path)
    }

    /// WebKitGTK: CreateClient for each page.
    @Test func webKit() {
        var scene = granted()
        for page in 1...3 as ClosedRange<UInt64> {
            let path = scene.makeClient("CreateClient")
            #expect(path == "/org/freedesktop/GeoClue2/Client/\(page)")
            scene.set("DesktopId", .string("org.gnome.Epiphany"), path)
            #expect(scene.start(path) == .success([]))
        }
        scene.deliver(to: 2)
        #expect(
            scene.take().last == .changed("Location", .objectPath("/org/freedesktop/GeoClue2/Client/2/Location/0"), 2))
    }

    /// Brave: a probe connection that calls GetClient and closes.
    @Test func braveProbes() {
        var scene = granted()
        _ = scene.makeClient(from: 7)
        scene.perform { $0.closed(7) }
        #expect(scene.take().isEmpty && scene.tree.clients.isEmpty)
    }

    /// Qt: the level of all sources first, then one question for each property.
    @Test func qt() {
        var scene = granted()
        let level = scene.get("AvailableAccuracyLevel", Scene.managerPath, Scene.manager)
        #expect(level == .success([.variant(.uint32(8))]))
        let path = scene.makeClient()
        scene.set("DesktopId", .string("qt-probe"), path)
        scene.set("TimeThreshold", .uint32(1), path)
        scene.set("RequestedAccuracyLevel", .uint32(0), path)
        #expect(scene.start(path) == .success([]))
        #expect(scene.take().last == .subscribe(1, .hundredMeters))
        #expect(scene.get("Location", path) == .success([.variant(.objectPath("/"))]))
        scene.deliver()
        for property in InterfaceDefinition.location.properties {
            guard case .variant(let value) = scene.get(property.name, first, Scene.location).value else {
                Issue.record("no \(property.name)")
                continue
            }
            #expect(value.signature == property.signature)
        }
    }

    /// xdg-desktop-portal: one client object for all of its sessions.
    @Test func portal() {
        var scene = granted()
        let path = scene.makeClient()
        for session in 0..<3 as Range<UInt32> {
            #expect(scene.makeClient() == path)
            scene.set("DesktopId", .string("xdg-desktop-portal"), path)
            scene.set("DistanceThreshold", .uint32(session), path)
            scene.set("TimeThreshold", .uint32(0), path)
            scene.set("RequestedAccuracyLevel", .uint32(8), path)
            #expect(scene.start(path) == .success([]))
        }
        #expect(scene.take().count { $0 == .subscribe(1, .best) } == 1)
        // Each of its apps gets a first location, also if another one gets locations already.
        for _ in 0..<2 {
            scene.set("DistanceThreshold", .uint32(50_000), path)
            scene.start(path)
            _ = scene.take()
            scene.deliver()
            #expect(scene.take().count == 2)
        }
    }

    /// geoclue.dart asks the object "/" for the location right after Start.
    @Test func aLocationThatDoesNotExistYet() {
        var scene = granted()
        let path = scene.makeLabelledClient()
        scene.start(path)
        #expect(scene.getAll("/", Scene.location) == .failure(.unknownInterface))
    }
}
