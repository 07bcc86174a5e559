internal import AuthorizationPolicy
internal import LocationCore
internal import LocationModel
internal import LocationProtocol

/// Descriptions of apps for the user.
struct AppDescriptions {
    let broker: AuthorizationBroker
    let peers: Peers

    /// Returns the display name from an app's manifest, or `nil` if there is none.
    func displayName(ofApp name: String) -> String? {
        AppIdentity(name).flatMap(displayName)
    }

    /// Returns the display name from an app's manifest, or `nil` if there is none.
    func displayName(of app: AppIdentity) -> String? {
        broker.machine.manifests[app]?.displayName.map { ShownText.shortened($0) }
    }

    /// Returns the summary of an app: its authorization, its connections and its open prompt.
    func summary(_ key: AppKey) -> AppSummary {
        let table = broker.table
        var summary = AppSummary(key: key, authorization: table.authorization(of: key))
        switch table.decision(about: key)?.lifetime {
        case nil: break
        case .permanent: summary.lifetime = .permanent
        case .once: summary.lifetime = .once
        case .until(let seconds):
            summary.lifetime = .untilTomorrow
            summary.until = Timestamp(millisecondsSince1970: seconds * 1000)
        }
        if let app = peers.apps[key] {
            summary.connections = app.connections
            summary.sessions = app.subscriptions.count
            summary.fronts = app.fronts.map(\.name)
        }
        summary.displayName = displayName(of: key.app)
        summary.temporarilyFull = table.hasTemporaryFullAccuracy(key)
        if let prompt = broker.machine.prompt(about: key) {
            summary.requested = prompt.subject == .whenInUse ? .whenInUse : .always
            summary.reason = prompt.usageDescription.map { ShownText.shortened($0.text.plain) }
        }
        return summary
    }
}
