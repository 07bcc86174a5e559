/// An app's authorization status, as the app itself sees it.
public enum AuthorizationStatus: String, Sendable, Hashable, Codable, CaseIterable {
    /// The user has not decided; a request prompts.
    case notDetermined
    /// The administrator's configuration rules it out; no user can grant it.
    case restricted
    /// The user denied it, or location services are off.
    case denied
    /// The app may have the location while it is in use.
    case authorizedWhenInUse
    /// The app may have the location in the background too.
    case authorizedAlways

    /// A Boolean value indicating whether the app may receive a location while it is in use.
    public var isAuthorized: Bool {
        // `==` would compare the texts of the cases, for each delivery.
        switch self {
        case .authorizedWhenInUse, .authorizedAlways: true
        case .notDetermined, .restricted, .denied: false
        }
    }
}

/// The accuracy of the locations that an app receives.
public enum AccuracyAuthorization: String, Sendable, Hashable, Codable, CaseIterable {
    /// Locations as the receiver reports them.
    case full
    /// A cell of about 5 km, at most four times an hour.
    case reduced
}

/// An app's current authorization.
public struct Authorization: Sendable, Hashable, Codable {
    /// The authorization status.
    public var status: AuthorizationStatus
    /// The accuracy of the locations. Meaningful only if `status` is an authorized one.
    public var accuracy: AccuracyAuthorization
    /// A Boolean value indicating whether location services are on, for both the machine and this user.
    public var servicesEnabled: Bool
    /// The app's status as soon as location services are on again, or `nil` while they are on.
    ///
    /// `accuracy` belongs to this status.
    public var decision: AuthorizationStatus?

    /// Creates an authorization.
    public init(
        status: AuthorizationStatus, accuracy: AccuracyAuthorization, servicesEnabled: Bool,
        decision: AuthorizationStatus? = nil
    ) {
        self.status = status
        self.accuracy = accuracy
        self.servicesEnabled = servicesEnabled
        self.decision = decision
    }
}

/// The level of access that an app requests.
public enum RequestedLevel: String, Sendable, Hashable, Codable, CaseIterable {
    case whenInUse, always
}

/// A user's answer to a prompt.
public enum PromptAnswer: String, Sendable, Hashable, Codable, CaseIterable {
    /// A denial. For a prompt about temporary full accuracy: accuracy stays reduced.
    case deny
    /// Access while in use, until the app's last connection has been closed for 10 s. For a prompt about temporary full
    /// accuracy: consent.
    case once
    /// Access while in use. For a prompt for `always` about an app that already has this access: keep it.
    case whileUsing
    /// Access while in use, until local midnight.
    case untilTomorrow
    /// Access in the background too.
    case always
    /// The prompt was closed without an answer. Nothing changes.
    case dismiss
}
