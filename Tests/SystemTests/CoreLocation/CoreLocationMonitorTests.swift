import Foundation
import LocationModel
import LocationProtocol
import Synchronization
import TestSupport
import Testing
import Varlink

@testable import CoreLocation
@testable import CoreLocationDaemon

/// The conditions of a `CLMonitor`, with the real daemon.
@Suite(.timeLimit(.minutes(15))) struct CoreLocationMonitorTests {
    private let daemon: TestDaemon
    private let app: AppSession
    private let circle = CLMonitor.CircularGeographicCondition(
        center: CLLocationCoordinate2D(latitude: 47.5, longitude: 8.75), radius: 100)

    init() async throws {
        daemon = try await TestDaemon(receivers: [])
        try await daemon.grantSelf()
        app = AppSession(runtimeDirectory: daemon.runtime, stateDirectory: daemon.folder.path)
    }

    /// Opens a monitor. Its name is another one in each test, because the tests share a process.
    private func openMonitor(_ name: String) async -> CLMonitor {
        await Backend.$current.withValue(DaemonBackend(app)) { await CLMonitor(name) }
    }

    private func regions() async throws -> Set<String> {
        Set(try await daemon.call(ListRegions.self, Nothing()).regions.map(\.identifier))
    }

    @Test func aConditionOverTheLimitIsMonitoredWhenAPlaceIsFree() async throws {
        let manager = Backend.$current.withValue(DaemonBackend(app)) { CLLocationManager() }
        let others = (1..<20).map { CLCircularRegion(center: circle.center, radius: 100, identifier: "r\($0)") }
        for region in others { manager.startMonitoring(for: region) }
        let monitor = await openMonitor("limit")
        let events = RecordedEvents()
        let reading = Task {
            for try await event in await monitor.events { events.add(event) }
        }
        defer { reading.cancel() }
        for name in ["first", "second", "third"] { await monitor.add(circle, identifier: name) }
        try await eventually("the limit: \(events.lines)") { events.lines.count == 2 }
        #expect(events.lines == ["second unmonitored over the limit", "third unmonitored over the limit"])

        manager.stopMonitoring(for: others[0])
        try await eventually("the second condition") { try await regions().contains("CLMonitor/limit/:second") }
        #expect(try await !regions().contains("CLMonitor/limit/:third"))
        await monitor.remove("first")
        try await eventually("the third condition") { try await regions().contains("CLMonitor/limit/:third") }
        #expect(try await regions().count == 20)
        #expect(events.lines.count == 2, "\(events.lines)")
    }

    /// The user has reset the app while it was not running. The monitor's file still says that the condition is
    /// satisfied.
    @Test func aConditionThatTheDaemonHasForgottenIsMonitoredAgain() async throws {
        let file = MonitorFile(monitor: "forgotten", in: daemon.folder.path)
        let event = CLMonitor.Event(identifier: "home", state: .satisfied, date: .now)
        #expect(file.write([MonitorEntry(circle, event)]))
        let monitor = await openMonitor("forgotten")
        #expect(await monitor.identifiers == ["home"])
        try await eventually("the condition") { try await regions() == ["CLMonitor/forgotten/:home"] }
    }

    /// Its record is the new condition's.
    @Test func aConditionThatIsAddedAgainBeginsAgain() async throws {
        let monitor = await openMonitor("again")
        await monitor.add(circle, identifier: "home", assuming: .satisfied)
        try await eventually("the condition") { try await regions() == ["CLMonitor/again/:home"] }
        await monitor.add(circle, identifier: "home")
        #expect(await monitor.record(for: "home")?.lastEvent.state == .unknown)
        #expect(await monitor.identifiers == ["home"])
        #expect(try await regions() == ["CLMonitor/again/:home"])
    }
}

/// Records the events of a monitor.
private final class RecordedEvents: Sendable {
    private let recorded = Mutex<[String]>([])
    var lines: [String] { recorded.withLock(\.self) }

    func add(_ event: CLMonitor.Event) {
        let reason = event.conditionLimitExceeded ? " over the limit" : ""
        recorded.withLock { $0.append("\(event.identifier) \(event.state)\(reason)") }
    }
}
