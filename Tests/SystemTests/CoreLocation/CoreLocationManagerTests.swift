import Foundation
import LocationClient
import LocationModel
import LocationProtocol
import NIOCore
import TestSupport
import Testing
import Varlink

@testable import CoreLocation
@testable import CoreLocationDaemon

/// A manager's behaviour with the real daemon.
@Suite(.timeLimit(.minutes(15))) struct CoreLocationManagerTests {
    /// Returns a manager for the daemon at `runtime`. Its delegate is called on a queue of its own, because a task
    /// makes it.
    private func make(_ runtime: String) -> (CLLocationManager, RecordingDelegate) {
        make(AppSession(runtimeDirectory: runtime))
    }

    private func make(_ app: AppSession) -> (CLLocationManager, RecordingDelegate) {
        let manager = Backend.$current.withValue(DaemonBackend(app)) { CLLocationManager() }
        return (manager, RecordingDelegate())
    }

    private func replaying(_ track: Track) async throws -> TestDaemon {
        let folder = try TemporaryFolder()
        let file = try track.write(to: folder, as: "track.nmea")
        return try await TestDaemon(receivers: ["replay:\(file)@200"], folder: folder)
    }

    // MARK: Authorization

    @Test func aDelegateIsToldAtFirstAndOfEachChange() async throws {
        let daemon = try await TestDaemon(receivers: [])
        let (manager, delegate) = make(daemon.runtime)
        #expect(manager.authorizationStatus == .notDetermined)
        delegate.during { manager.delegate = delegate }
        // The callback does not come from within the setter, which would mark it.
        try await delegate.wait(for: "status notDetermined fullAccuracy")
        try await daemon.grantSelf()
        let app = try await daemon.ownApp()
        try await delegate.wait(for: "status authorizedWhenInUse fullAccuracy")
        _ = try await daemon.ctl("grant", app, "--reduced")
        try await delegate.wait(for: "status authorizedWhenInUse reducedAccuracy")
        _ = try await daemon.ctl("deny", app)
        try await eventually("the denial") { manager.authorizationStatus == .denied }
        try await eventually("the last callback") { delegate.callbacks.count == 4 }
        // Setting the same delegate again has no effect.
        manager.delegate = delegate
        let other = RecordingDelegate()
        manager.delegate = other
        try await eventually("the other delegate") { other.callbacks.count == 1 }
        #expect(delegate.callbacks.count == 4, "\(delegate.callbacks)")
    }

    @Test func withoutADaemonNobodyWaitsLong() async throws {
        let folder = try TemporaryFolder()
        let (manager, delegate) = make(folder.path)
        #expect(manager.authorizationStatus == .notDetermined)
        #expect(manager.monitoredRegions.isEmpty)
        manager.delegate = delegate
        manager.startUpdatingLocation()
        try await delegate.wait(for: "status notDetermined fullAccuracy", "failure 0")
    }

    // MARK: Updates

    @Test func whatWasDeniedComesWhenItIsGranted() async throws {
        let daemon = try await TestDaemon(receivers: ["simulated"])
        let app = try await daemon.ownApp()
        _ = try await daemon.ctl("deny", app)
        let (manager, delegate) = make(daemon.runtime)
        manager.delegate = delegate
        manager.startUpdatingLocation()
        try await delegate.wait(for: "status denied fullAccuracy", "failure 1")
        try await daemon.grantSelf()
        try await delegate.wait(for: "status authorizedWhenInUse fullAccuracy", "location", "location")
        _ = try await daemon.ctl("deny", app)
        try await delegate.wait(for: "location", "status denied fullAccuracy", "failure 1")
        manager.stopUpdatingLocation()
        #expect(delegate.callbacks.filter { $0.hasPrefix("failure") }.count == 2, "\(delegate.callbacks)")
    }

    /// A location without a delegate is not queued, and does not hold up later ones.
    @Test func aDelegateThatComesLateIsTold() async throws {
        let daemon = try await TestDaemon(receivers: ["simulated"])
        try await daemon.grantSelf()
        let (manager, delegate) = make(daemon.runtime)
        manager.startUpdatingLocation()
        try await eventually("a location") { manager.location != nil }
        manager.delegate = delegate
        try await eventually("locations") { delegate.callbacks.filter { $0.hasPrefix("location") }.count > 1 }
        manager.stopUpdatingLocation()
    }

    @Test func otherOptionsHoldAtOnce() async throws {
        let daemon = try await TestDaemon(receivers: ["simulated"])
        try await daemon.grantSelf()
        let (manager, delegate) = make(daemon.runtime)
        manager.delegate = delegate
        manager.startUpdatingLocation()
        func session() async throws -> SessionSummary? {
            try await daemon.call(ListSessions.self, UserScope()).sessions.first
        }
        try await eventually("the stream") { try await session()?.desiredAccuracy == .best }
        manager.desiredAccuracy = kCLLocationAccuracyKilometer
        manager.distanceFilter = 30
        try await eventually("the other options") {
            let session = try await session()
            return session?.desiredAccuracy == .kilometer && session?.distanceFilter == 30
        }
        manager.stopUpdatingLocation()
        try await eventually("the end") { try await session() == nil }
    }

    @Test func aManagerThatIsGoneListensNoMore() async throws {
        let daemon = try await TestDaemon(receivers: ["simulated"])
        try await daemon.grantSelf()
        let delegate = RecordingDelegate()
        weak var gone: CLLocationManager?
        do {
            let (manager, _) = make(daemon.runtime)
            gone = manager
            manager.delegate = delegate
            manager.startUpdatingLocation()
            try await delegate.wait(for: "location")
        }
        // A callback that has begun on the manager's queue retains the manager.
        try await eventually("the manager to be gone") { gone == nil }
        let count = delegate.callbacks.count
        try await eventually("the end") { try await daemon.call(ListSessions.self, UserScope()).sessions.isEmpty }
        #expect(delegate.callbacks.count == count)
    }

    @Test func updatesGoOnWithTheNextDaemon() async throws {
        let daemon = try await TestDaemon(receivers: ["simulated"])
        try await daemon.grantSelf()
        let (manager, delegate) = make(daemon.runtime)
        manager.delegate = delegate
        manager.startUpdatingLocation()
        try await delegate.wait(for: "location")
        try await daemon.kill()
        try await delegate.wait(for: "location", "failure 0")
        try await daemon.start()
        try await delegate.wait(for: "location", "failure 0", "location")
        manager.stopUpdatingLocation()
    }

    @Test func aBackgroundActivityLetsUpdatesGoOn() async throws {
        let daemon = try await TestDaemon(receivers: ["simulated"])
        try await daemon.grantSelf()
        let app = AppSession(runtimeDirectory: daemon.runtime)
        let (manager, delegate) = make(app)
        manager.delegate = delegate
        manager.startUpdatingLocation()
        try await delegate.wait(for: "location")
        func session() async throws -> SessionSummary? {
            try await daemon.call(ListSessions.self, UserScope()).sessions.first
        }
        let before = try await session()?.since
        let activity = Backend.$current.withValue(DaemonBackend(app)) { CLBackgroundActivitySession() }
        try await eventually("a stream with it") {
            let since = try await session()?.since
            return since != nil && since != before
        }
        try await app.client.setInBackground(true)
        try await eventually("the background") { try await session()?.background == true }
        activity.invalidate()
        // Without the activity there are no updates: a stream in the background is refused, or suspended once the
        // daemon knows.
        try await eventually("the end") {
            let session = try await session()
            return session == nil || session?.state == .suspended
        }
        let count = delegate.callbacks.count
        try await app.client.setInBackground(false)
        try await eventually("the updates") { delegate.callbacks.dropFirst(count).contains("location") }
        manager.stopUpdatingLocation()
    }

    @Test func aStationaryDevicePauses() async throws {
        var track = Track()
        track.go(60, at: 1.4)
        track.go(600, at: 0)
        // Much longer than a busy machine holds up the daemon.
        track.go(20_000, at: 1.4)
        let daemon = try await replaying(track)
        try await daemon.grantSelf()
        let (manager, delegate) = make(daemon.runtime)
        manager.delegate = delegate
        manager.startUpdatingLocation()
        try await delegate.wait(for: "location", "paused", "resumed", "location")
        manager.stopUpdatingLocation()
    }

    // MARK: One location

    @Test func aRequestIsAnsweredOnce() async throws {
        let daemon = try await TestDaemon(receivers: ["simulated"])
        try await daemon.grantSelf()
        let app = AppSession(runtimeDirectory: daemon.runtime)
        let (manager, delegate) = make(app)
        manager.delegate = delegate
        // Both in one turn of the loop: the first must not have been answered when the second is made. The manager is
        // not used elsewhere meanwhile.
        nonisolated(unsafe) let both = manager
        try await app.loop.submit {
            both.requestLocation()
            both.requestLocation()
        }.get()
        try await delegate.wait(for: "location")
        try await eventually("the end") { try await daemon.call(ListSessions.self, UserScope()).sessions.isEmpty }
        #expect(delegate.callbacks.filter { $0 == "location" }.count == 1)
        // A new request is answered again.
        manager.requestLocation()
        try await delegate.wait(for: "location", "location")
    }

    @Test func aRequestThatNobodyDecidedAboutFails() async throws {
        let daemon = try await TestDaemon(receivers: ["simulated"])
        let (manager, delegate) = make(daemon.runtime)
        manager.delegate = delegate
        manager.requestLocation()
        try await delegate.wait(for: "failure 1")
        _ = try await daemon.ctl("deny", try await daemon.ownApp())
        manager.requestLocation()
        try await delegate.wait(for: "failure 1", "failure 1")
    }

    @Test func aRequestWithoutAReceiverFailsInTime() async throws {
        let daemon = try await TestDaemon(receivers: [])
        try await daemon.grantSelf()
        let (manager, delegate) = make(daemon.runtime)
        manager.delegate = delegate
        manager.requestLocation()
        try await delegate.wait(for: "failure 0")
    }

    @Test func aRequestThatIsTakenBackIsNotAnswered() async throws {
        let daemon = try await TestDaemon(receivers: [])
        try await daemon.grantSelf()
        let app = try await daemon.ownApp()
        let (manager, delegate) = make(daemon.runtime)
        manager.delegate = delegate
        manager.requestLocation()
        // A manager has two more connections: one for calls, and one for the authorization.
        func connections() async throws -> Int? {
            try await daemon.call(ListApps.self, UserScope()).apps.first { $0.app == app }?.connections
        }
        try await eventually("the request") { try await connections() == 3 }
        manager.stopUpdatingLocation()
        try await eventually("its end") { try await connections() == 2 }
        #expect(!delegate.callbacks.contains { $0.hasPrefix("failure") || $0 == "location" })
    }

    // MARK: Regions, visits, heading

    @Test func regionsAreSharedAndToldToEveryManager() async throws {
        var track = Track()
        // Much longer than a busy machine holds up the daemon.
        track.go(1500, at: 0)
        track.go(100, at: 20)
        track.go(20_000, at: 0)
        let daemon = try await replaying(track)
        try await daemon.grantSelf()
        let app = AppSession(runtimeDirectory: daemon.runtime)
        let (first, one) = make(app)
        let (second, two) = make(app)
        first.delegate = one
        second.delegate = two
        let home = CLCircularRegion(
            center: CLLocationCoordinate2D(latitude: 47.5, longitude: 8.75), radius: 200, identifier: "home")
        first.startMonitoring(for: home)
        try await one.wait(for: "started home")
        try await eventually("the other's regions") { second.monitoredRegions == [home] }
        try await one.wait(for: "left home", "state home outside")
        try await two.wait(for: "left home", "state home outside")
        #expect(!two.callbacks.contains("started home"))
        second.requestState(for: home)
        try await two.wait(for: "left home", "state home outside", "state home outside")
        // The app is started again.
        let (later, _) = make(daemon.runtime)
        // A manager waits for the list for a moment only, and has none until it has come.
        try await eventually("the regions of the app that was started again") {
            later.monitoredRegions.map(\.identifier) == ["home"]
        }
        later.stopMonitoring(for: home)
        try await eventually("no region") {
            try await daemon.call(ListRegions.self, Nothing()).regions.isEmpty
        }
    }

    @Test func regionsThatAreNotMonitored() async throws {
        let daemon = try await TestDaemon(receivers: [])
        let (manager, delegate) = make(daemon.runtime)
        manager.delegate = delegate
        let place = CLLocationCoordinate2D(latitude: 47.5, longitude: 8.75)
        manager.startMonitoring(for: CLCircularRegion(center: place, radius: 100, identifier: "early"))
        try await delegate.wait(for: "region failure early 4")
        // Before the answer, a region waits for it.
        #expect(manager.monitoredRegions.map(\.identifier) == ["early"])
        try await daemon.grantSelf()
        try await delegate.wait(for: "region failure early 4", "started early")
        for number in 1..<20 {
            manager.startMonitoring(for: CLCircularRegion(center: place, radius: 100, identifier: "r\(number)"))
        }
        try await delegate.wait(for: "started r19")
        manager.startMonitoring(for: CLCircularRegion(center: place, radius: 100, identifier: "r20"))
        try await delegate.wait(for: "region failure r20 5")
        manager.startMonitoring(for: CLBeaconRegion(uuid: UUID(), identifier: "beacon"))
        try await delegate.wait(for: "region failure beacon 5")
        #expect(manager.monitoredRegions.count == 20)
    }

    /// Geofence managers read the list as soon as they have changed it.
    @Test func theListOfRegionsChangesAtOnce() async throws {
        let daemon = try await TestDaemon(receivers: [])
        try await daemon.grantSelf()
        let (manager, delegate) = make(daemon.runtime)
        manager.delegate = delegate
        let place = CLLocationCoordinate2D(latitude: 47.5, longitude: 8.75)
        let regions = (0..<20).map { CLCircularRegion(center: place, radius: 100, identifier: "r\($0)") }
        for (index, region) in regions.enumerated() {
            manager.startMonitoring(for: region)
            #expect(manager.monitoredRegions.count == index + 1)
        }
        // Stopped and started in one turn, a region stays.
        manager.stopMonitoring(for: regions[0])
        manager.startMonitoring(for: regions[0])
        try await eventually("all regions") {
            try await daemon.call(ListRegions.self, Nothing()).regions.count == 20
        }
        try await eventually("the last start: \(delegate.callbacks)") {
            delegate.callbacks.count { $0 == "started r0" } == 2
        }
        #expect(manager.monitoredRegions.count == 20)
        for (index, region) in regions.enumerated() {
            manager.stopMonitoring(for: region)
            #expect(manager.monitoredRegions.count == 19 - index)
        }
        try await eventually("no region") {
            try await daemon.call(ListRegions.self, Nothing()).regions.isEmpty
        }
    }

    /// Another process of the app has started one, or the user has cleared them.
    @Test func theListOfRegionsIsTheDaemons() async throws {
        let daemon = try await TestDaemon(receivers: [])
        try await daemon.grantSelf()
        let (first, _) = make(daemon.runtime)
        let (second, _) = make(daemon.runtime)
        #expect(first.monitoredRegions.isEmpty)
        let place = CLLocationCoordinate2D(latitude: 47.5, longitude: 8.75)
        second.startMonitoring(for: CLCircularRegion(center: place, radius: 100, identifier: "home"))
        try await eventually("the other's region") { first.monitoredRegions.map(\.identifier) == ["home"] }
        _ = try await daemon.call(ClearPlaces.self, .init(app: try await daemon.ownApp()))
        try await eventually("the end of the region") {
            first.monitoredRegions.isEmpty && second.monitoredRegions.isEmpty
        }
    }

    /// Under reduced accuracy regions wait too, and no other manager hears of it.
    @Test func regionsWaitForFullAccuracy() async throws {
        let daemon = try await TestDaemon(receivers: [])
        try await daemon.grantSelf(.reduced)
        let app = AppSession(runtimeDirectory: daemon.runtime)
        let (manager, delegate) = make(app)
        let (other, unrelated) = make(app)
        manager.delegate = delegate
        other.delegate = unrelated
        let place = CLLocationCoordinate2D(latitude: 47.5, longitude: 8.75)
        manager.startMonitoring(for: CLCircularRegion(center: place, radius: 100, identifier: "home"))
        try await delegate.wait(for: "region failure home 4")
        try await daemon.grantSelf()
        try await delegate.wait(for: "region failure home 4", "started home")
        try await unrelated.wait(for: "status authorizedWhenInUse reducedAccuracy")
        #expect(!unrelated.callbacks.contains { $0.hasPrefix("region failure") }, "\(unrelated.callbacks)")
        #expect(!delegate.callbacks.contains("region failure - 4"), "\(delegate.callbacks)")
    }

    /// The daemon forgets an app's regions with its grant. The app keeps running, and names them again with the next
    /// grant.
    @Test func regionsAreMonitoredAgainAfterANewGrant() async throws {
        let daemon = try await TestDaemon(receivers: [])
        try await daemon.grantSelf()
        let (manager, delegate) = make(daemon.runtime)
        manager.delegate = delegate
        let place = CLLocationCoordinate2D(latitude: 47.5, longitude: 8.75)
        manager.startMonitoring(for: CLCircularRegion(center: place, radius: 100, identifier: "home"))
        try await delegate.wait(for: "started home")
        _ = try await daemon.ctl("revoke", try await daemon.ownApp())
        try await eventually("the revocation: \(delegate.callbacks)") {
            delegate.callbacks.contains { $0.hasPrefix("status denied") || $0.hasPrefix("status notDetermined") }
        }
        try await daemon.grantSelf()
        try await eventually("the region: \(delegate.callbacks)") {
            try await daemon.call(ListRegions.self, Nothing()).regions.map(\.identifier) == ["home"]
        }
    }

    @Test func visitsAndSignificantChanges() async throws {
        var track = Track()
        track.go(200, at: 15)
        track.go(1200, at: 0)
        track.go(1000, at: 15)
        let daemon = try await replaying(track)
        try await daemon.grantSelf()
        let (manager, delegate) = make(daemon.runtime)
        manager.delegate = delegate
        manager.startMonitoringVisits()
        manager.startMonitoringSignificantLocationChanges()
        try await delegate.wait(for: "location", "arrived", "departed", "location")
        manager.stopMonitoringVisits()
        manager.stopMonitoringSignificantLocationChanges()
        try await eventually("the end") { try await daemon.call(ListSessions.self, UserScope()).sessions.isEmpty }
    }

    @Test func aHeadingIsToldAndTurned() async throws {
        let wire = try Wire(sendsTexts: true)
        let daemon = try await TestDaemon(receivers: ["serial:\(wire.path)@9600"])
        try await daemon.grantSelf()
        let (manager, delegate) = make(daemon.runtime)
        manager.delegate = delegate
        manager.startUpdatingHeading()
        try await eventually("the heading") {
            wire.offer(Sentences.sentence("HCHDM,100.0,M"))
            return delegate.callbacks.contains("heading 100 true")
        }
        manager.headingOrientation = .landscapeLeft
        try await eventually("the turned heading") {
            wire.offer(Sentences.sentence("HCHDM,102.0,M") + Sentences.sentence("HCHDM,104.0,M"))
            return delegate.callbacks.contains { $0.hasPrefix("heading 19") }
        }
        manager.stopUpdatingHeading()
    }

    /// The heading from before a denial is not there again after the next grant, when there is no new one yet.
    @Test(arguments: ["revoke", "reduce", "disable"]) func aHeadingIsForgottenWithTheAuthorization(
        _ decision: String
    ) async throws {
        let wire = try Wire(sendsTexts: true)
        let daemon = try await TestDaemon(receivers: ["serial:\(wire.path)@9600"])
        try await daemon.grantSelf()
        let (manager, delegate) = make(daemon.runtime)
        manager.delegate = delegate
        manager.startUpdatingHeading()
        try await eventually("the heading") {
            wire.offer(Sentences.sentence("HCHDM,100.0,M"))
            return delegate.callbacks.contains("heading 100 true")
        }
        func statuses() -> [String] { delegate.callbacks.filter { $0.hasPrefix("status") } }
        let before = statuses().count
        switch decision {
        case "revoke": _ = try await daemon.ctl("revoke", try await daemon.ownApp())
        case "reduce": try await daemon.grantSelf(.reduced)
        default: _ = try await daemon.ctl("disable")
        }
        try await eventually("the decision: \(delegate.callbacks)") { statuses().count == before + 1 }
        #expect(manager.heading == nil)
        if decision == "disable" { _ = try await daemon.ctl("enable") } else { try await daemon.grantSelf(.full) }
        try await eventually("the grant: \(delegate.callbacks)") { statuses().count == before + 2 }
        #expect(manager.heading == nil)
        try await eventually("the next heading: \(delegate.callbacks)") {
            wire.offer(Sentences.sentence("HCHDM,120.0,M"))
            return delegate.callbacks.contains("heading 120 true")
        }
        #expect(manager.heading?.magneticHeading == 120)
    }
}
