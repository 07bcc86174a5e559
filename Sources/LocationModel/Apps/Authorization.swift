/// What an app may have, as it sees it itself.
public enum AuthorizationStatus: String, Sendable, Hashable, Codable, CaseIterable {
    /// Nobody has decided; a request prompts.
    case notDetermined
    /// The administrator's configuration forbids it; nobody can grant it.
    case restricted
    /// The user said no, or location services are off.
    case denied
    /// While the app is in use.
    case authorizedWhenInUse
    /// In the background too.
    case authorizedAlways

    /// A Boolean value indicating whether the app may get a location while it is in use.
    public var isAuthorized: Bool {
        self == .authorizedWhenInUse || self == .authorizedAlways
    }
}

/// How exact the locations are that an app gets.
public enum AccuracyAuthorization: String, Sendable, Hashable, Codable, CaseIterable {
    /// As the receiver gives them.
    case full
    /// A cell of about 5 km, four times an hour at most.
    case reduced
}

/// The answer to "what may this app have now".
public struct Authorization: Sendable, Hashable, Codable {
    /// What the app may have.
    public var status: AuthorizationStatus
    /// How exact it is; meaningful where `status` is one of the authorized ones.
    public var accuracy: AccuracyAuthorization
    /// A Boolean value indicating whether location services are on, for the machine and for this user.
    public var servicesEnabled: Bool

    /// An answer with these parts.
    public init(status: AuthorizationStatus, accuracy: AccuracyAuthorization, servicesEnabled: Bool) {
        self.status = status
        self.accuracy = accuracy
        self.servicesEnabled = servicesEnabled
    }
}
