internal import AuthorizationPolicy
internal import LocationModel

/// Determines the presence of apps, from login sessions and the apps' own declarations.
final class Presences {
    private let isInActiveSession: (any Client) -> Bool

    /// - Parameter isInActiveSession: Returns whether a client's process belongs to a user who is at the machine.
    init(isInActiveSession: @escaping (any Client) -> Bool) {
        self.isInActiveSession = isInActiveSession
    }

    /// Returns the presence of the app's process behind a connection.
    func presence(of app: ConnectedApp, _ client: any Client) -> Presence {
        Presence(
            of: app.key.app, isInActiveSession: isInActiveSession(client),
            hasDeclaredBackground: app.saysInBackground(client.pid))
    }
}
