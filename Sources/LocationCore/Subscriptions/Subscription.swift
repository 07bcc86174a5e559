internal import AuthorizationPolicy
package import LocationModel
internal import Positioning

/// A stream of locations that an app has open.
package final class Subscription {
    package let subscriber: any LocationSubscriber
    package let since: Timestamp
    /// A Boolean value indicating whether the app is in use, as far as this stream is concerned.
    var presence: Presence
    /// Locations given to the subscriber; `Subscriber.replacedCount` of them were replaced by newer ones before they were
    /// sent.
    package private(set) var delivered = 0
    private let terms: DeliveryTerms
    private let showsBackgroundIndicator: Bool
    private var rules: SubscriptionRules
    private var authorization: Authorization
    private var suspension = Suspension()
    private var knowsReceiverLost = false

    init(
        _ subscriber: any LocationSubscriber, options: SubscriptionOptions, authorization: Authorization,
        presence: Presence, manifest: AppManifest?, since: Timestamp
    ) {
        self.subscriber = subscriber
        showsBackgroundIndicator = options.showsBackgroundIndicator
        self.authorization = authorization
        self.presence = presence
        self.since = since
        terms = DeliveryTerms(presence: presence, allowsBackground: options.allowsBackground, manifest: manifest)
        rules = SubscriptionRules(
            desiredAccuracy: options.desiredAccuracy,
            filter: SubscriptionFilter(
                minimumDistance: options.distanceFilter, minimumIntervalSeconds: options.minimumInterval,
                maximumUpdates: options.maximumUpdates),
            pausingOn: options.pausesAutomatically ? options.activityType : nil)
    }

    /// How accurate the locations are that the app asks for.
    package var desiredAccuracy: DesiredAccuracy { rules.desiredAccuracy }

    /// Metres from the last delivered location, at least.
    package var distanceFilter: Double? { rules.filter.minimumDistance }

    /// Seconds between two locations, at least.
    package var minimumInterval: Double? { rules.filter.minimumIntervalSeconds }

    /// The accuracy that the app itself asks for.
    var wantedAccuracy: AccuracyAuthorization { desiredAccuracy == .reduced ? .reduced : .full }

    /// A Boolean value indicating whether it gets what the reducer makes.
    var isReduced: Bool { wantedAccuracy == .reduced || authorization.accuracy == .reduced }

    /// How hard the receivers work for it. For reduced ones they work at the reducer's pace.
    var plan: ReceiverPlan { isSuspended || isReduced ? .off : rules.plan }

    /// A Boolean value indicating whether it waits for the device to set off.
    package var isPaused: Bool { rules.isPaused }

    /// A Boolean value indicating whether it waits for the app to be in use.
    package var isSuspended: Bool { suspension.isSuspended }

    /// A Boolean value indicating whether it goes on while the app is not in use.
    package var isInBackground: Bool { presence == .background && !isSuspended }

    /// A Boolean value indicating whether the indicator shows the app as active because of this stream.
    ///
    /// Attack: an app that was granted the location while in use hides that it goes on in the background. So its option
    /// counts only for one that was granted it always, which shows among the last uses either way.
    var isIndicated: Bool {
        guard !isSuspended else { return false }
        return presence == .inUse || authorization.status != .authorizedAlways || showsBackgroundIndicator
    }

    /// Delivers the location of `publication`, if the app may have it and the stream's rules let it pass. Returns whether
    /// the device has come to rest or set off, as this stream sees it, or may have.
    func deliver(
        _ publication: Publication, under entitlement: Entitlement, through gate: Gate,
        counting deliveries: inout Deliveries
    ) -> Bool {
        do throws(LocationFailure) {
            guard
                let released = try gate.release(
                    publication, under: entitlement, wanted: wantedAccuracy, presence: presence, terms: terms)
            else { return followPresence(of: entitlement.app, through: gate) }
            let wasPaused = isPaused
            deliver(released, of: publication, counting: &deliveries)
            return wasPaused || isPaused
        } catch {
            subscriber.end(error)
            return false
        }
    }

    private func deliver(
        _ released: Released<Location>, of publication: Publication, counting deliveries: inout Deliveries
    ) {
        let verdict = released.verdict { rules.consider($0) }
        if verdict == .suppress { return }
        let counted = deliveries.count(released)
        delivered += 1
        switch verdict {
        case .suppress: break
        case .deliver: subscriber.receive(counted, of: publication, isLast: false)
        case .deliverLast: subscriber.receive(counted, of: publication, isLast: true)
        case .pause: subscriber.receive(.paused(counted))
        case .resume, .resumeLast:
            subscriber.receive(.resumed)
            subscriber.receive(counted, of: publication, isLast: verdict == .resumeLast)
        }
    }

    // MARK: What is delivered beside locations

    /// Follows whether the app is in use. Returns whether the stream is suspended since, or goes on.
    func followPresence(of app: AppKey, through gate: Gate) -> Bool {
        let isSuspended = gate.isSuspended(app, presence: presence, terms: terms)
        guard let event = suspension.follow(isSuspended ? .suspend : .deliver(inBackground: presence == .background))
        else { return false }
        subscriber.receive(event == .suspended ? .suspended : .unsuspended)
        return true
    }

    /// Reports that no receiver can be used, or one can again; that to a stream only which the loss was reported to, and
    /// neither while it is suspended.
    func report(receiverLost lost: Bool) {
        guard lost != knowsReceiverLost, !isSuspended else { return }
        knowsReceiverLost = lost
        subscriber.receive(lost ? .receiverLost : .receiverFound)
    }

    /// Reports that the app may have more or less than before, but still something.
    func report(_ authorization: Authorization) {
        guard authorization != self.authorization else { return }
        // Attack: what the rules remember of exact locations would decide which reduced ones pass.
        if authorization.accuracy != self.authorization.accuracy { rules.reset() }
        self.authorization = authorization
        subscriber.receive(.authorizationChanged(authorization))
    }
}
