public import LocationModel
public import LocationProtocol

extension LocationClient {
    /// Locations, and what happens to them, until the task is cancelled.
    ///
    /// ```swift
    /// var options = LocationClient.Options()
    /// options.desiredAccuracy = .nearestTenMeters
    /// options.distanceFilter = 10
    /// for try await update in client.updates(options) {
    ///     switch update {
    ///     case .location(let location): track.append(location)
    ///     case .paused: print("at rest")
    ///     case .disconnected: print("the location service is being restarted")
    ///     default: break
    ///     }
    /// }
    /// ```
    ///
    /// Every location is told, in order. A reader that falls behind by more than the socket holds gets the newest one for
    /// those in between. With `maximumUpdates` or `duration` the sequence ends by itself; a restart
    /// of the daemon makes neither begin anew.
    ///
    /// - Throws: ``LocationError/notAuthorized(_:)`` and ``LocationError/servicesDisabled``, when the stream begins and
    ///   when the authorization ends; ``LocationError/invalidParameter(_:)``.
    public func updates(_ options: Options = Options()) -> LocationStream<LocationUpdate> {
        stream { UpdatesSource(options) }
    }

    /// Where the device is: one location.
    ///
    /// ```swift
    /// let location = try await client.location(desiredAccuracy: .hundredMeters, timeout: 5)
    /// ```
    ///
    /// - Parameters:
    ///   - desiredAccuracy: What is good enough to be taken at once.
    ///   - timeout: Seconds after which the best one is taken; the daemon's 10 where it is `nil`.
    ///   - maximumAge: Seconds. A location that is not older is answered at once; the daemon's 5 where it is `nil`.
    /// - Throws: ``LocationError/locationUnknown`` where none came; ``LocationError/notAuthorized(_:)`` and
    ///   ``LocationError/servicesDisabled``.
    public func location(
        desiredAccuracy: DesiredAccuracy = .best, timeout: Double? = nil, maximumAge: Double? = nil
    ) async throws(LocationError) -> Location {
        try await locationRequest(desiredAccuracy: desiredAccuracy, timeout: timeout, maximumAge: maximumAge).value()
    }

    /// ``location(desiredAccuracy:timeout:maximumAge:)`` for callers without tasks.
    package func locationRequest(
        desiredAccuracy: DesiredAccuracy, timeout: Double? = nil, maximumAge: Double? = nil
    ) -> LocationRequest<Location> {
        slow(
            GetLocation.self, .init(desiredAccuracy: desiredAccuracy, timeout: timeout, maximumAge: maximumAge)
        ) { $0.location }
    }
}
