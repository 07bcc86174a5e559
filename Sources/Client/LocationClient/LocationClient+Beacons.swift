public import LocationModel
package import LocationProtocol
internal import Varlink

/// Bluetooth beacons. They need full accuracy, and anybody can imitate them.
extension LocationClient {
    /// Returns a stream of the beacons in range that satisfy a constraint, once a second, the nearest first.
    ///
    /// If no adapter can be used, one report says so; the others follow once one can.
    ///
    /// ```swift
    /// let shop = BeaconConstraint(uuid: "e2c56db5-dffb-48d2-b060-d0f5a71096e0", major: 7)
    /// for try await case .event(let report) in client.beacons(satisfying: shop) {
    ///     print(report.beacons.first?.minor ?? 0, report.unavailable ?? "")
    /// }
    /// ```
    ///
    /// - Throws: ``LocationError/regionMonitoringDenied``, ``LocationError/notAuthorized(_:)``,
    ///   ``LocationError/servicesDisabled``, ``LocationError/invalidParameter(_:)``.
    public func beacons(satisfying constraint: BeaconConstraint) -> LocationStream<MonitoringUpdate<RangingReport>> {
        stream { BeaconSource(constraint: constraint) }
    }

    /// Starts monitoring the range of beacons, which replaces a region of either kind with the same identifier. Its
    /// crossings are in ``regionEvents(identifier:)``, without a location.
    ///
    /// ```swift
    /// let shop = BeaconConstraint(uuid: "e2c56db5-dffb-48d2-b060-d0f5a71096e0")
    /// try await client.startMonitoring(BeaconRegion(identifier: "shop", constraint: shop))
    /// ```
    ///
    /// - Parameter wake: The socket that starts the app, or `nil` for none.
    /// - Throws: As ``startMonitoring(_:wake:)`` for a circle.
    public func startMonitoring(_ region: BeaconRegion, wake: String? = nil) async throws(LocationError) {
        try await startMonitoringRequest(region, wake: wake).value()
    }

    /// Returns this app's regions of beacons, including those of earlier runs, ordered by identifier.
    ///
    /// ```swift
    /// for region in try await client.monitoredBeaconRegions() { print(region.identifier, region.uuid) }
    /// ```
    public func monitoredBeaconRegions() async throws(LocationError) -> [BeaconRegion] {
        try await allRegionsRequest().value().beaconRegions ?? []
    }

    // MARK: Requests for callers without tasks

    /// Returns the request for ``startMonitoring(_:wake:)``.
    package func startMonitoringRequest(_ region: BeaconRegion, wake: String? = nil) -> UnsentCall<Void> {
        quick(StartMonitoringBeaconRegion.self, .init(region: region, wake: wake)) { _ in }
    }

    /// Returns the request for the app's regions of both kinds.
    package func allRegionsRequest() -> UnsentCall<ListRegions.Reply> { quick(ListRegions.self, Nothing()) { $0 } }

    /// Returns the request for whether this machine can find beacons.
    package func rangingRequest() -> UnsentCall<Bool> { quick(GetRanging.self, Nothing()) { $0.available } }
}
