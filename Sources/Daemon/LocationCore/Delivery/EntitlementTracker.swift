package import AuthorizationPolicy
internal import LocationModel
internal import Receivers

/// Makes subscriptions, event streams and requests follow the authorization and presence of their apps. Confined to
/// the event loop.
package final class EntitlementTracker {
    private let broker: AuthorizationBroker
    private let gate: Gate
    private let peers: Peers
    private let presences: Presences
    private let monitoring: Monitoring
    private let headings: HeadingMonitoring
    private let beacons: BeaconRanging
    private let receivers: ReceiverControl
    private let reduction: ReductionSchedule
    private let history: AccessHistory
    private let streams: OpenStreams

    init(
        broker: AuthorizationBroker, gate: Gate, peers: Peers, presences: Presences, monitoring: Monitoring,
        headings: HeadingMonitoring, beacons: BeaconRanging, receivers: ReceiverControl,
        reduction: ReductionSchedule, history: AccessHistory, streams: OpenStreams
    ) {
        self.broker = broker
        self.gate = gate
        self.peers = peers
        self.presences = presences
        self.monitoring = monitoring
        self.headings = headings
        self.beacons = beacons
        self.receivers = receivers
        self.reduction = reduction
        self.history = history
        self.streams = streams
    }

    /// Returns the presence of the app's process that made a connection.
    package func presence(of app: ConnectedApp, _ client: any Client) -> Presence {
        presences.presence(of: app, client)
    }

    /// Handles a change of the app's authorization.
    func authorizationChanged(_ key: AppKey) {
        let app = peers.apps[key]
        var reduced: [Subscription] = []
        if let app {
            reduced = app.authorizationChanged(to: broker.table.authorization(of: key), gate: gate)
            for subscription in app.subscriptions { reportAvailability(to: subscription) }
            for request in app.requests { request.presence = presence(of: app, request.subscriber.client) }
        }
        monitoring.authorizationChanged(key)
        headings.authorizationChanged(key)
        beacons.authorizationChanged(key)
        if let app {
            history.streamsChanged(of: app, through: gate)
            endTemporaryAccuracy(of: app)
        }
        streams.changed()
        if let app { replaceLast(on: reduced, of: app) }
    }

    /// Delivers the reducer's last location on subscriptions whose accuracy was reduced, and on streams of significant
    /// changes that have had no reduced location yet, as on new ones.
    ///
    /// Without it, an app would show the last exact place for the rest of the quarter after the user has taken it away.
    private func replaceLast(on subscriptions: [Subscription], of app: ConnectedApp) {
        guard let last = reduction.lastKnown else { return }
        // No significant change is decided by a remembered place.
        if !reduction.isOfMemory { monitoring.replaceLast(with: Publication(reduced: last), of: app.key) }
        guard !subscriptions.isEmpty else { return }
        history.deliveries(to: app.accessCount) { deliveries in
            for subscription in subscriptions {
                _ = subscription.deliver(
                    Publication(reduced: last), under: app.entitlement(through: gate), through: gate,
                    counting: &deliveries)
            }
        }
    }

    /// Ends the temporary full accuracy of an app once none of its connections is in use. An app without connections
    /// has ten seconds to come back.
    ///
    /// Attack: the user allows full accuracy for now, and turns to something else. The app follows the exact position
    /// for days.
    func endTemporaryAccuracy(of app: ConnectedApp) {
        guard broker.table.hasTemporaryFullAccuracy(app.key), app.connections > 0, !app.isInUse(by: presences) else {
            return
        }
        broker.wentToBackground(app.key)
    }

    /// Handles a change of the user at the machine.
    func presenceChanged() {
        for app in peers.connected { followPresence(of: app) }
        monitoring.presenceChanged(presences, peers.apps)
        headings.presenceChanged(presences, peers.apps)
        beacons.presenceChanged(presences, peers.apps)
        for app in peers.connected {
            history.streamsChanged(of: app, through: gate)
            endTemporaryAccuracy(of: app)
        }
        streams.changed()
    }

    /// Handles a process of the app that went to the background, or came back.
    ///
    /// Attack: an app does that thousands of times a second. So only its own streams are updated, not all apps'.
    package func presenceChanged(of app: ConnectedApp) {
        followPresence(of: app)
        monitoring.presenceChanged(presences, [app.key: app])
        headings.presenceChanged(presences, [app.key: app])
        beacons.presenceChanged(presences, [app.key: app])
        streams.changed(of: app)
        endTemporaryAccuracy(of: app)
    }

    private func followPresence(of app: ConnectedApp) {
        for subscription in app.subscriptions {
            subscription.presence = presence(of: app, subscription.subscriber.client)
            if subscription.followPresence(of: app.key, through: gate) { reportAvailability(to: subscription) }
        }
        for request in app.requests { request.presence = presence(of: app, request.subscriber.client) }
    }

    /// Reports to a subscription the availability of receivers that it missed while it was suspended.
    private func reportAvailability(to subscription: Subscription) {
        if subscription.isReduced {
            subscription.report(receiverLost: reduction.isUnavailable)
        } else if receivers.isUnavailable {
            subscription.report(receiverLost: true)
        } else if receivers.receivers.contains(where: { $0.state == .running }) {
            subscription.report(receiverLost: false)
        }
    }
}
