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

    /// Returns the decision about an app, or `nil` if there is none.
    func decision(about key: AppKey) -> DecisionSummary? {
        broker.table.decision(about: key).map { decision in
            DecisionSummary(
                level: DecisionSummary.Level(decision.level), accuracy: decision.accuracy,
                lifetime: GrantLifetime(decision.lifetime),
                until: decision.lifetime.end.map { Timestamp(millisecondsSince1970: $0 * 1000) },
                temporarilyFull: broker.table.hasTemporaryFullAccuracy(key))
        }
    }

    /// Returns the revision of the decision about an app.
    func revision(of key: AppKey) -> Int { Int(clamping: broker.table.revision(of: key)) }

    /// Returns the summary of an app: its authorization, its connections and its open prompt.
    func summary(_ key: AppKey) -> AppSummary {
        let table = broker.table
        var summary = AppSummary(
            key: key, authorization: table.authorization(of: key), decision: decision(about: key),
            revision: revision(of: key))
        if let app = peers.apps[key] {
            summary.connections = app.connections
            summary.sessions = app.subscriptions.count
            summary.fronts = app.fronts.map(\.name)
        }
        summary.displayName = displayName(of: key.app)
        if let prompt = broker.machine.prompt(about: key) {
            summary.requested = prompt.subject == .whenInUse ? .whenInUse : .always
            summary.reason = prompt.usageDescription.map { ShownText.shortened($0.text.plain) }
        }
        return summary
    }
}

extension DecisionSummary.Level {
    fileprivate init(_ level: Decision.Level) {
        self =
            switch level {
            case .denied: .denied
            case .whenInUse: .whenInUse
            case .provisionalAlways: .provisionalAlways
            case .always: .always
            }
    }
}

extension GrantLifetime {
    fileprivate init(_ lifetime: Decision.Lifetime) {
        self =
            switch lifetime {
            case .permanent: .permanent
            case .once: .once
            case .until: .untilTomorrow
            }
    }
}
