public import LocationModel
internal import LocationProtocol
internal import Varlink

/// What an app may be told of while it does not run. `wake` is the path of a Unix socket that the app's own user listens on
/// (a systemd `.socket` unit): each event that comes while no stream is open is written to it as one line of JSON, which
/// starts the app.
extension LocationClient {
    /// The last known location, then one after each move of at least 500 m, at most every 300 s. Needs *always*.
    ///
    /// ```swift
    /// for try await case .location(let location) in client.significantChanges(wake: "/run/user/1000/tracker") {
    ///     try journal.append(location)
    /// }
    /// ```
    ///
    /// - Parameter wake: With it the monitoring outlasts the stream, the app and the daemon; a stream without it ends what
    ///   was begun with it.
    /// - Throws: ``LocationError/notAuthorized(_:)``, ``LocationError/servicesDisabled``,
    ///   ``LocationError/wakeRefused(reason:)``.
    public func significantChanges(wake: String? = nil) -> LocationStream<LocationUpdate> {
        stream { SignificantChangesSource(wake: wake) }
    }

    /// Monitors a circle: one with the same identifier is replaced. Regions outlast the app and the daemon. Returns once the
    /// region is on the disk.
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
    ///   - region: Its radius is 1 m to 1,000 km, its identifier 1 to 256 bytes without control characters.
    ///   - wake: The socket that starts the app.
    /// - Throws: ``LocationError/tooManyRegions`` beyond 20, ``LocationError/regionMonitoringDenied``,
    ///   ``LocationError/invalidParameter(_:)``, ``LocationError/wakeRefused(reason:)``,
    ///   ``LocationError/notAuthorized(_:)``, ``LocationError/servicesDisabled``, ``LocationError/storeFailed(reason:)``,
    ///   ``LocationError/limitExceeded(limit:)`` while too many changes wait for the disk.
    public func startMonitoring(_ region: CircularRegion, wake: String? = nil) async throws(LocationError) {
        try await startMonitoringRequest(region, wake: wake).value()
    }

    /// Stops monitoring a region; does nothing where there is no such one.
    ///
    /// ```swift
    /// try await client.stopMonitoring(identifier: "shop")
    /// ```
    ///
    /// - Throws: ``LocationError/storeFailed(reason:)``, ``LocationError/limitExceeded(limit:)``.
    public func stopMonitoring(identifier: String) async throws(LocationError) {
        try await stopMonitoringRequest(identifier: identifier).value()
    }

    /// This app's regions, ordered by identifier, those of earlier runs included.
    ///
    /// ```swift
    /// for region in try await client.monitoredRegions() { print(region.identifier, region.radius) }
    /// ```
    public func monitoredRegions() async throws(LocationError) -> [CircularRegion] {
        try await monitoredRegionsRequest().value()
    }

    /// Where the device is, seen from one of this app's regions; `unknown` also while it is not monitored.
    ///
    /// ```swift
    /// let isHome = try await client.state(ofRegion: "home") == .inside
    /// ```
    ///
    /// - Throws: ``LocationError/invalidParameter(_:)`` where there is no such region;
    ///   ``LocationError/notAuthorized(_:)``, ``LocationError/servicesDisabled``.
    public func state(ofRegion identifier: String) async throws(LocationError) -> RegionState {
        try await regionStateRequest(identifier: identifier).value()
    }

    /// The state of each of this app's regions, then each one that becomes known, and each crossing.
    ///
    /// A crossing carries the location that told it. What was crossed while the app had no such stream is told when it
    /// has one. After `reconnected` the states come again.
    ///
    /// ```swift
    /// for try await case .event(let event) in client.regionEvents() {
    ///     print(event.identifier, event.state, event.location == nil ? "" : "just now")
    /// }
    /// ```
    ///
    /// - Parameter identifier: Only this region's; all where it is `nil`.
    /// - Throws: ``LocationError/regionMonitoringDenied``, ``LocationError/notAuthorized(_:)``,
    ///   ``LocationError/servicesDisabled``.
    public func regionEvents(identifier: String? = nil) -> LocationStream<MonitoringUpdate<RegionEvent>> {
        stream { RegionSource(identifier: identifier) }
    }

    /// Arrivals (5 min within 100 m) and departures. Needs *always*.
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

    /// Where the device points: now, and after each turn of more than `filter`.
    ///
    /// ```swift
    /// for try await case .event(let heading) in client.headings(filter: 5) {
    ///     compass.needle = heading.magneticHeading
    /// }
    /// ```
    ///
    /// - Parameter filter: Degrees; the daemon's 1 where it is `nil`.
    /// - Throws: ``LocationError/headingUnavailable``, ``LocationError/notAuthorized(_:)``,
    ///   ``LocationError/servicesDisabled``.
    public func headings(filter: Double? = nil) -> LocationStream<MonitoringUpdate<Heading>> {
        stream { HeadingSource(filter: filter) }
    }

    // MARK: The same for callers without tasks

    /// ``startMonitoring(_:wake:)``.
    package func startMonitoringRequest(_ region: CircularRegion, wake: String? = nil) -> LocationRequest<Void> {
        quick(StartMonitoringRegion.self, .init(region: region, wake: wake)) { _ in }
    }

    /// ``stopMonitoring(identifier:)``.
    package func stopMonitoringRequest(identifier: String) -> LocationRequest<Void> {
        quick(StopMonitoringRegion.self, .init(identifier: identifier)) { _ in }
    }

    /// ``monitoredRegions()``.
    package func monitoredRegionsRequest() -> LocationRequest<[CircularRegion]> {
        quick(ListRegions.self, Nothing()) { $0.regions }
    }

    /// ``state(ofRegion:)``.
    package func regionStateRequest(identifier: String) -> LocationRequest<RegionState> {
        quick(GetRegionState.self, .init(identifier: identifier)) { $0.state }
    }
}
