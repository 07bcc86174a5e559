internal import AuthorizationPolicy
internal import EventLoopSupport
package import LocationModel
internal import NIOCore
internal import Positioning
internal import Receivers

/// Opens subscriptions, and answers requests for one location.
package struct Subscriptions {
    let broker: AuthorizationBroker
    let gate: Gate
    let entitlements: EntitlementTracker
    let streams: OpenStreams
    let peers: Peers
    let receivers: ReceiverControl
    let reduction: ReductionSchedule
    let places: RememberedPlaces
    let history: AccessHistory
    let loop: any EventLoop
    let clock: () -> Timestamp

    /// Opens a subscription. It stays open until `subscriber` has ended.
    package func open(_ options: SubscriptionOptions, of app: ConnectedApp, for subscriber: any LocationSubscriber) {
        let subscription = Subscription(
            subscriber, options: options, authorization: app.entitlement(through: gate).authorization,
            presence: entitlements.presence(of: app, subscriber.client),
            manifest: broker.machine.manifests[app.key.app], since: clock())
        let end = options.duration.map { seconds in
            let timer = LoopTimer(on: loop)
            timer.set(in: .clamping(seconds: seconds)) { subscriber.complete() }
            return timer
        }
        // Attack: a subscription that is suspended from the beginning would settle a quarter of an hour for others, or
        // use it up, at a moment of its choice.
        _ = subscription.followPresence(of: app.key, through: gate)
        streams.open(subscription, of: app)
        subscriber.whenEnded { [streams] in
            end?.cancel()
            streams.close(subscription, of: app)
        }
        let isUnavailable = subscription.isReduced ? reduction.isUnavailable : receivers.isUnavailable
        if isUnavailable { subscription.report(receiverLost: true) }
        deliverLast(on: subscription, of: app)
    }

    /// Delivers the last known location when a subscription is opened. A fix no older than the subscription's interval
    /// is the one that it would have received, as is the last settled reduced location.
    private func deliverLast(on subscription: Subscription, of app: ConnectedApp) {
        if subscription.isReduced, let last = reduction.lastKnown {
            deliver(Publication(reduced: last), on: subscription, of: app)
        }
        if case .every(let seconds, _) = subscription.plan, let age = receivers.ageOfLastFix, age <= seconds,
            let last = receivers.lastFix
        {
            return deliver(Publication(last.fix), on: subscription, of: app)
        }
        guard !subscription.isReduced, !subscription.isSuspended, let place = places.find() else { return }
        let publication = Publication(remembered: place, isProvisional: !places.isSearchOver)
        deliver(publication, on: subscription, of: app)
    }

    private func deliver(_ publication: Publication, on subscription: Subscription, of app: ConnectedApp) {
        history.deliveries(to: app.accessCount) { deliveries in
            _ = subscription.deliver(
                publication, under: app.entitlement(through: gate), through: gate, counting: &deliveries)
        }
    }

    /// Sends one location to `subscriber`: the last known one if it is recent enough, otherwise the first that is
    /// good enough, or the best one so far after `timeout`.
    ///
    /// - Parameters:
    ///   - timeout: The timeout, in seconds. With 0, no receiver is started.
    ///   - maximumAge: The maximum age of the last known location, in seconds.
    package func request(
        _ desiredAccuracy: DesiredAccuracy, timeout: Double, maximumAge: Double, of app: ConnectedApp,
        for subscriber: any LocationSubscriber
    ) {
        let presence = entitlements.presence(of: app, subscriber.client)
        guard !gate.isSuspended(app.key, presence: presence, terms: .single) else {
            return subscriber.end(.notAuthorized(status: app.entitlement(through: gate).authorization.status))
        }
        let request = LocationRequest(subscriber, desiredAccuracy: desiredAccuracy, presence: presence)
        if let known = lastKnown(for: request, of: app, maximumAge) {
            peers.closeConnectionsOfEndedProcesses()
            history.deliveries(to: app.accessCount) { deliveries in
                request.answer(with: known, of: app.key, through: gate, counting: &deliveries)
            }
            return
        }
        guard timeout > 0 else { return subscriber.end(.locationUnknown) }
        let end = LoopTimer(on: loop)
        end.set(in: .clamping(seconds: timeout)) { [history, gate] in
            history.deliveries(to: app.accessCount) { deliveries in
                request.timeOut(of: app.key, through: gate, counting: &deliveries)
            }
        }
        streams.open(request, of: app)
        subscriber.whenEnded { [streams] in
            end.cancel()
            streams.close(request, of: app)
        }
        guard !request.isReduced(of: app.key, through: gate), let place = places.find() else { return }
        history.deliveries(to: app.accessCount) { deliveries in
            let publication = Publication(remembered: place, isProvisional: !places.isSearchOver)
            request.consider(publication, of: app.key, through: gate, counting: &deliveries)
        }
    }

    /// Returns the last known location if it is recent enough. A reduced location is, once its quarter is settled.
    private func lastKnown(for request: LocationRequest, of app: ConnectedApp, _ maximumAge: Double) -> Publication? {
        if gate.accuracy(of: app.key, wanted: request.wanted) == .reduced {
            return reduction.lastKnown(maximumAge: maximumAge).map { Publication(reduced: $0) }
        }
        guard let last = receivers.lastFix, receivers.age(of: last) <= .clamping(seconds: maximumAge) else {
            return nil
        }
        return Publication(last.fix)
    }
}
