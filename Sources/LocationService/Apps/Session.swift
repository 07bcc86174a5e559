internal import AuthorizationPolicy
internal import LocationModel
internal import LocationProtocol
internal import NIOCore
internal import Positioning
internal import Varlink

/// A stream of locations that an app has open: one call of Subscribe.
final class Session {
    let call: Call<Subscribe>
    let options: Options
    let since: Timestamp
    /// Whether the app is in use, as far as this stream is concerned.
    var presence: Presence
    /// Locations offered to the connection; `Call.replaced` of them were replaced by newer ones before they were sent.
    private(set) var delivered = 0
    private let terms: DeliveryTerms
    private var rules: Subscription
    private var authorization: Authorization
    private var suspension = Suspension()
    private var knowsReceiverLost = false

    init(
        call: Call<Subscribe>, options: Options, authorization: Authorization, presence: Presence,
        manifest: AppManifest?,
        since: Timestamp
    ) {
        self.call = call
        self.options = options
        self.authorization = authorization
        self.presence = presence
        self.since = since
        terms = DeliveryTerms(
            presence: presence, allowsBackground: options.allowsBackground ?? false, manifest: manifest)
        rules = Self.rules(options)
    }

    private static func rules(_ options: Options) -> Subscription {
        Subscription(
            desiredAccuracy: options.desiredAccuracy ?? .best,
            filter: SubscriptionFilter(
                minimumDistance: options.distanceFilter, minimumIntervalSeconds: options.minimumInterval,
                maximumUpdates: options.maximumUpdates),
            pausingOn: options.pausesAutomatically ?? true ? options.activityType ?? .other : nil)
    }

    /// The accuracy that the app itself asks for.
    var wantedAccuracy: AccuracyAuthorization { options.desiredAccuracy == .reduced ? .reduced : .full }

    /// Whether it gets what the reducer makes.
    var isReduced: Bool { wantedAccuracy == .reduced || authorization.accuracy == .reduced }

    /// How hard the receivers work for it. For reduced ones they work at the reducer's pace.
    var plan: ReceiverPlan { isSuspended || isReduced ? .off : rules.plan }

    /// Whether it waits for the device to set off.
    var isPaused: Bool { rules.isPaused }

    /// Whether it waits for the app to be in use.
    var isSuspended: Bool { suspension.isSuspended }

    /// A Boolean value indicating whether the indicator shows the app as active because of this stream.
    ///
    /// Attack: an app that was granted the location while in use hides that it goes on in the background. So its option
    /// counts only for one that was granted it always, which shows among the last uses either way.
    var isIndicated: Bool {
        guard !isSuspended else { return false }
        return presence == .inUse || authorization.status != .authorizedAlways
            || options.showsBackgroundIndicator ?? false
    }

    /// Locations that a newer one replaced because the app did not read.
    var replaced: Int { call.connection.replacedUpdates }

    /// Sends the location of `publication`, if the app may have it and the session's rules let it pass. Returns whether the
    /// device has come to rest or set off, as this session sees it, or may have.
    func deliver(
        _ publication: Publication, under entitlement: Entitlement, through gate: Gate,
        counting deliveries: inout Deliveries
    ) -> Bool {
        do throws(VarlinkError) {
            guard
                let released = try gate.release(
                    publication, under: entitlement, wanted: wantedAccuracy, presence: presence, terms: terms)
            else { return followPresence(of: entitlement.app, through: gate) }
            let wasPaused = isPaused
            send(released, of: publication, counting: &deliveries)
            return wasPaused || isPaused
        } catch {
            call.fail(error)
            return false
        }
    }

    private func send(
        _ released: Released<Location>, of publication: Publication, counting deliveries: inout Deliveries
    ) {
        let verdict = released.verdict { rules.consider($0) }
        if verdict == .suppress { return }
        let counted = deliveries.count(released)
        delivered += 1
        switch verdict {
        case .suppress: break
        case .deliver: call.offer(publication.reply(counted, continues: true))
        case .deliverLast: call.reply(publication.reply(counted, continues: false))
        case .pause: send(Update(event: .paused, location: counted.value))
        case .resume, .resumeLast:
            send(Update(event: .resumed))
            call.reply(publication.reply(counted, continues: verdict == .resume))
        }
    }

    private func send(_ update: Update) { call.send(Subscribe.Reply(update: update)) }

    // MARK: What it tells beside locations

    /// Tells that the stream is suspended because the app is not in use, or goes on. Whether that has changed.
    func followPresence(of app: AppKey, through gate: Gate) -> Bool {
        let isSuspended = gate.isSuspended(app, presence: presence, terms: terms)
        guard let event = suspension.follow(isSuspended ? .suspend : .deliver(inBackground: presence == .background))
        else { return false }
        send(Update(event: event == .suspended ? .suspended : .unsuspended))
        return true
    }

    /// Tells that the receivers were lost or found; found only to whom the loss was told, and neither while it is suspended.
    func tell(_ event: UpdateEvent) {
        let lost = event == .receiverLost
        guard lost != knowsReceiverLost, !isSuspended else { return }
        knowsReceiverLost = lost
        send(Update(event: event))
    }

    /// Tells that the app may have more or less than before, but still something.
    func tell(_ authorization: Authorization) {
        guard authorization != self.authorization else { return }
        // Attack: what the rules remember of exact locations would decide which reduced ones pass.
        if authorization.accuracy != self.authorization.accuracy { rules = Self.rules(options) }
        self.authorization = authorization
        send(Update(event: .authorizationChanged, authorization: authorization))
    }

    /// Ends the stream: its time is over.
    func end() {
        call.reply(Subscribe.Reply())
    }
}
