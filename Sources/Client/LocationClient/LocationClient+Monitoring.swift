public import LocationModel
internal import LocationProtocol
internal import Varlink

/// Monitoring that can continue while the app does not run, if it is authorized *always*. `wake` is the path of a Unix
/// socket that the app's own user listens on (a systemd `.socket` unit): each event that occurs while no stream is open
/// is written to it as one line of JSON, which starts the app. An app that is authorized *when in use* gets events on
/// its open streams while it is in use; nothing is kept for it, and its `wake` takes effect while it is authorized
/// *always*.
extension LocationClient {
    /// Returns a stream of the last known location, then of a location after each move of at least 500 m, at most once
    /// every 300 s.
    ///
    /// ```swift
    /// for try await case .location(let location) in client.significantChanges(wake: "/run/user/1000/tracker") {
    ///     try journal.append(location)
    /// }
    /// ```
    ///
    /// - wake: The socket that starts the app. With it, the monitoring outlasts the stream, the app and the daemon, and
    ///   continues while the app is authorized *always*. A stream without it ends monitoring that was begun with it.
    /// - Throws: ``LocationError/notAuthorized(_:)``, ``LocationError/servicesDisabled``,
    ///   ``LocationError/wakeRefused(reason:)``.
    public func significantChanges(wake: String? = nil) -> LocationStream<LocationUpdate> {
        stream { SignificantChangesSource(wake: wake) }
    }

    /// Starts monitoring a circle, which replaces one with the same identifier. Regions outlast the app and the
    /// daemon. Returns once the region is on the disk.
    ///
    /// ```swift
    /// let shop = CircularRegion(identifier: "shop", latitude: 47.5, longitude: 8.75, radius: 150)
    /// try await client.startMonitoring(shop)
    /// for try await case .event(let event) in client.regionEvents() where event.state == .inside {
    ///     notify("you are at the \(event.identifier)")
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - region: The circle. Its radius is 1 m to 1,000 km, its identifier 1 to 256 bytes without control characters.
    ///   - wake: The socket that starts the app, or `nil` for none.
    /// - Throws: ``LocationError/tooManyRegions`` beyond 20, ``LocationError/regionMonitoringDenied``,
    ///   ``LocationError/invalidParameter(_:)``, ``LocationError/wakeRefused(reason:)``,
    ///   ``LocationError/notAuthorized(_:)``, ``LocationError/servicesDisabled``,
    ///   ``LocationError/storeFailed(reason:)``,
    ///   ``LocationError/limitExceeded(limit:)`` if too many changes are waiting for the disk.
    public func startMonitoring(_ region: CircularRegion, wake: String? = nil) async throws(LocationError) {
        try await startMonitoringRequest(region, wake: wake).value()
    }

    /// Stops monitoring a region. Does nothing if there is no region with this identifier.
    ///
    /// ```swift
    /// try await client.stopMonitoring(identifier: "shop")
    /// ```
    ///
    /// - Throws: ``LocationError/storeFailed(reason:)``, ``LocationError/limitExceeded(limit:)``.
    public func stopMonitoring(identifier: String) async throws(LocationError) {
        try await stopMonitoringRequest(identifier: identifier).value()
    }

    /// Returns this app's regions, including those of earlier runs, ordered by identifier.
    ///
    /// ```swift
    /// for region in try await client.monitoredRegions() { print(region.identifier, region.radius) }
    /// ```
    public func monitoredRegions() async throws(LocationError) -> [CircularRegion] {
        try await monitoredRegionsRequest().value()
    }

    /// Returns whether the device is inside or outside one of this app's regions; `unknown` also while it is not
    /// monitored.
    ///
    /// ```swift
    /// let isHome = try await client.state(ofRegion: "home") == .inside
    /// ```
    ///
    /// - Throws: ``LocationError/invalidParameter(_:)`` if there is no such region;
    ///   ``LocationError/notAuthorized(_:)``, ``LocationError/servicesDisabled``.
    public func state(ofRegion identifier: String) async throws(LocationError) -> RegionState {
        try await regionStateRequest(identifier: identifier).value()
    }

