internal import AuthorizationPolicy
internal import Glibc
package import LocationModel
internal import NIOCore
internal import Positioning
internal import Receivers

/// An app that has connections, with its subscriptions, its event streams and its pending requests.
package final class ConnectedApp {
    package let key: AppKey
    /// The app's deliveries that the access log has not collected yet.
    let accessCount: UncollectedDeliveries
    /// The clients behind the app's connections.
    private var clients: [ObjectIdentifier: any Client] = [:]
    /// The processes that have declared that they are in the background, by the connection of the declaration.
    private var inBackground: [ObjectIdentifier: pid_t] = [:]
    /// The process that made the latest authorization request, or `nil` if there was none.
    package private(set) var requestingProcess: Int32?
    package var subscriptions: [Subscription] { _subscriptions }
    private var _subscriptions: [Subscription] = []
    private(set) var requests: [LocationRequest] = [] { didSet { hasRequests = !requests.isEmpty } }
    private var hasRequests = false
    /// The app's open event streams.
    private(set) var eventStreams: [AnyEventStream] = []
    private var authorizationWatchers: [AuthorizationWatcher] = []
    /// The entitlement at the last look-up.
    private var knownEntitlement: Entitlement?

    init(key: AppKey) {
        self.key = key
        accessCount = UncollectedDeliveries(key)
    }

    /// Returns the receiver plan that the app needs. For reduced accuracy, the receivers follow the reducer's plan.
    ///
    /// - Parameter isStill: A Boolean value indicating whether the surroundings show that the device does not move.
    func plan(through gate: Gate, isStill: Bool) -> ReceiverPlan {
        var plan = requests.contains { !$0.isReduced(of: key, through: gate) } ? ReceiverPlan.continuous : .off
        for subscription in subscriptions {
            // The most demanding plan is the most frequent one: of ten thousand subscriptions, the first one decides.
            if plan == .continuous { break }
            plan = plan.merged(with: isStill ? subscription.planWhileStill : subscription.plan)
        }
        return plan
    }

    /// Returns whether any of the app's subscriptions or requests gets the reducer's locations.
    func wantsReduced(through gate: Gate) -> Bool {
        subscriptions.contains { $0.isReduced && !$0.isSuspended }
            || requests.contains { $0.isReduced(of: key, through: gate) }
    }

    /// Returns whether any subscription or event stream of that presence makes the app active in the indicator.
    func isActive(as presence: Presence, through gate: Gate) -> Bool {
        subscriptions.contains { $0.presence == presence && $0.isIndicated }
            || eventStreams.contains { $0.presence == presence } && gate.isDelivering(to: key, presence: presence)
    }

    // MARK: Connections

    /// The number of the app's connections.
    package var connections: Int { clients.count }

    /// The fronts that the app is connected through, in descending order of name, which puts varlink first.
    package var fronts: [Front] { Set(clients.values.map(\.front)).sorted { $0.name > $1.name } }

    /// Adds a connection.
    func connected(_ client: any Client) { clients[ObjectIdentifier(client)] = client }

    /// Removes a connection. Returns whether a background declaration made on it was dropped.
    func disconnected(_ client: any Client) -> Bool {
        clients[ObjectIdentifier(client)] = nil
        return inBackground.removeValue(forKey: ObjectIdentifier(client)) != nil
    }

    /// Returns whether any of the app's connections is in use.
    func isInUse(by presences: Presences) -> Bool {
        clients.values.contains { presences.presence(of: self, $0) == .inUse }
    }

    /// The processes behind the app's connections, as far as they are known.
    func processes(_ ids: (any Client) -> [pid_t]) -> Set<pid_t> { Set(clients.values.flatMap(ids)) }

    // MARK: Subscriptions, requests and streams

    func add(_ subscription: Subscription) {
        var subscriptions = takeSubscriptions()
        subscriptions.append(subscription)
        _subscriptions = subscriptions
    }
    func remove(_ subscription: Subscription) {
        guard let index = _subscriptions.firstIndex(where: { $0 === subscription }) else { return }
        var subscriptions = takeSubscriptions()
        subscriptions.remove(at: index)
        _subscriptions = subscriptions
    }
    /// Takes the subscriptions out, so that they can be changed without a copy and put back.
    private func takeSubscriptions() -> [Subscription] {
        let subscriptions = _subscriptions
        _subscriptions = []
        return subscriptions
    }
    func add(_ request: LocationRequest) { requests.append(request) }
    func remove(_ request: LocationRequest) {
        if let index = requests.firstIndex(where: { $0 === request }) { requests.remove(at: index) }
    }
    func add(_ stream: AnyEventStream) { eventStreams.append(stream) }
    func remove(_ stream: AnyEventStream) { eventStreams.removeAll { $0 === stream } }
    package func add(_ watcher: AuthorizationWatcher) { authorizationWatchers.append(watcher) }
    package func remove(_ watcher: AuthorizationWatcher) { authorizationWatchers.removeAll { $0 === watcher } }

    // MARK: Declarations

    /// Records the process that requests an authorization.
    package func noteRequest(by process: Int32) { requestingProcess = process }

    /// Records whether a connection's process declares that it is in the background. Returns whether that changed.
    package func setInBackground(_ isInBackground: Bool, _ client: any Client) -> Bool {
        let id = ObjectIdentifier(client)
        guard isInBackground != (self.inBackground[id] != nil) else { return false }
        self.inBackground[id] = isInBackground ? client.pid : nil
        return true
    }

    /// A Boolean value indicating whether any process has declared that it is in the background.
    var hasDeclarations: Bool { !inBackground.isEmpty }

    /// Returns whether a process has declared that it is in the background.
    func saysInBackground(_ process: pid_t) -> Bool { inBackground.values.contains(process) }

    // MARK: Deliveries and changes

    /// The outcome of a publication for an app.
    struct Outcome {
        /// The number of subscriptions and requests that the location was delivered to.
        var delivered = 0
        /// A Boolean value indicating whether any subscription has paused or resumed.
        var isPlanChanged = false
    }

    /// Returns the app's current entitlement.
    func entitlement(through gate: Gate) -> Entitlement {
        if let knownEntitlement, gate.isCurrent(knownEntitlement) { return knownEntitlement }
        let entitlement = gate.entitlement(of: key)
        knownEntitlement = entitlement
        return entitlement
    }

    /// Delivers a location on every subscription that it is due on, and to the requests waiting for one.
    func deliver(_ publication: Publication, through gate: Gate, countedIn history: AccessHistory) -> Outcome {
        let entitlement = entitlement(through: gate)
        return history.deliveries(to: accessCount) { deliveries in
            var outcome = Outcome()
            for subscription in subscriptions
            where subscription.deliver(publication, under: entitlement, through: gate, counting: &deliveries) {
                outcome.isPlanChanged = true
            }
            if hasRequests {
                for request in requests {
                    request.consider(publication, of: key, through: gate, counting: &deliveries)
                }
            }
            outcome.delivered = deliveries.total
            return outcome
        }
    }

    /// Delivers the report of a receiver that has no fix, on every subscription that it is due on.
    func deliver(withoutFix update: ReceiverUpdate, through gate: Gate, countedIn history: AccessHistory) {
        let entitlement = entitlement(through: gate)
        history.deliveries(to: accessCount) { deliveries in
            for subscription in subscriptions {
                subscription.deliver(withoutFix: update, under: entitlement, through: gate, counting: &deliveries)
            }
        }
    }

    /// Delivers a heading on every subscription that it is due on.
    func deliver(_ heading: Heading, through gate: Gate, countedIn history: AccessHistory) {
        let entitlement = entitlement(through: gate)
        history.deliveries(to: accessCount) { deliveries in
            for subscription in subscriptions {
                subscription.deliver(heading, under: entitlement, through: gate, counting: &deliveries)
            }
        }
    }

    /// Delivers the bytes of a receiver on every subscription that they are due on.
    func deliver(_ bytes: ReceivedBytes, through gate: Gate, countedIn history: AccessHistory) {
        let entitlement = entitlement(through: gate)
        history.deliveries(to: accessCount) { deliveries in
            for subscription in subscriptions {
                subscription.deliver(bytes, under: entitlement, through: gate, counting: &deliveries)
            }
        }
    }

    /// Reports to the subscriptions with that accuracy that no receiver is available, or that one is available again.
    func report(receiverLost lost: Bool, to accuracy: AccuracyAuthorization) {
        for subscription in subscriptions where subscription.isReduced == (accuracy == .reduced) {
            subscription.report(receiverLost: lost)
        }
    }

    /// Notifies or ends everything that depends on the authorization, after a change. Returns the subscriptions whose
    /// accuracy was reduced.
    func authorizationChanged(to authorization: Authorization, gate: Gate) -> [Subscription] {
        var reduced: [Subscription] = []
        do throws(LocationFailure) {
            try gate.check(key)
            for subscription in subscriptions {
                if subscription.report(authorization) { reduced.append(subscription) }
                _ = subscription.followPresence(of: key, through: gate)
            }
        } catch {
            // Subscriptions and requests remove themselves when they end.
            for subscription in subscriptions { subscription.subscriber.end(error) }
            for request in requests { request.subscriber.end(error) }
        }
        for watcher in authorizationWatchers { watcher.report(authorization) }
        return reduced
    }
}
