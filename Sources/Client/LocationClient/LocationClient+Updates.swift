public import LocationModel
public import LocationProtocol
internal import Varlink

extension LocationClient {
    /// Returns a stream of locations and related events, until the task is cancelled.
    ///
    /// ```swift
    /// var options = LocationClient.Options()
    /// options.desiredAccuracy = .nearestTenMeters
    /// options.distanceFilter = 10
    /// for try await update in client.updates(options) {
    ///     switch update {
    ///     case .location(let location): track.append(location)
    ///     case .paused: print("stationary")
    ///     case .disconnected: print("the location service is being restarted")
    ///     default: break
    ///     }
    /// }
    /// ```
    ///
    /// Every location is sent, in order. If a reader falls behind by more than the socket holds, the newest location
    /// replaces the ones in between. With `maximumUpdates` or `duration`, the stream ends by itself; a restart of the
    /// daemon does not restart the count.
    ///
    /// - Throws: ``LocationError/notAuthorized(_:)`` and ``LocationError/servicesDisabled``, when the stream begins
    ///   or when the authorization ends; ``LocationError/invalidParameter(_:)``.
    public func updates(_ options: Options = Options()) -> LocationStream<LocationUpdate> {
        stream { UpdatesSource(options) }
    }

    /// Returns one location of the device.
    ///
    /// ```swift
    /// let location = try await client.location(desiredAccuracy: .hundredMeters, timeout: 5)
    /// ```
    ///
    /// - Parameters:
    ///   - desiredAccuracy: The accuracy that is sufficient to return a location at once.
    ///   - timeout: The seconds before the best location so far is returned, or `nil` for the daemon's 10.
    ///   - maximumAge: The maximum age, in seconds, of a known location that is returned at once, or `nil` for the
    ///     daemon's 5.
    /// - Throws: ``LocationError/locationUnknown`` if no location arrived; ``LocationError/notAuthorized(_:)`` and
    ///   ``LocationError/servicesDisabled``.
    public func location(
        desiredAccuracy: DesiredAccuracy = .best, timeout: Double? = nil, maximumAge: Double? = nil
    ) async throws(LocationError) -> Location {
        try await locationRequest(desiredAccuracy: desiredAccuracy, timeout: timeout, maximumAge: maximumAge).value()
    }

    /// Returns the request for ``location(desiredAccuracy:timeout:maximumAge:)``, for callers without tasks.
    package func locationRequest(
        desiredAccuracy: DesiredAccuracy, timeout: Double? = nil, maximumAge: Double? = nil
    ) -> UnsentCall<Location> {
        slow(
            GetLocation.self, .init(desiredAccuracy: desiredAccuracy, timeout: timeout, maximumAge: maximumAge)
        ) { $0.location }
    }

    /// Returns the request for the daemon's last known location, of any age. It starts no receiver, and is answered at
    /// once.
    package func lastKnownLocationRequest(desiredAccuracy: DesiredAccuracy) -> UnsentCall<Location> {
        let anyAge = 1e9
        return quick(
            GetLocation.self, .init(desiredAccuracy: desiredAccuracy, timeout: 0, maximumAge: anyAge)
        ) { $0.location }
    }

    /// Returns the path of the socket of this machine's geocoder, which apps connect to on their own, or `nil` if it has
    /// none.
    package func geocoderSocket() async throws(LocationError) -> String? {
        try await quick(GetGeocoder.self, Nothing()) { $0.socket }.value()
    }
}