    /// Returns a stream of the state of each of this app's regions, then of each state that becomes known and each
    /// crossing.
    ///
    /// A crossing carries the location that revealed it. Crossings that happened while the app had no such stream are
    /// sent when it opens one. After `reconnected`, the states are sent again.
    ///
    /// ```swift
    /// for try await case .event(let event) in client.regionEvents() {
    ///     print(event.identifier, event.state, event.location == nil ? "" : "just now")
    /// }
    /// ```
    ///
    /// - identifier: The region to report, or `nil` for all regions.
    /// - Throws: ``LocationError/regionMonitoringDenied``, ``LocationError/notAuthorized(_:)``,
    ///   ``LocationError/servicesDisabled``.
    public func regionEvents(identifier: String? = nil) -> LocationStream<MonitoringUpdate<RegionEvent>> {
        stream { RegionSource(identifier: identifier) }
    }

    /// Returns a stream of arrivals (5 min within 100 m) and departures.
    ///
    /// For an app that is authorized *when in use*, a visit begins when the app comes into use, at the earliest, and is
    /// dropped when the app goes to the background.
    ///
    /// ```swift
    /// for try await case .event(let visit) in client.visits() {
    ///     print(visit.arrival, visit.departure.map { "to \($0)" } ?? "until now")
    /// }
    /// ```
    ///
    /// - Parameter wake: As in ``significantChanges(wake:)``.
    /// - Throws: ``LocationError/regionMonitoringDenied``, ``LocationError/notAuthorized(_:)``,
    ///   ``LocationError/servicesDisabled``, ``LocationError/wakeRefused(reason:)``.
    public func visits(wake: String? = nil) -> LocationStream<MonitoringUpdate<Visit>> {
        stream { VisitSource(wake: wake) }
    }

    /// Returns the request for the availability of a compass, which is answered at once. The answer is `nil` if the
    /// availability is unknown.
    package func compassRequest() -> UnsentCall<Bool?> {
        quick(GetCompass.self, Nothing()) { $0.available }
    }

    /// Returns a stream of the direction the device points in: now, and after each turn of more than `filter`.
    ///
    /// ```swift
    /// for try await case .event(let heading) in client.headings(filter: 5) {
    ///     compass.needle = heading.magneticHeading
    /// }
    /// ```
    ///
    /// - Parameter filter: The turn in degrees, or `nil` for the daemon's 1.
    /// - Throws: ``LocationError/headingUnavailable``, ``LocationError/notAuthorized(_:)``,
    ///   ``LocationError/servicesDisabled``.
    public func headings(filter: Double? = nil) -> LocationStream<MonitoringUpdate<Heading>> {
        stream { HeadingSource(filter: filter) }
    }

    // MARK: Requests for callers without tasks

    /// Returns the request for ``startMonitoring(_:wake:)``.
    package func startMonitoringRequest(_ region: CircularRegion, wake: String? = nil) -> UnsentCall<Void> {
        quick(StartMonitoringRegion.self, .init(region: region, wake: wake)) { _ in }
    }

    /// Returns the request for ``stopMonitoring(identifier:)``.
    package func stopMonitoringRequest(identifier: String) -> UnsentCall<Void> {
        quick(StopMonitoringRegion.self, .init(identifier: identifier)) { _ in }
    }

    /// Returns the request for ``monitoredRegions()``.
    package func monitoredRegionsRequest() -> UnsentCall<[CircularRegion]> {
        quick(ListRegions.self, Nothing()) { $0.regions }
    }

    /// Returns the request for ``state(ofRegion:)``.
    package func regionStateRequest(identifier: String) -> UnsentCall<RegionState> {
        quick(GetRegionState.self, .init(identifier: identifier)) { $0.state }
    }
}
