package import AuthorizationPolicy
internal import LocationModel
internal import Receivers

/// Has every stream and call follow what apps may have, and who is in use. Confined to the event loop.
package final class EntitlementTracker {
    private let broker: AuthorizationBroker
    private let gate: Gate
    private let peers: Peers
    private let presences: Presences
    private let monitoring: Monitoring
    private let headings: HeadingMonitoring
    private let receivers: ReceiverControl
    private let history: AccessHistory
    private let streams: OpenStreams

    init(
        broker: AuthorizationBroker, gate: Gate, peers: Peers, presences: Presences, monitoring: Monitoring,
        headings: HeadingMonitoring, receivers: ReceiverControl, history: AccessHistory, streams: OpenStreams
    ) {
        self.broker = broker
        self.gate = gate
        self.peers = peers
        self.presences = presences
        self.monitoring = monitoring
        self.headings = headings
        self.receivers = receivers
        self.history = history
        self.streams = streams
    }

    /// Returns whether the process of the app that made a connection is in use.
    package func presence(of app: ConnectedApp, _ client: any Client) -> Presence {
        presences.presence(of: app, client)
    }

    /// The app may have more or less than before.
    func authorizationChanged(_ key: AppKey) {
        if let app = peers.apps[key] {
            app.authorizationChanged(to: broker.table.authorization(of: key), gate: gate)
            for subscription in app.subscriptions { reportAvailability(to: subscription) }
            for request in app.requests { request.presence = presence(of: app, request.subscriber.client) }
        }
        monitoring.authorizationChanged(key)
        headings.authorizationChanged()
        if let app = peers.apps[key] { history.streamsChanged(of: app, through: gate) }
        streams.changed()
    }

    /// The user who is at the machine has come or gone.
    func presenceChanged() {
        for app in peers.apps.values { followPresence(of: app) }
        monitoring.presenceChanged(presences, peers.apps)
        headings.presenceChanged(presences, peers.apps)
        for app in peers.apps.values { history.streamsChanged(of: app, through: gate) }
        streams.changed()
    }

    /// A process of the app has gone to the background, or come back.
    ///
    /// Attack: an app says so thousands of times a second. That costs what its own streams cost, not everybody's.
    package func presenceChanged(of app: ConnectedApp) {
        followPresence(of: app)
        monitoring.presenceChanged(presences, [app.key: app])
        headings.presenceChanged(presences, [app.key: app])
        streams.changed(of: app)
    }

    private func followPresence(of app: ConnectedApp) {
        for subscription in app.subscriptions {
            subscription.presence = presence(of: app, subscription.subscriber.client)
            if subscription.followPresence(of: app.key, through: gate) { reportAvailability(to: subscription) }
        }
        for request in app.requests { request.presence = presence(of: app, request.subscriber.client) }
    }

    /// Reports to a stream what it missed while it was suspended.
    private func reportAvailability(to subscription: Subscription) {
        if receivers.isUnavailable {
            subscription.report(receiverLost: true)
        } else if receivers.receivers.contains(where: { $0.state == .running }) {
            subscription.report(receiverLost: false)
        }
    }
}
