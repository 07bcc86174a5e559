internal import AuthorizationPolicy
internal import LocationModel

/// Who is in use: from the login sessions, and from what apps say of themselves.
final class Presences {
    private let isInActiveSession: (any Client) -> Bool

    /// - Parameter isInActiveSession: whether a process belongs to somebody who is at the machine.
    init(isInActiveSession: @escaping (any Client) -> Bool) {
        self.isInActiveSession = isInActiveSession
    }

    /// Returns whether a user has to do with that process of the app at the moment.
    func presence(of app: ConnectedApp, _ client: any Client) -> Presence {
        Presence(
            of: app.key.app, isInActiveSession: isInActiveSession(client),
            hasDeclaredBackground: app.saysInBackground(client.pid))
    }
}
