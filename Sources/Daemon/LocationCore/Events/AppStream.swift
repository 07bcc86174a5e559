internal import AuthorizationPolicy
package import LocationModel

/// An event stream with its app, whose events depend on nothing but the app's authorization.
package protocol AppStream: AnyObject {
    var app: AppKey { get }
    /// The stream without the type of its events.
    var stream: AnyEventStream { get }
}

extension Sequence where Element: AppStream {
    /// Updates the presence of every stream, after an app or the user at the machine has come or gone.
    func presenceChanged(_ presences: Presences, _ connected: [AppKey: ConnectedApp]) {
        for element in self {
            guard let app = connected[element.app] else { continue }
            element.stream.presence = presences.presence(of: app, element.stream.subscriber.client)
        }
    }

    /// Handles a change of the app's authorization: ends its streams if it may no longer have them.
    func authorizationChanged(_ key: AppKey, for need: Need, by gate: Gate) {
        do throws(LocationFailure) {
            try gate.check(key, for: need)
        } catch {
            for element in self where element.app == key { element.stream.subscriber.end(error) }
        }
    }
}
