internal import Authorization
internal import Positioning
internal import Varlink

/// A location as one app may have it now. Only the gate makes one, and only these are ever encoded for an app.
struct ReleasedLocation {
    /// The location, as exact as the app may have it.
    let location: Location
    /// How exact it is.
    let accuracy: AccuracyAuthorization

    fileprivate init(location: Location, accuracy: AccuracyAuthorization) {
        self.location = location
        self.accuracy = accuracy
    }
}

/// The one place where a location goes from the receivers to an app.
///
/// Attack: a path of its own for some delivery (the last known position, the position inside an event, a request that
/// was allowed when it was made) would keep giving after a revocation. So there is none: the type that the encoders take
/// can be made here only, and each making looks the authorization up anew.
struct Gate {
    private let broker: AuthorizationBroker

    init(broker: AuthorizationBroker) {
        self.broker = broker
    }

    /// What the app may have of `location` now; `nil` where nothing of it is due.
    ///
    /// - Parameter wanted: the accuracy that the app itself asks for; it may ask for less than it was granted.
    func release(_ location: Location, to app: AppKey, wanted: AccuracyAuthorization = .full) throws(VarlinkError)
        -> ReleasedLocation?
    {
        let authorization = try check(app)
        guard authorization.accuracy == .full, wanted == .full else { return nil }
        return ReleasedLocation(location: location, accuracy: .full)
    }

    /// The app's authorization, or the error that it gets when it may have nothing.
    @discardableResult
    func check(_ app: AppKey) throws(VarlinkError) -> Authorization {
        let authorization = broker.table.authorization(of: app)
        guard authorization.servicesEnabled else { throw .servicesDisabled }
        guard authorization.status.isAuthorized else { throw .notAuthorized(authorization.status) }
        return authorization
    }
}
