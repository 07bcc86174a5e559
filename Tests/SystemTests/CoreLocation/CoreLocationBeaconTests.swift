import Foundation
import LocationModel
import LocationProtocol
import TestSupport
import Testing

/// Apps for beacons, with the real daemon and simulated beacons.
@Suite(.timeLimit(.minutes(15))) struct CoreLocationBeaconTests {
    private static let uuid = "e2c56db5-dffb-48d2-b060-d0f5a71096e0"
    private static let texts = [
        "NSLocationAlwaysAndWhenInUseUsageDescription": "to greet you",
        "NSLocationWhenInUseUsageDescription": "to greet",
    ]

    /// Simulates beacons of the shop.
    private func simulate(_ beacons: [(major: Int, minor: Int, distance: Double)], _ daemon: TestDaemon) async throws {
        var parameters = Simulate.Parameters()
        parameters.beacons = beacons.map {
            .init(uuid: Self.uuid, major: $0.major, minor: $0.minor, distance: $0.distance)
        }
        _ = try await daemon.call(Simulate.self, parameters)
    }

    /// Region forms and a delegate, and always, as for a start in the background.
    @Test func anAppInTheOlderStyleMonitorsAndRanges() async throws {
        let daemon = try await TestDaemon(receivers: [])
        let app = try await FixtureApp("classic-app", daemon, texts: Self.texts)
        _ = try await daemon.ctl("grant", app.app, "--always")
        // Another owner's: nothing of the shop is in range.
        var parameters = Simulate.Parameters()
        parameters.beacons = [.init(uuid: "00000000-0000-0000-0000-000000000001", major: 1, minor: 1, distance: 1)]
        _ = try await daemon.call(Simulate.self, parameters)
        let socket = app.folder.path + "/wake"
        let program = try app.startThroughSocket(socket, "beacons")
        var count = try await program.wait(for: "monitoring shop E2C56DB5", "state shop 2")
        try await simulate([(7, 1, 1)], daemon)
        count = try await program.wait(for: "entered shop", "state shop 1", "ranged shop 7 1 2", after: count)
        _ = try await daemon.call(Simulate.self, parameters)
        try await program.wait(for: "left shop", after: count)
        program.signal(SIGTERM)
    }

    @Test func anAppWithConstraintsAndAMonitor() async throws {
        let daemon = try await TestDaemon(receivers: [])
        let app = try await FixtureApp("concurrency-app", daemon, texts: Self.texts)
        _ = try await daemon.ctl("grant", app.app)
        try await simulate([(2, 9, 3)], daemon)
        let program = try app.start("beacons")
        defer { program.signal(SIGKILL) }
        try await program.wait(for: "ranging true")
        try await program.wait(for: "ranged 1: ")
        try await program.wait(for: "shop satisfied")
        try await simulate([(1, 4, 0.4), (1, 5, 12)], daemon)
        try await program.wait(for: "ranged 1: 4 1 -51 true, 5 3 -81 false")
        // The daemon says that it cannot range for an app with reduced accuracy.
        _ = try await daemon.ctl("grant", app.app, "--reduced")
        try await program.wait(for: "ranging failure 1")
    }

    /// The condition for several beacons is met by one, which the event names.
    @Test func aMonitorNamesTheBeacon() async throws {
        let daemon = try await TestDaemon(receivers: [])
        let app = try await FixtureApp("concurrency-app", daemon, texts: Self.texts)
        _ = try await daemon.ctl("grant", app.app)
        var parameters = Simulate.Parameters()
        parameters.beacons = [.init(uuid: "00000000-0000-0000-0000-000000000001", major: 1, minor: 1, distance: 1)]
        _ = try await daemon.call(Simulate.self, parameters)
        let program = try app.start("beacons")
        defer { program.signal(SIGKILL) }
        try await program.wait(for: "shop unsatisfied 0 0")
        try await simulate([(1, 4, 0.4)], daemon)
        try await program.wait(for: "shop satisfied 1 4")
    }
}
