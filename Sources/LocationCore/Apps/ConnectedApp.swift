internal import AuthorizationPolicy
internal import Glibc
package import LocationModel
internal import NIOCore
internal import Positioning

/// An app that has connections: its streams, and its requests that wait for something.
package final class ConnectedApp {
    package let key: AppKey
    /// What it was sent.
    let accessCount: AccessCount
    /// How many connections it has.
    package internal(set) var connections = 0
    /// The processes that say that they are in the background, by the connection that they said it on.
    private var inBackground: [ObjectIdentifier: pid_t] = [:]
    /// The process that asked last.
    package private(set) var asker: Int32?
    package private(set) var subscriptions: [Subscription] = []
    private(set) var requests: [LocationRequest] = []
    /// Its streams of events.
    private(set) var eventStreams: [AnyEventStream] = []
    private var authorizationWatchers: [AuthorizationWatcher] = []
    /// The entitlement that was looked up last.
    private var knownEntitlement: Entitlement?

    init(key: AppKey) {
        self.key = key
        accessCount = AccessCount(key)
    }

    /// Returns how hard the receivers work for it. For what is reduced they work at the reducer's pace.
    func plan(through gate: Gate) -> ReceiverPlan {
        var plan = requests.contains { !$0.isReduced(of: key, through: gate) } ? ReceiverPlan.continuous : .off
        for subscription in subscriptions {
            // The hardest plan is the most frequent one: of ten thousand streams the first one decides.
            if plan == .continuous { break }
            plan = plan.merged(with: subscription.plan)
        }
        return plan
    }

    /// Returns whether any of its streams or calls gets what the reducer makes.
    func wantsReduced(through gate: Gate) -> Bool {
        subscriptions.contains { $0.isReduced && !$0.isSuspended }
            || requests.contains { $0.isReduced(of: key, through: gate) }
    }

    /// Returns whether a stream of it that the indicator shows goes on now with that presence.
    func isActive(as presence: Presence, through gate: Gate) -> Bool {
        subscriptions.contains { $0.presence == presence && $0.isIndicated }
            || eventStreams.contains { $0.presence == presence } && gate.isDelivering(to: key, presence: presence)
    }

    // MARK: What it has open

    func add(_ subscription: Subscription) { subscriptions.append(subscription) }
    func remove(_ subscription: Subscription) { subscriptions.removeAll { $0 === subscription } }
    func add(_ request: LocationRequest) { requests.append(request) }
    func remove(_ request: LocationRequest) { requests.removeAll { $0 === request } }
    func add(_ stream: AnyEventStream) { eventStreams.append(stream) }
    func remove(_ stream: AnyEventStream) { eventStreams.removeAll { $0 === stream } }
    package func add(_ watcher: AuthorizationWatcher) { authorizationWatchers.append(watcher) }
    package func remove(_ watcher: AuthorizationWatcher) { authorizationWatchers.removeAll { $0 === watcher } }

    // MARK: What it says

    /// A process asks for the location.
    package func asks(_ process: Int32) { asker = process }

    /// A process says on a connection whether it is in the background. Returns whether that is new.
    package func setInBackground(_ isInBackground: Bool, _ client: any Client) -> Bool {
        let id = ObjectIdentifier(client)
        guard isInBackground != (self.inBackground[id] != nil) else { return false }
        self.inBackground[id] = isInBackground ? client.pid : nil
        return true
    }

    /// A connection is closed: what was said on it holds no more. Whether something was.
    func forget(_ client: any Client) -> Bool {
        inBackground.removeValue(forKey: ObjectIdentifier(client)) != nil
    }

    /// Returns whether a process says that it is in the background.
    func saysInBackground(_ process: pid_t) -> Bool { inBackground.values.contains(process) }

    // MARK: What happens to it

    /// What came of a publication.
    struct Outcome {
        /// On how many streams and calls it was delivered.
        var delivered = 0
        /// A Boolean value indicating whether any stream has paused or resumed.
        var isPlanChanged = false
    }

    /// Returns what it may have now.
    func entitlement(through gate: Gate) -> Entitlement {
        let entitlement = knownEntitlement.map(gate.current) ?? gate.entitlement(of: key)
        knownEntitlement = entitlement
        return entitlement
    }

    /// Delivers a location on every stream that it is due on, and to the calls that wait for one.
    func deliver(_ publication: Publication, through gate: Gate, countedIn history: AccessHistory) -> Outcome {
        let entitlement = entitlement(through: gate)
        return history.deliveries(to: accessCount) { deliveries in
            var outcome = Outcome()
            for subscription in subscriptions
            where subscription.deliver(publication, under: entitlement, through: gate, counting: &deliveries) {
                outcome.isPlanChanged = true
            }
            for request in requests {
                request.consider(publication, of: key, through: gate, counting: &deliveries)
            }
            outcome.delivered = deliveries.total
            return outcome
        }
    }

    /// Reports to every stream that no receiver can be used, or one can again.
    func report(receiverLost lost: Bool) {
        for subscription in subscriptions { subscription.report(receiverLost: lost) }
    }

    /// Ends or tells whatever depends on the authorization, after it has changed.
    func authorizationChanged(to authorization: Authorization, gate: Gate) {
        do throws(LocationFailure) {
            try gate.check(key)
            for subscription in subscriptions {
                subscription.report(authorization)
                _ = subscription.followPresence(of: key, through: gate)
            }
        } catch {
            // They remove themselves as they end.
            for subscription in subscriptions { subscription.subscriber.end(error) }
            for request in requests { request.subscriber.end(error) }
        }
        for watcher in authorizationWatchers { watcher.report(authorization) }
    }
}
