internal import AuthorizationPolicy
package import LocationModel
internal import Positioning
internal import Receivers

/// A stream of locations that an app has open.
package final class Subscription {
    package let subscriber: any LocationSubscriber
    package let since: Timestamp
    /// The presence of the app, as far as this subscription is concerned.
    var presence: Presence
    /// The accuracy of locations that the app requests.
    package let desiredAccuracy: DesiredAccuracy
    /// The accuracy authorization that the app needs for its request.
    let wantedAccuracy: AccuracyAuthorization
    /// The app's kind of movement.
    let activityType: ActivityType
    /// The number of locations that the subscriber received, sent or not: see `Subscriber.replacedCount`.
    package var delivered: Int { _delivered }
    /// The reports that the subscriber is sent besides locations.
    let reportContents: ReceiverReportContents
    /// The subscriber, if it is sent reports.
    let reportSubscriber: (any ReportSubscriber)?
    let terms: DeliveryTerms
    private let showsBackgroundIndicator: Bool
    /// The rules call nothing of the subscription, so accesses never overlap. The hot path needs no check.
    @exclusivity(unchecked) private var rules: SubscriptionRules
    private var authorization: Authorization
    private var suspension = Suspension()
    private var knowsReceiverLost = false
    private var _delivered = 0

    init(
        _ subscriber: any LocationSubscriber, options: SubscriptionOptions, authorization: Authorization,
        presence: Presence, manifest: AppManifest?, since: Timestamp
    ) {
        self.subscriber = subscriber
        let reportSubscriber = options.reportContents.isEmpty ? nil : subscriber as? any ReportSubscriber
        self.reportSubscriber = reportSubscriber
        reportContents = reportSubscriber == nil ? [] : options.reportContents
        showsBackgroundIndicator = options.showsBackgroundIndicator
        self.authorization = authorization
        self.presence = presence
        self.since = since
        desiredAccuracy = options.desiredAccuracy
        wantedAccuracy = options.desiredAccuracy == .reduced ? .reduced : .full
        activityType = options.activityType
        terms = DeliveryTerms(presence: presence, allowsBackground: options.allowsBackground, manifest: manifest)
        rules = SubscriptionRules(
            desiredAccuracy: options.desiredAccuracy,
            filter: SubscriptionFilter(
                minimumDistance: options.distanceFilter, minimumIntervalSeconds: options.minimumInterval,
                maximumUpdates: options.maximumUpdates),
            pausingOn: options.pausesAutomatically ? options.activityType : nil)
    }

    /// The minimum distance from the last delivered location in metres, or `nil` if there is none.
    package var distanceFilter: Double? { rules.filter.minimumDistance }

    /// The minimum time between two locations in seconds, or `nil` if there is none.
    package var minimumInterval: Double? { rules.filter.minimumIntervalSeconds }

    /// The time between two locations that the app needs in seconds, if it navigates and needs more than one a second.
    var rapidInterval: Double? {
        guard desiredAccuracy == .bestForNavigation, plan == .continuous else { return nil }
        return minimumInterval.flatMap { $0 < 1 ? $0 : nil }
    }

    /// A Boolean value indicating whether the subscription gets the reducer's locations.
    var isReduced: Bool { wantedAccuracy == .reduced || authorization.accuracy == .reduced }

    /// The receiver plan that the subscription needs. For reduced accuracy, the receivers follow the reducer's plan.
    var plan: ReceiverPlan { isSuspended || isReduced ? .off : rules.plan }

    /// The same while the surroundings show that the device does not move.
    var planWhileStill: ReceiverPlan { isSuspended || isReduced ? .off : rules.planWhileStill }

    /// A Boolean value indicating whether the app needs better than 10 m now.
    package var wantsCorrections: Bool { plan == .continuous && desiredAccuracy.requiredHorizontalAccuracy < 10 }

    /// A Boolean value indicating whether the subscription waits for the device to move.
    package var isPaused: Bool { rules.isPaused }

    /// A Boolean value indicating whether the subscription waits for the app to be in use.
    package var isSuspended: Bool { suspension.isSuspended }

    /// A Boolean value indicating whether the subscription continues while the app is not in use.
    package var isInBackground: Bool { presence == .background && !isSuspended }

    /// A Boolean value indicating whether the indicator shows the app as active because of this subscription.
    ///
    /// Attack: an app that was granted the location while in use hides that it continues in the background. So its
    /// option counts only if the app was granted `always`. Such an app is listed among the last uses in either case.
    var isIndicated: Bool {
        guard !isSuspended else { return false }
        return presence == .inUse || authorization.status != .authorizedAlways || showsBackgroundIndicator
    }

    /// Delivers the location of `publication`, if the app may have it and the subscription's rules admit it. Returns
    /// whether the receivers' plan may have changed, because the subscription has paused, resumed or been suspended.
    func deliver(
        _ publication: Publication, under entitlement: Entitlement, through gate: Gate,
        counting deliveries: inout Deliveries
    ) -> Bool {
        do throws(LocationFailure) {
            guard
                let released = try gate.release(
                    publication, under: entitlement, wanted: wantedAccuracy, presence: presence, terms: terms)
            else { return followPresence(of: entitlement.app, through: gate) }
            return switch deliver(released, counting: &deliveries) {
            case .deliver, .deliverLast: false
            case .pause, .resume, .resumeLast: true
            case .suppress: isPaused
            }
        } catch {
            subscriber.end(error)
            return false
        }
    }

    private func deliver(
        _ released: Released<Publication>, counting deliveries: inout Deliveries
    ) -> SubscriptionRules.Verdict {
        let verdict = released.verdict { publication in
            rules.consider(publication.position) { publication.location }
        }
        if verdict == .suppress { return verdict }
        let counted = deliveries.count(released)
        _delivered += 1
        switch verdict {
        case .suppress: break
        case .deliver: subscriber.receive(counted, isLast: false)
        case .deliverLast: subscriber.receive(counted, isLast: true)
        case .pause: subscriber.receive(.paused(counted))
        case .resume, .resumeLast:
            subscriber.receive(.resumed)
            subscriber.receive(counted, isLast: verdict == .resumeLast)
        }
        return verdict
    }

    // MARK: Events

    /// Follows the presence of the app. Returns whether that has suspended or unsuspended the subscription.
    func followPresence(of app: AppKey, through gate: Gate) -> Bool {
        let isSuspended = gate.isSuspended(app, presence: presence, terms: terms)
        guard let event = suspension.follow(isSuspended ? .suspend : .deliver(inBackground: presence == .background))
        else { return false }
        subscriber.receive(event == .suspended ? .suspended : .unsuspended)
        return true
    }

    /// Reports that no receiver is available, or that one is available again. Nothing is reported while the
    /// subscription is suspended, and the end of a loss only if the loss was reported.
    func report(receiverLost lost: Bool) {
        guard lost != knowsReceiverLost, !isSuspended else { return }
        knowsReceiverLost = lost
        subscriber.receive(lost ? .receiverLost : .receiverFound)
    }

    /// Reports that the app's authorization has changed. The app is still authorized. Returns whether the subscription
    /// gets reduced locations from now on, and has got others.
    func report(_ authorization: Authorization) -> Bool {
        guard authorization != self.authorization else { return false }
        let wasReduced = isReduced
        // Attack: the full-accuracy locations that the rules remember would decide which reduced ones pass.
        if authorization.accuracy != self.authorization.accuracy { rules.reset() }
        self.authorization = authorization
        subscriber.receive(.authorizationChanged(authorization))
        return isReduced && !wasReduced
    }
}
