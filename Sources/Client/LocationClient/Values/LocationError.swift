public import LocationModel

/// The reason why a call failed or a stream ended.
///
/// The description of each error includes a remedy.
///
/// ```swift
/// do {
///     print(try await client.location())
/// } catch .notAuthorized(.notDetermined) {
///     try await client.requestAuthorization(.whenInUse, reason: "to show the weather here")
/// } catch .daemonUnreachable {
///     print("no location service on this machine")
/// } catch {
///     print(error)
/// }
/// ```
public enum LocationError: Error, Sendable, Hashable {
    /// The app is not authorized, and has this status: `authorizedWhenInUse` if the app is in the background.
    case notAuthorized(AuthorizationStatus)
    /// Location services are switched off, for the machine or for this user.
    case servicesDisabled
    /// No receiver has a location.
    case locationUnknown
    /// Neither the app's manifest nor the call states the purpose of the location.
    case usageDescriptionMissing
    /// The user was not prompted: the purpose is not in the app's manifest, the accuracy is full already, or the app
    /// is in the background.
    case promptDeclined
    /// The app monitors 20 regions already.
    case tooManyRegions
    /// Neither regions nor visits are monitored, and no beacons are found, under reduced accuracy.
    case regionMonitoringDenied
    /// The daemon refuses to write to the `wake` path; `reason` is the daemon's.
    case wakeRefused(reason: String)
    /// No receiver has a compass.
    case headingUnavailable
    /// The daemon could not write the change to its disk; `reason` is the daemon's. The change holds until the daemon
    /// ends.
    case storeFailed(reason: String)
    /// A limit of the daemon was reached; `limit` is its name.
    case limitExceeded(limit: String)
    /// The daemon does not accept the value of this parameter. A nested parameter is named by its path, such as
    /// `options.maximumUpdates`. For ``LocationClient/state(ofRegion:)``, `identifier` means that there is no such
    /// region.
    case invalidParameter(String)
    /// The daemon cannot be reached at `path`, or went away before answering.
    case daemonUnreachable(path: String, reason: String)
    /// The daemon's reply does not conform to the interface.
    case protocolViolation(String)
    /// The waiting task, or the call itself, was cancelled.
    case cancelled
}

extension LocationError: CustomStringConvertible {
    /// The error and its remedy, without a full stop at the end.
    public var description: String {
        switch self {
        case .notAuthorized(.notDetermined):
            "not authorized: the user has not decided yet; call requestAuthorization first"
        case .notAuthorized(.restricted):
            "not authorized: the administrator's configuration forbids it; see /etc/locationd"
        case .notAuthorized(.denied):
            "not authorized: the user denied it; `locationctl grant` changes this"
        case .notAuthorized(let status):
            "not authorized: this needs more than \(status.rawValue); request always, or come to the foreground"
        case .servicesDisabled: "location services are off; `locationctl enable` switches them on"
        case .locationUnknown: "no receiver has a location; see `locationctl receivers`"
        case .usageDescriptionMissing:
            "no usage description: install a manifest, or pass a reason"
        case .promptDeclined:
            "the user was not prompted; check the purpose key in the manifest's [temporary-full-accuracy], and request "
                + "it while the app is in use"
        case .tooManyRegions: "20 regions are monitored already; stop monitoring one first"
        case .regionMonitoringDenied:
            "regions, visits and beacons need full accuracy; request it"
        case .wakeRefused(let reason): "locationd refuses the wake socket: \(reason)"
        case .headingUnavailable: "no receiver has a compass; see `locationctl receivers`"
        case .storeFailed(let reason): "locationd could not write the change to its disk: \(reason); see its log"
        case .limitExceeded(let limit):
            "locationd's limit \(limit) was reached; close some streams, or try again later"
        case .invalidParameter("identifier"): "there is no such region; see monitoredRegions"
        case .invalidParameter(let name): "locationd does not accept the value of \(name)"
        case .daemonUnreachable(let path, let reason):
            "locationd is not reachable at \(path) (\(reason)); start it with `systemctl start locationd`"
        case .protocolViolation(let what):
            "locationd and this library disagree about the protocol (check their versions): \(what)"
        case .cancelled: "cancelled"
        }
    }
}
