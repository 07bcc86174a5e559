public import LocationModel

/// A rule of the administrator's configuration: apps that may not have the location, whatever anybody grants.
public struct Restriction: Sendable, Hashable {
    /// The app that is meant; `nil` for every app.
    public var app: AppIdentity?
    /// The user that is meant; `nil` for every user.
    public var uid: UInt32?

    /// A rule for that app of that user.
    public init(app: AppIdentity? = nil, uid: UInt32? = nil) {
        self.app = app
        self.uid = uid
    }

    /// No app of no user has the location.
    public static let everything = Restriction()
}

extension Set<Restriction> {
    /// Returns whether one of the rules is about that app.
    func cover(_ key: AppKey) -> Bool {
        // Asked for each delivery, and almost always empty.
        guard !isEmpty else { return false }
        return contains(.everything) || contains(Restriction(uid: key.uid)) || contains(Restriction(app: key.app))
            || contains(Restriction(app: key.app, uid: key.uid))
    }
}
