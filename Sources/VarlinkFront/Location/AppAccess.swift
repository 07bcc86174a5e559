internal import LocationCore
internal import LocationModel
internal import LocationProtocol
internal import Varlink

/// The rules of `io.locationd.Location`: what an app needs for its calls to be answered.
struct AppAccess {
    let peers: Peers
    let gate: Gate

    /// An app, whatever it was granted.
    ///
    /// Attack: an app passes its connected socket to another process, or leaves it to a child, and ends. The other makes
    /// calls in the app's name before a fix comes that would have the connection closed, and gets the last known
    /// location, regions or a prompt. So no call is taken up without a look at the process.
    func connected<Parameters>(_ caller: Caller, _: Parameters) throws(VarlinkError) -> ConnectedApp {
        guard peers.isRunning(caller.connection) else { throw .permissionDenied }
        guard let app = caller.connection.userData as? ConnectedApp else {
            preconditionFailure("a call on a connection that was not admitted")
        }
        return app
    }

    /// An app that may have the location while it is in use.
    func authorized<Parameters>(_ caller: Caller, _ parameters: Parameters) throws(VarlinkError) -> ConnectedApp {
        try connected(caller, parameters, needing: .whenInUse)
    }

    /// An app that may have the location in the background too.
    func authorizedAlways<Parameters>(_ caller: Caller, _ parameters: Parameters) throws(VarlinkError) -> ConnectedApp {
        try connected(caller, parameters, needing: .always)
    }

    /// An app that may have regions monitored.
    func authorizedForRegions<Parameters>(
        _ caller: Caller, _ parameters: Parameters
    ) throws(VarlinkError) -> ConnectedApp {
        try connected(caller, parameters, needing: .regions)
    }

    /// An app that may have visits monitored.
    func authorizedForVisits<Parameters>(
        _ caller: Caller, _ parameters: Parameters
    ) throws(VarlinkError) -> ConnectedApp {
        try connected(caller, parameters, needing: .visits)
    }

    /// An app that may have the heading.
    func authorizedForHeading<Parameters>(
        _ caller: Caller, _ parameters: Parameters
    ) throws(VarlinkError) -> ConnectedApp {
        try connected(caller, parameters, needing: .heading)
    }

    private func connected<Parameters>(
        _ caller: Caller, _ parameters: Parameters, needing need: Need
    ) throws(VarlinkError) -> ConnectedApp {
        let app = try connected(caller, parameters)
        do throws(LocationFailure) { try gate.check(app.key, for: need) } catch { throw .location(error) }
        return app
    }
}
