import Foundation
import LocationClient
import LocationModel
import LocationProtocol
import Synchronization
import TestSupport
import Testing
import Varlink

@testable import CoreLocation
@testable import CoreLocationDaemon

/// Significant changes and visits of an app that may have the location only while it is in use, with the real daemon.
@Suite(.timeLimit(.minutes(15))) struct CoreLocationInUseTests {
    @Test func theyAreReportedWhileTheAppIsInUse() async throws {
        let journey = try await Journey()
        try await journey.daemon.grantSelf()
        let app = AppSession(runtimeDirectory: journey.daemon.runtime)
        let manager = Backend.$current.withValue(DaemonBackend(app)) { CLLocationManager() }
        let delegate = RecordingDelegate()
        manager.delegate = delegate
        manager.startMonitoringSignificantLocationChanges()
        manager.startMonitoringVisits()
        try await journey.go(at: 0, until: "the first events") {
            delegate.callbacks.contains("location") && delegate.callbacks.contains("arrived")
        }

        // Nothing that happens in the background is reported, neither then nor later. The daemon's counters show it: an
        // event from before may still be on its way to the delegate.
        let name = try await journey.daemon.ownApp()
        try await app.client.setInBackground(true)
        var sent = try await journey.streams(of: name)
        _ = try await journey.go(400, at: 20)
        #expect(try await journey.streams(of: name) == sent, "\(delegate.callbacks)")
        var count = delegate.callbacks.count
        try await app.client.setInBackground(false)
        try await journey.go(at: 0, until: "events in use") {
            let callbacks = delegate.callbacks.dropFirst(count)
            return callbacks.contains("location") && callbacks.contains("arrived")
        }
        #expect(!delegate.callbacks.contains("departed"), "\(delegate.callbacks)")

        // The same streams go on in the background once the app may have the location always.
        _ = try await journey.daemon.call(Grant.self, .init(app: name, level: .always))
        try await delegate.wait(for: "status authorizedAlways fullAccuracy")
        try await app.client.setInBackground(true)
        sent = try await journey.streams(of: name)
        count = delegate.callbacks.count
        try await journey.go(at: 20, until: "a location in the background") {
            let changes = MonitorSignificantChanges.name
            return try await journey.streams(of: name)[changes] ?? 0 > sent[changes] ?? 0
                && delegate.callbacks.dropFirst(count).contains("location")
        }
        #expect(!delegate.callbacks.contains { $0.hasPrefix("failure") }, "\(delegate.callbacks)")
        manager.stopMonitoringSignificantLocationChanges()
        manager.stopMonitoringVisits()
    }

    /// Both services call the same function of the delegate.
    @Test func updatesAndSignificantChangesReportAFixAndADenialOnce() async throws {
        let journey = try await Journey()
        let daemon = journey.daemon
        try await daemon.grantSelf()
        let manager = Backend.$current.withValue(
            DaemonBackend(AppSession(runtimeDirectory: daemon.runtime))
        ) { CLLocationManager() }
        let delegate = FixDelegate()
        manager.delegate = delegate
        manager.startMonitoringSignificantLocationChanges()
        manager.startUpdatingLocation()
        manager.pausesLocationUpdatesAutomatically = false
        let name = try await daemon.ownApp()
        try await journey.go(at: 20, until: "significant changes") {
            try await journey.streams(of: name)[MonitorSignificantChanges.name] ?? 0 >= 3 && delegate.fixes.count > 20
        }
        #expect(Set(delegate.fixes).count == delegate.fixes.count, "\(delegate.fixes)")

        _ = try await daemon.ctl("deny", name)
        try await eventually("the denial") { delegate.failures.contains(.denied) }
        let count = delegate.fixes.count
        try await daemon.grantSelf()
        try await journey.go(at: 20, until: "locations again") { delegate.fixes.count > count }
        #expect(delegate.failures.count { $0 == .denied } == 1, "\(delegate.failures)")
    }

    /// An app as tutorials for iOS write it. It requests `always`, and may have the location while it is in use.
    @Test func anAppIsStartedOnlyWhenItMayHaveTheLocationAlways() async throws {
        let journey = try await Journey()
        let daemon = journey.daemon
        let texts = [
            "NSLocationWhenInUseUsageDescription": "to show the way",
            "NSLocationAlwaysAndWhenInUseUsageDescription": "to keep a diary",
        ]
        let app = try await FixtureApp("classic-app", daemon, texts: texts)
        _ = try await daemon.ctl("grant", app.app, "--when-in-use")
        let program = try app.startThroughSocket(app.folder.path + "/wake", "--background")
        defer { program.signal(SIGTERM) }
        func count(of beginning: String) -> Int { program.lines.filter { $0.hasPrefix(beginning) }.count }
        try await journey.go(at: 20, until: "significant changes") { count(of: "significant") >= 2 }

        // The app is ended, and does not come back while it may have the location only in use.
        let first = try #require(program.lines.first?.split(separator: " ").last.flatMap { Int32($0) })
        kill(first, SIGKILL)
        try await eventually("the streams to be closed") { try await journey.streams(of: app.app).isEmpty }
        let moment = try await journey.go(400, at: 20)
        let before = program.lines.count
        #expect(count(of: "started") == 1)
        _ = try await daemon.ctl("grant", app.app, "--always")
        try await journey.go(at: 0, until: "the app") {
            program.lines.dropFirst(before).contains { $0.hasPrefix("significant") }
        }
        let lines = program.lines.dropFirst(before)
        #expect(lines.first?.hasPrefix("started") == true, "\(program.lines)")
        let event = try #require(lines.first { $0.hasPrefix("significant") })
        let time = try #require(event.split(separator: " ").last.flatMap { Double($0) })
        #expect(time > Double(moment.millisecondsSince1970) / 1000, "\(program.lines)")
    }
}

/// Records the times of a manager's fixes, and its failures.
private final class FixDelegate: NSObject, CLLocationManagerDelegate {
    private let recorded = Mutex<(fixes: [Date], failures: [CLError.Code])>(([], []))
    var fixes: [Date] { recorded.withLock(\.fixes) }
    var failures: [CLError.Code] { recorded.withLock(\.failures) }

    func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
        recorded.withLock { $0.fixes += locations.map(\.timestamp) }
    }

    func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
        guard let error = error as? CLError else { return }
        recorded.withLock { $0.failures.append(error.code) }
    }
}
