public import LocationModel

/// A rule in the administrator's configuration: the apps that it covers may not have the location, whatever users
/// grant.
public struct Restriction: Sendable, Hashable {
    /// The app that the rule covers, or `nil` for every app.
    public var app: AppIdentity?
    /// The user that the rule covers, or `nil` for every user.
    public var uid: UInt32?

    /// Creates a rule for an app of a user.
    public init(app: AppIdentity? = nil, uid: UInt32? = nil) {
        self.app = app
        self.uid = uid
    }

    /// The rule that covers every app of every user.
    public static let everything = Restriction()
}

extension Set<Restriction> {
    /// Returns whether one of the rules covers the app.
    func cover(_ key: AppKey) -> Bool {
        // This is checked for most deliveries, and the set is almost always empty.
        guard !isEmpty else { return false }
        return contains(.everything) || contains(Restriction(uid: key.uid)) || contains(Restriction(app: key.app))
            || contains(Restriction(app: key.app, uid: key.uid))
    }
}
