import Foundation
import LocationClient
import LocationModel
import LocationProtocol
import TestSupport
import Testing

/// The client library with the real daemon and its simulated receiver.
@Suite(.timeLimit(.minutes(15))) struct LocationClientTests {
    /// Returns a daemon whose receiver always has a fix, the name that this process has there, and a client.
    private func running() async throws -> (daemon: TestDaemon, app: String, client: LocationClient) {
        let daemon = try await TestDaemon(receivers: ["simulated"])
        return (daemon, try await daemon.ownApp(), LocationClient(runtimeDirectory: daemon.runtime))
    }

    private typealias Updates = LocationStream<LocationUpdate>.Iterator

    /// Returns the next location. Skips other events.
    private func location(_ updates: inout Updates) async throws -> Location {
        while let update = try await updates.next() {
            if case .location(let location) = update { return location }
        }
        throw Overdue(what: "a location")
    }

    private func expectEnd(_ updates: inout Updates, _ error: LocationError) async {
        await #expect(throws: error) { while try await updates.next() != nil {} }
    }

    @Test func fromNotDeterminedToRevoked() async throws {
        let (daemon, app, client) = try await running()
        var changes = client.authorizationChanges.makeAsyncIterator()
        #expect(try await changes.next()?.status == .notDetermined)
        await #expect(throws: LocationError.notAuthorized(.notDetermined)) { try await client.location() }
        var refused = client.updates().makeAsyncIterator()
        await expectEnd(&refused, .notAuthorized(.notDetermined))
        await #expect(throws: LocationError.usageDescriptionMissing) {
            try await client.requestAuthorization(.whenInUse)
        }

        async let denial = client.requestAuthorization(.whenInUse, reason: "to see")
        try await eventually("the prompt") {
            try await daemon.call(ListApps.self, UserScope()).apps.first { $0.app == app }?.reason == "to see"
        }
        _ = try await daemon.call(Deny.self, .init(app: app))
        #expect(try await denial.status == .denied)
        #expect(try await changes.next()?.status == .denied)
        await #expect(throws: LocationError.notAuthorized(.denied)) { try await client.location() }

        _ = try await daemon.call(Grant.self, .init(app: app, level: .whenInUse))
        #expect(try await changes.next()?.status == .authorizedWhenInUse)
        #expect(try await client.requestAuthorization(.whenInUse, reason: "to see").status == .authorizedWhenInUse)
        var updates = client.updates().makeAsyncIterator()
        let first = try await location(&updates)
        let second = try await location(&updates)
        #expect(first.timestamp < second.timestamp)
        #expect(try await client.location(timeout: 100, maximumAge: 60).simulated)

        _ = try await daemon.call(Grant.self, .init(app: app, level: .always))
        while let update = try await updates.next() {
            guard case .authorizationChanged(let authorization) = update else { continue }
            #expect(authorization.status == .authorizedAlways)
            break
        }
        _ = try await daemon.call(Revoke.self, AppScope(app: app))
        await expectEnd(&updates, .notAuthorized(.denied))
        #expect(try await client.authorization().status == .denied)
    }

    @Test func aRestartIsReportedAndLocationsContinue() async throws {
        let (daemon, app, client) = try await running()
        _ = try await daemon.call(Grant.self, .init(app: app, level: .whenInUse))
        var updates = client.updates().makeAsyncIterator()
        _ = try await location(&updates)
        try await daemon.kill()
        var told: [LocationUpdate] = []
        while told.last != .disconnected, let update = try await updates.next() { told.append(update) }
        try await daemon.start()
        #expect(try await updates.next() == .reconnected)
        #expect(try await location(&updates).latitude.isFinite)
        #expect(try await client.authorization().status == .authorizedWhenInUse)
    }

    @Test func switchedOffServices() async throws {
        let (daemon, app, client) = try await running()
        _ = try await daemon.call(Grant.self, .init(app: app, level: .whenInUse))
        var updates = client.updates().makeAsyncIterator()
        _ = try await location(&updates)
        #expect(try await daemon.ctl("disable").status == 0)
        await #expect {
            while try await updates.next() != nil {}
        } throws: {
            [.servicesDisabled, .notAuthorized(.denied)].contains($0 as? LocationError)
        }
        #expect(try await client.authorization().servicesEnabled == false)
        await #expect(throws: LocationError.servicesDisabled) { try await client.location() }
        #expect(try await daemon.ctl("enable").status == 0)
        #expect(try await client.location(timeout: 100).simulated)
    }

    @Test func aBackgroundThatIsDeclaredHoldsForTheProcess() async throws {
        let (daemon, app, client) = try await running()
        _ = try await daemon.call(Grant.self, .init(app: app, level: .whenInUse))
        var updates = client.updates().makeAsyncIterator()
        _ = try await location(&updates)
        try await client.setInBackground(true)
        while let update = try await updates.next(), update != .suspended {}
        await #expect(throws: LocationError.notAuthorized(.authorizedWhenInUse)) { try await client.location() }
        try await client.setInBackground(false)
        while let update = try await updates.next(), update != .unsuspended {}
        _ = try await location(&updates)
    }

    @Test func whatIsGrantedOnceHoldsAsLongAsTheClient() async throws {
        let (daemon, app, client) = try await running()
        func connections() async throws -> Int? {
            try await daemon.call(ListApps.self, UserScope()).apps.first { $0.app == app }?.connections
        }
        try await eventually("no connection") { try await connections() ?? 0 == 0 }
        async let answer = client.requestAuthorization(.whenInUse, reason: "to see")
        try await eventually("the prompt") {
            try await daemon.call(ListApps.self, UserScope()).apps.first { $0.app == app }?.reason == "to see"
        }
        _ = try await daemon.call(Grant.self, .init(app: app, level: .whenInUse, lifetime: .once))
        #expect(try await answer.status == .authorizedWhenInUse)
        #expect(try await client.location(timeout: 100).simulated)
        try await eventually("one connection") { try await connections() == 1 }
    }

    @Test func regionsOfAStationaryDevice() async throws {
        let folder = try TemporaryFolder()
        var track = Track()
        track.go(7200, at: 0)
        let file = try track.write(to: folder, as: "track.nmea")
        let daemon = try await TestDaemon(receivers: ["replay:\(file)@200"], folder: folder)
        try await daemon.grantSelf()
        let client = LocationClient(runtimeDirectory: daemon.runtime)
        func region(_ identifier: String, radius: Double = 500) -> CircularRegion {
            CircularRegion(identifier: identifier, latitude: 47.5, longitude: 8.75, radius: radius)
        }
        await #expect(throws: LocationError.invalidParameter("identifier")) { try await client.state(ofRegion: "home") }
        try await client.startMonitoring(region("home"))
        #expect(try await client.monitoredRegions() == [region("home")])
        for number in 1..<20 { try await client.startMonitoring(region("\(number)")) }
        await #expect(throws: LocationError.tooManyRegions) {
            try await client.startMonitoring(region("one too many"))
        }
        await #expect(throws: LocationError.invalidParameter("region.radius")) {
            try await client.startMonitoring(region("home", radius: -1))
        }
        var events = client.regionEvents(identifier: "home").makeAsyncIterator()
        while case .event(let event)? = try await events.next(), event.state != .inside {}
        #expect(try await client.state(ofRegion: "home") == .inside)
        try await client.stopMonitoring(identifier: "home")
        #expect(try await client.monitoredRegions().count == 19)
    }

    @Test func significantChangesComeWhileTheAppIsInUse() async throws {
        let (daemon, app, client) = try await running()
        var refused = client.significantChanges().makeAsyncIterator()
        await expectEnd(&refused, .notAuthorized(.notDetermined))
        _ = try await daemon.call(Grant.self, .init(app: app, level: .whenInUse))
        var changes = client.significantChanges(wake: "/etc/passwd").makeAsyncIterator()
        await #expect {
            try await changes.next()
        } throws: {
            if case .wakeRefused? = $0 as? LocationError { true } else { false }
        }
        var significant = client.significantChanges().makeAsyncIterator()
        _ = try await location(&significant)
        await #expect(throws: LocationError.promptDeclined) {
            try await client.requestTemporaryFullAccuracy(purposeKey: "way")
        }
    }

    @Test func headingsNeedACompass() async throws {
        let daemon = try await TestDaemon(receivers: [])
        try await daemon.grantSelf()
        var headings = LocationClient(runtimeDirectory: daemon.runtime).headings().makeAsyncIterator()
        await #expect(throws: LocationError.headingUnavailable) { try await headings.next() }
    }
}
