import Foundation
import LocationModel
import LocationProtocol
import NIOCore
import Synchronization
import TestSupport
import Testing
import Varlink

@testable import CoreLocation
@testable import CoreLocationDaemon

/// The answers of a manager, with the real daemon: the last location, the state of a region, a compass, and the lines
/// on standard error.
@Suite(.timeLimit(.minutes(15))) struct CoreLocationAnswersTests {
    private func make(_ app: AppSession) -> (CLLocationManager, RecordingDelegate) {
        let manager = Backend.$current.withValue(DaemonBackend(app)) { CLLocationManager() }
        return (manager, RecordingDelegate())
    }

    // MARK: The last location

    @Test func everyManagerHasTheLastLocationUntilARevocation() async throws {
        let daemon = try await TestDaemon(receivers: ["simulated"])
        try await daemon.grantSelf()
        let app = AppSession(runtimeDirectory: daemon.runtime)
        let (first, delegate) = make(app)
        let (second, _) = make(app)
        #expect(second.location == nil)
        first.delegate = delegate
        first.startUpdatingLocation()
        try await delegate.wait(for: "location")
        #expect(second.location != nil)
        let (later, _) = make(app)
        #expect(later.location != nil)
        // It was not requested with reduced accuracy.
        later.desiredAccuracy = kCLLocationAccuracyReduced
        #expect(later.location == nil)
        first.stopUpdatingLocation()
        _ = try await daemon.ctl("deny", try await daemon.ownApp())
        try await delegate.wait(for: "status denied fullAccuracy")
        #expect(first.location == nil && second.location == nil)
        try await daemon.grantSelf()
        try await delegate.wait(for: "status denied fullAccuracy", "status authorizedWhenInUse fullAccuracy")
        try await eventually("the daemon's last location") { first.location != nil && second.location != nil }
    }

    @Test func aNewProcessHasTheLastLocationOfTheDaemon() async throws {
        let daemon = try await TestDaemon(receivers: ["simulated"])
        try await daemon.grantSelf()
        let (first, delegate) = make(AppSession(runtimeDirectory: daemon.runtime))
        first.delegate = delegate
        first.startUpdatingLocation()
        try await delegate.wait(for: "location")
        first.stopUpdatingLocation()
        func state() async throws -> ReceiverStatus? {
            try await daemon.call(ListReceivers.self, .init()).receivers.first?.state
        }
        try await eventually("the receiver to be closed") { try await state() == .stopped }

        let (second, other) = make(AppSession(runtimeDirectory: daemon.runtime))
        second.delegate = other
        // A manager waits for the answer for a moment only, and has none until it has come.
        try await eventually("the daemon's last location") { second.location != nil }
        #expect(try await state() == .stopped)
        _ = try await daemon.ctl("deny", try await daemon.ownApp())
        try await other.wait(for: "status denied fullAccuracy")
        #expect(second.location == nil)
        let (third, _) = make(AppSession(runtimeDirectory: daemon.runtime))
        #expect(third.location == nil)
    }

    /// An app that only monitors regions reads the location in their callbacks.
    @Test func withoutAStreamEachReadingHasTheDaemonsNewestLocation() async throws {
        let journey = try await Journey()
        try await journey.daemon.grantSelf()
        let (manager, delegate) = make(AppSession(runtimeDirectory: journey.daemon.runtime))
        let places = RegionPlaces()
        manager.delegate = places
        try await journey.go(at: 0, until: "the first reading") { manager.location != nil }
        #expect(home.contains(try #require(manager.location).coordinate))
        manager.startMonitoring(for: home)
        try await journey.go(at: 0, until: "the state") { places.states.contains(.inside) }
        try await journey.go(at: 15, until: "the exit") { !places.exits.isEmpty }
        let exit = try #require(places.exits.first ?? nil)
        #expect(!home.contains(exit.coordinate))

        // The answer to a request does not stay for ever either.
        manager.delegate = delegate
        manager.requestLocation()
        try await journey.go(at: 15, until: "the answer") { delegate.callbacks.contains("location") }
        let answered = try #require(manager.location)
        try await journey.go(at: 15, until: "a newer location") {
            manager.location?.distance(from: answered) ?? 0 > 50
        }
    }

    @Test func withoutALastLocationNoReceiverIsStarted() async throws {
        let wire = try Wire()
        let daemon = try await TestDaemon(receivers: ["serial:\(wire.path)@9600"])
        try await daemon.grantSelf()
        let (manager, _) = make(AppSession(runtimeDirectory: daemon.runtime))
        #expect(manager.location == nil)
        let receivers = try await daemon.call(ListReceivers.self, .init()).receivers
        #expect(receivers.map(\.state) == [.stopped])
    }

    @Test func reducedAccuracyEndsTheLastLocation() async throws {
        let daemon = try await TestDaemon(receivers: ["simulated"])
        try await daemon.grantSelf()
        let (manager, delegate) = make(AppSession(runtimeDirectory: daemon.runtime))
        manager.delegate = delegate
        manager.startUpdatingLocation()
        try await delegate.wait(for: "location")
        manager.stopUpdatingLocation()
        try await daemon.grantSelf(.reduced)
        try await delegate.wait(for: "status authorizedWhenInUse reducedAccuracy")
        #expect(manager.location == nil)
    }

    // MARK: The state of a region

    private var home: CLCircularRegion {
        CLCircularRegion(
            center: CLLocationCoordinate2D(latitude: 47.5, longitude: 8.75), radius: 200, identifier: "home")
    }

    @Test func aStateIsAnsweredWhenTheFirstFixesHaveDeterminedIt() async throws {
        let wire = try Wire()
        let daemon = try await TestDaemon(receivers: ["serial:\(wire.path)@9600"])
        try await daemon.grantSelf()
        // Makes every fix count: for a region alone, a fix is due every ten seconds.
        var options = Options()
        options.pausesAutomatically = false
        let stream = try await daemon.subscribe(options)
        let app = AppSession(runtimeDirectory: daemon.runtime, delays: .init(regionState: .hours(1)))
        let (manager, delegate) = make(app)
        manager.delegate = delegate
        manager.startMonitoring(for: home)
        manager.requestState(for: home)
        try await delegate.wait(for: "started home")
        manager.requestState(for: home)
        var track = Track()
        try await eventually("both answers") {
            wire.offer(track.next(at: 0))
            return delegate.callbacks.filter { $0 == "state home inside" }.count == 2
        }
        withExtendedLifetime(stream) {}
        #expect(!delegate.callbacks.contains("state home unknown"), "\(delegate.callbacks)")
        // It is known from now on.
        manager.requestState(for: home)
        try await delegate.wait(for: "state home inside", "state home inside", "state home inside")
    }

    @Test func withoutAFixTheStateIsUnknownAfterTheTimeout() async throws {
        let daemon = try await TestDaemon(receivers: [])
        try await daemon.grantSelf()
        let app = AppSession(runtimeDirectory: daemon.runtime, delays: .init(regionState: .milliseconds(1)))
        let (manager, delegate) = make(app)
        manager.delegate = delegate
        manager.startMonitoring(for: home)
        manager.requestState(for: home)
        try await delegate.wait(for: "state home unknown")
    }

    @Test func aRegionThatIsNotMonitoredIsNotWaitedFor() async throws {
        let daemon = try await TestDaemon(receivers: [])
        try await daemon.grantSelf()
        let app = AppSession(runtimeDirectory: daemon.runtime, delays: .init(regionState: .hours(1)))
        let (manager, delegate) = make(app)
        manager.delegate = delegate
        manager.requestState(for: home)
        try await delegate.wait(for: "state home unknown")
        manager.startMonitoring(for: home)
        manager.requestState(for: home)
        manager.stopMonitoring(for: home)
        try await delegate.wait(for: "state home unknown", "state home unknown")
    }

    // MARK: The compass

    @Test func aCompassIsMissingOnlyIfTheDaemonSaysSo() async throws {
        let folder = try TemporaryFolder()
        let app = AppSession(runtimeDirectory: folder.path + "/run")
        let backend = DaemonBackend(app)
        #expect(!backend.headingAvailable)
        // A daemon that was unreachable has not said anything about a compass.
        let daemon = try await TestDaemon(receivers: [], folder: folder)
        try await eventually("the daemon's authorization") { backend.headingAvailable }
        // Without receivers there is none.
        try await daemon.grantSelf()
        try await eventually("the missing compass") { !backend.headingAvailable }
    }

    @Test func aCompassThatReportsIsAvailable() async throws {
        let wire = try Wire()
        let daemon = try await TestDaemon(receivers: ["serial:\(wire.path)@9600"])
        try await daemon.grantSelf()
        let compass = { try await daemon.call(GetCompass.self, Nothing()).available }
        #expect(try await compass() == nil)
        let stream = try await daemon.subscribe()
        try await eventually("the compass") {
            wire.offer(Sentences.sentence("HEHDT,101.5,T"))
            return try await compass() == true
        }
        withExtendedLifetime(stream) {}
        let backend = DaemonBackend(AppSession(runtimeDirectory: daemon.runtime))
        try await eventually("the compass's answer") { backend.headingAvailable }
    }

    // MARK: Lines on standard error

    @Test(arguments: [(false, "`locationctl grant "), (true, "NSLocationWhenInUseUsageDescription")])
    func anAppWithoutAuthorizationReadsWhatItLacks(isRequested: Bool, remedy: String) async throws {
        let daemon = try await TestDaemon(receivers: ["simulated"])
        let lines = RecordedLines()
        let app = AppSession(
            runtimeDirectory: daemon.runtime, diagnostics: Diagnostics { lines.add($0) },
            delays: .init(authorizationRequest: .milliseconds(1)))
        let (manager, delegate) = make(app)
        manager.delegate = delegate
        if isRequested { manager.requestWhenInUseAuthorization() }
        manager.startUpdatingLocation()
        try await eventually("the line") { !lines.all.isEmpty }
        manager.stopUpdatingLocation()
        manager.requestLocation()
        try await delegate.wait(for: "failure 1")
        #expect(lines.all.count == 1, "\(lines.all)")
        #expect(lines.all.first?.contains(remedy) == true, "\(lines.all)")
    }

    @Test func anAppWithoutADaemonReadsThatThereIsNone() async throws {
        let folder = try TemporaryFolder()
        let lines = RecordedLines()
        let (manager, delegate) = make(
            AppSession(runtimeDirectory: folder.path, diagnostics: Diagnostics { lines.add($0) }))
        manager.delegate = delegate
        manager.requestWhenInUseAuthorization()
        manager.startUpdatingLocation()
        // As Core Location reports that there is no location for now.
        try await delegate.wait(for: "failure 0")
        try await eventually("the line") { !lines.all.isEmpty }
        #expect(lines.all.count == 1, "\(lines.all)")
        #expect(lines.all[0].contains("locationd does not answer at \(folder.path)/"), "\(lines.all)")
    }

    @Test func anAppWithoutAPurposeReadsWhereToDescribeIt() async throws {
        let daemon = try await TestDaemon(receivers: [])
        try await daemon.grantSelf()
        let lines = RecordedLines()
        let (manager, delegate) = make(
            AppSession(runtimeDirectory: daemon.runtime, diagnostics: Diagnostics { lines.add($0) }))
        manager.delegate = delegate
        // With full accuracy there is nothing to request.
        await #expect(throws: CLError(.promptDeclined)) {
            try await manager.requestTemporaryFullAccuracyAuthorization(withPurposeKey: "turns")
        }
        #expect(lines.all == [])
        try await daemon.grantSelf(.reduced)
        try await delegate.wait(for: "status authorizedWhenInUse reducedAccuracy")
        for _ in 1...2 {
            await #expect(throws: CLError(.promptDeclined)) {
                try await manager.requestTemporaryFullAccuracyAuthorization(withPurposeKey: "turns")
            }
        }
        #expect(lines.all.count == 1, "\(lines.all)")
        #expect(lines.all.first?.contains("'turns'") == true, "\(lines.all)")
    }
}

/// Records the state of regions, and the manager's location when the device leaves one.
private final class RegionPlaces: NSObject, CLLocationManagerDelegate {
    private let recorded = Mutex<(states: [CLRegionState], exits: [CLLocation?])>(([], []))
    var states: [CLRegionState] { recorded.withLock(\.states) }
    var exits: [CLLocation?] { recorded.withLock(\.exits) }

    func locationManager(_ manager: CLLocationManager, didDetermineState state: CLRegionState, for region: CLRegion) {
        recorded.withLock { $0.states.append(state) }
    }

    func locationManager(_ manager: CLLocationManager, didStartMonitoringFor region: CLRegion) {
        manager.requestState(for: region)
    }

    func locationManager(_ manager: CLLocationManager, didExitRegion region: CLRegion) {
        let location = manager.location
        recorded.withLock { $0.exits.append(location) }
    }
}
