import Testing

@testable import CoreLocation

@Suite struct MonitorTests {
    private let backend = ScriptedBackend()
    private let circle = CLMonitor.CircularGeographicCondition(
        center: CLLocationCoordinate2D(latitude: 1, longitude: 2), radius: 3)

    @Test func everyCallReachesTheCore() async throws {
        let monitor = await Backend.$current.withValue(backend) { await CLMonitor("home") }
        await monitor.add(circle, identifier: "a")
        await monitor.add(circle, identifier: "b", assuming: .satisfied)
        await monitor.remove("a")
        #expect(await monitor.identifiers == ["first", "second"])
        let record = try #require(await monitor.record(for: "first"))
        #expect(record.lastEvent.state == .satisfied)
        #expect((record.condition as? CLMonitor.CircularGeographicCondition)?.radius == 1)
        #expect(await monitor.record(for: "none") == nil)
        #expect(backend.calls == ["open home", "add a unknown", "add b satisfied", "remove a"])
    }

    @Test func eventsAreTheCores() async throws {
        backend.events = [
            CLMonitor.Event(identifier: "a", state: .satisfied, date: .distantPast),
            CLMonitor.Event(identifier: "b", state: .unmonitored, date: .distantFuture),
        ]
        let monitor = await Backend.$current.withValue(backend) { await CLMonitor("home") }
        var seen: [String] = []
        for try await event in await monitor.events { seen.append("\(event.identifier) \(event.state)") }
        #expect(seen == ["a satisfied", "b unmonitored"])
    }

    @Test func conditionsAreCoded() throws {
        let copy = try JSONDecoder().decode(
            CLMonitor.CircularGeographicCondition.self, from: try JSONEncoder().encode(circle))
        #expect((copy.center.latitude, copy.center.longitude, copy.radius) == (1, 2, 3))
        let uuid = UUID()
        for (condition, major, minor) in [
            (CLMonitor.BeaconIdentityCondition(uuid: uuid), nil, nil),
            (CLMonitor.BeaconIdentityCondition(uuid: uuid, major: 1), 1, nil),
            (CLMonitor.BeaconIdentityCondition(uuid: uuid, major: 1, minor: 2), 1, 2),
        ] as [(CLMonitor.BeaconIdentityCondition, UInt16?, UInt16?)] {
            let copy = try JSONDecoder().decode(
                CLMonitor.BeaconIdentityCondition.self, from: try JSONEncoder().encode(condition))
            #expect((copy.uuid, copy.major, copy.minor) == (uuid, major, minor))
        }
    }
}
