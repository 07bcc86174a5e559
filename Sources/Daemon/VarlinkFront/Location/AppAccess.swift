internal import LocationCore
internal import LocationModel
internal import LocationProtocol
internal import Varlink

/// The rules of `io.locationd.Location`: the authorization that each call of an app requires.
struct AppAccess {
    let peers: Peers
    let gate: Gate

    /// Returns the calling app, whatever its authorization.
    ///
    /// Attack: an app passes its connected socket to another process, or leaves it to a child, and ends. Until the next
    /// fix closes the connection, the other process makes calls in the app's name, and gets the last known location,
    /// regions or a prompt. So every call first checks that the app's process is running.
    func connected<Parameters>(_ caller: Caller, _: Parameters) throws(VarlinkError) -> ConnectedApp {
        guard peers.isRunning(caller.connection) else { throw .permissionDenied }
        guard let app = caller.connection.userData as? ConnectedApp else {
            preconditionFailure("a call on a connection that was not admitted")
        }
        return app
    }

    /// Returns the calling app if it may have the location while it is in use.
    func authorized<Parameters>(_ caller: Caller, _ parameters: Parameters) throws(VarlinkError) -> ConnectedApp {
        try connected(caller, parameters, needing: .whenInUse)
    }

    /// Returns the calling app if it may monitor regions and find beacons.
    func authorizedForRegions<Parameters>(
        _ caller: Caller, _ parameters: Parameters
    ) throws(VarlinkError) -> ConnectedApp {
        try connected(caller, parameters, needing: .regions)
    }

    /// Returns the calling app if it may monitor visits.
    func authorizedForVisits<Parameters>(
        _ caller: Caller, _ parameters: Parameters
    ) throws(VarlinkError) -> ConnectedApp {
        try connected(caller, parameters, needing: .visits)
    }

    /// Returns the calling app if it may have the heading.
    func authorizedForHeading<Parameters>(
        _ caller: Caller, _ parameters: Parameters
    ) throws(VarlinkError) -> ConnectedApp {
        try connected(caller, parameters, needing: .heading)
    }

    /// Returns the calling app if it may have the bytes of the receivers.
    func authorizedForBytes<Parameters>(
        _ caller: Caller, _ parameters: Parameters
    ) throws(VarlinkError) -> ConnectedApp {
        try connected(caller, parameters, needing: .bytes)
    }

    /// Returns whether the calling app, which may have the location while it is in use, may have the heading.
    func authorizedForCompass<Parameters>(_ caller: Caller, _ parameters: Parameters) throws(VarlinkError) -> Bool {
        let app = try authorized(caller, parameters)
        do throws(LocationFailure) { try gate.check(app.key, for: .heading) } catch { return false }
        return true
    }

    private func connected<Parameters>(
        _ caller: Caller, _ parameters: Parameters, needing need: Need
    ) throws(VarlinkError) -> ConnectedApp {
        let app = try connected(caller, parameters)
        do throws(LocationFailure) { try gate.check(app.key, for: need) } catch { throw .location(error) }
        return app
    }
}
