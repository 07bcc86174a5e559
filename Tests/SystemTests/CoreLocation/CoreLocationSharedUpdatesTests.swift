import Foundation
import LocationModel
import LocationProtocol
import Synchronization
import TestSupport
import Testing

@testable import CoreLocation
@testable import CoreLocationDaemon

/// The managers of one process, which share a stream if they have the same options.
@Suite(.timeLimit(.minutes(15))) struct CoreLocationSharedUpdatesTests {
    private func make(_ app: AppSession) -> (manager: CLLocationManager, delegate: RecordingDelegate) {
        let manager = Backend.$current.withValue(DaemonBackend(app)) { CLLocationManager() }
        let delegate = RecordingDelegate()
        manager.delegate = delegate
        return (manager, delegate)
    }

    private func streams(_ daemon: TestDaemon) async throws -> Int {
        try await daemon.call(ListSessions.self, UserScope()).sessions.count
    }

    private func locations(_ delegate: RecordingDelegate) -> Int {
        delegate.callbacks.filter { $0.hasPrefix("location") }.count
    }

    /// More managers than an app may have connections.
    @Test func threeHundredManagersUpdateOnOneConnection() async throws {
        let daemon = try await TestDaemon(receivers: ["simulated"])
        try await daemon.grantSelf()
        let app = AppSession(runtimeDirectory: daemon.runtime)
        let all = (0..<300).map { _ in make(app) }
        for (manager, _) in all { manager.startUpdatingLocation() }
        try await eventually("a location for each") { all.allSatisfy { locations($0.delegate) > 0 } }
        #expect(all.allSatisfy { $0.manager.location != nil })
        #expect(try await streams(daemon) == 1)

        for (manager, _) in all.dropFirst() { manager.stopUpdatingLocation() }
        let count = locations(all[0].delegate)
        try await eventually("further locations for the one that goes on") {
            locations(all[0].delegate) > count + 1
        }
        #expect(try await streams(daemon) == 1)
        all[0].manager.stopUpdatingLocation()
        try await eventually("the end of the stream") { try await streams(daemon) == 0 }
    }

    @Test func managersWithOtherOptionsOrAFilterHaveTheirOwnStreams() async throws {
        let daemon = try await TestDaemon(receivers: ["simulated"])
        try await daemon.grantSelf()
        let app = AppSession(runtimeDirectory: daemon.runtime)
        let all = (0..<4).map { _ in make(app) }
        all[1].manager.desiredAccuracy = kCLLocationAccuracyHundredMeters
        all[2].manager.distanceFilter = 1
        all[3].manager.distanceFilter = 1
        for (manager, _) in all { manager.startUpdatingLocation() }
        try await eventually("four streams") { try await streams(daemon) == 4 }
        // The second joins the first.
        all[1].manager.desiredAccuracy = kCLLocationAccuracyBest
        try await eventually("three streams") { try await streams(daemon) == 3 }
        for (manager, _) in all { manager.stopUpdatingLocation() }
        try await eventually("the end of all streams") { try await streams(daemon) == 0 }
    }

    /// Attack: an app keeps one manager running, and has another one report the last location with full accuracy after
    /// the user has reduced it.
    @Test func afterAReductionNobodyGetsTheLastExactLocation() async throws {
        let wire = try Wire()
        let daemon = try await TestDaemon(receivers: ["serial:\(wire.path)@9600"])
        try await daemon.grantSelf()
        let app = AppSession(runtimeDirectory: daemon.runtime)
        var seconds = 0
        func eventually(_ awaited: String, _ condition: () -> Bool) async throws {
            try await TestSupport.eventually(awaited) {
                wire.offer(Sentences.epoch(seconds))
                seconds += 1
                return condition()
            }
        }
        let first = make(app)
        first.manager.startUpdatingLocation()
        try await eventually("a location") { locations(first.delegate) > 0 }
        try await daemon.grantSelf(.reduced)
        try await first.delegate.wait(for: "status authorizedWhenInUse reducedAccuracy")

        let second = make(app)
        let accuracies = AccuracyDelegate()
        second.manager.delegate = accuracies
        second.manager.startUpdatingLocation()
        try await eventually("the reduced location") { !accuracies.all.isEmpty }
        #expect(accuracies.all.allSatisfy { $0 > 1000 }, "\(accuracies.all)")
        #expect(try await streams(daemon) == 1)
        first.manager.stopUpdatingLocation()
        second.manager.stopUpdatingLocation()
    }
}

/// Records the horizontal accuracy of each location.
private final class AccuracyDelegate: NSObject, CLLocationManagerDelegate {
    private let accuracies = Mutex<[CLLocationAccuracy]>([])
    var all: [CLLocationAccuracy] { accuracies.withLock(\.self) }

    func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
        accuracies.withLock { $0 += locations.map(\.horizontalAccuracy) }
    }
}
