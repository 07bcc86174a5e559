internal import AuthorizationPolicy
internal import LocationModel
internal import Varlink

/// Who is in use: from the login sessions, and from what apps say of themselves.
final class Presences {
    private let isInActiveSession: (Peer) -> Bool

    /// - Parameter isInActiveSession: whether a process belongs to somebody who is at the machine.
    init(isInActiveSession: @escaping (Peer) -> Bool) {
        self.isInActiveSession = isInActiveSession
    }

    /// Whether a person has to do with that process of the app at the moment.
    func presence(of app: ConnectedApp, _ peer: Peer) -> Presence {
        Presence(
            of: app.key.app, isInActiveSession: isInActiveSession(peer),
            hasDeclaredBackground: app.saysInBackground(peer.pid))
    }
}
