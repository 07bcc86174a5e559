import CoreLocation

/// A program that uses Swift concurrency alone, without a run loop.
@main struct ConcurrencyApp {
    static func main() async throws {
        switch CommandLine.arguments.dropFirst().first {
        case "delegate": try await delegate()
        case "late": try await late()
        case "task": try await Task.detached { try await task() }.value
        case "live": try await live()
        case "monitor": try await monitor()
        case "session": try await session()
        case "geocode": try await geocode()
        case "beacons": try await Beacons.run()
        default: say("usage: delegate | late | task | live | monitor | session | geocode | beacons")
        }
    }

    /// Uses a manager on the main actor.
    @MainActor private static func delegate() async throws {
        let (events, told) = AsyncStream.makeStream(of: String.self)
        let delegate = MainActorDelegate { told.yield($0) }
        let manager = CLLocationManager()
        manager.delegate = delegate
        manager.startUpdatingLocation()
        for await event in events.prefix(4) { say(event) }
        manager.stopUpdatingLocation()
        withExtendedLifetime(delegate) {}
        say("done")
    }

    /// Does the same after a suspension, which moves the main actor from the main thread to another one.
    @MainActor private static func late() async throws {
        try await Task.sleep(for: .milliseconds(10))
        try await delegate()
    }

    /// Uses a manager that was made by a task outside the main actor.
    private static func task() async throws {
        let (events, told) = AsyncStream.makeStream(of: String.self)
        let delegate = AnyThreadDelegate { told.yield($0) }
        let manager = CLLocationManager()
        manager.delegate = delegate
        manager.startUpdatingLocation()
        for await event in events.prefix(4) { say(event) }
        manager.stopUpdatingLocation()
        withExtendedLifetime(delegate) {}
        say("done")
    }

    private static func live() async throws {
        for try await update in CLLocationUpdate.liveUpdates() {
            if update.authorizationRequestInProgress { say("asking") }
            if update.authorizationDenied { say("denied") }
            if update.accuracyLimited { say("limited") }
            if update.location != nil { say("location") }
        }
    }

    private static func monitor() async throws {
        let monitor = await CLMonitor("places")
        let other = await CLMonitor("places")
        for try await _ in await other.events { say("error: opened twice") }
        let home = CLLocationCoordinate2D(latitude: 47.5, longitude: 8.75)
        say("kept \(await monitor.identifiers)")
        if await monitor.identifiers.isEmpty {
            await monitor.add(CLMonitor.CircularGeographicCondition(center: home, radius: 200), identifier: "home")
            await monitor.add(CLMonitor.BeaconIdentityCondition(uuid: UUID()), identifier: "beacon")
        }
        say("regions \(CLLocationManager().monitoredRegions.count)")
        for try await event in await monitor.events {
            let last = await monitor.record(for: event.identifier)?.lastEvent.state
            say(
                "\(event.identifier) \(last.map { "\($0)" } ?? "none") -> \(event.state) "
                    + "\(event.conditionUnsupported)")
        }
    }

    private static func session() async throws {
        let session = CLServiceSession(authorization: .always)
        for try await diagnostic in session.diagnostics {
            say(
                "asking \(diagnostic.authorizationRequestInProgress) denied \(diagnostic.authorizationDenied) "
                    + "always denied \(diagnostic.alwaysAuthorizationDenied)")
        }
    }
}

extension ConcurrencyApp {
    /// Asks for the address of a place, and for the place of an address.
    private static func geocode() async throws {
        let geocoder = CLGeocoder()
        do {
            for place in try await geocoder.reverseGeocodeLocation(CLLocation(latitude: 48.41, longitude: 9.98)) {
                say("\(place.locality ?? "-") \(place.isoCountryCode ?? "-") \(place.timeZone?.identifier ?? "-")")
            }
            for place in try await geocoder.geocodeAddressString("Lindau, Germany") {
                say("\(place.location?.coordinate.latitude ?? 0) \(place.location?.coordinate.longitude ?? 0)")
            }
            _ = try await geocoder.geocodeAddressString("Seldwyla")
        } catch let error as CLError {
            say("failure \(error.code.rawValue)")
        }
    }
}

/// A delegate on the main actor, as apps in Swift 6 have it.
@MainActor final class MainActorDelegate: NSObject, CLLocationManagerDelegate {
    private let tell: (String) -> Void

    init(_ tell: @escaping (String) -> Void) {
        self.tell = tell
    }

    nonisolated func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
        let status = manager.authorizationStatus.rawValue
        MainActor.assumeIsolated { tell("status \(status)") }
    }

    nonisolated func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
        MainActor.assumeIsolated { tell("location") }
    }
}

/// A delegate that can be called on any thread.
final class AnyThreadDelegate: NSObject, CLLocationManagerDelegate, Sendable {
    private let tell: @Sendable (String) -> Void

    init(_ tell: @escaping @Sendable (String) -> Void) {
        self.tell = tell
    }

    func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
        tell("status \(manager.authorizationStatus.rawValue)")
    }

    func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
        tell("location")
    }
}

/// Prints and flushes: output to anything but a terminal would stay in the buffer.
func say(_ text: String) {
    print(text)
    fflush(nil)
}
