internal import Authorization
internal import LocationProtocol
internal import NIOCore
internal import Positioning
internal import Varlink

/// A stream of locations that an app has open: one call of Subscribe.
final class Session {
    let call: Call
    let options: Options
    let since: Timestamp
    /// Locations offered to the connection; `Call.replaced` of them were replaced by newer ones before they were sent.
    private(set) var delivered = 0
    private var rules: Subscription
    private var authorization: Authorization
    private var knowsReceiverLost = false

    init(call: Call, options: Options, authorization: Authorization, since: Timestamp) {
        self.call = call
        self.options = options
        self.authorization = authorization
        self.since = since
        rules = Subscription(
            desiredAccuracy: options.desiredAccuracy ?? .best,
            filter: SubscriptionFilter(
                minimumDistance: options.distanceFilter, minimumIntervalSeconds: options.minimumInterval,
                maximumUpdates: options.maximumUpdates),
            pausingOn: options.pausesAutomatically ?? true ? options.activityType ?? .other : nil)
    }

    /// The accuracy that the app itself asks for.
    var wantedAccuracy: AccuracyAuthorization { options.desiredAccuracy == .reduced ? .reduced : .full }

    /// How hard the receivers work for it.
    var plan: ReceiverPlan { rules.plan }

    /// Whether it waits for the device to set off.
    var isPaused: Bool { rules.isPaused }

    /// Locations that a newer one replaced because the app did not read.
    var replaced: Int { call.connection.replacedUpdates }

    /// What came of a fix.
    struct Outcome {
        /// Whether a location was sent.
        var isDelivered = false
        /// Whether the device has come to rest or set off, as this session sees it, or may have.
        var isPlanChanged = false
    }

    /// Sends the location of `publication`, if the app may have it and the session's rules let it pass.
    func deliver(_ publication: Publication, to app: AppKey, through gate: Gate) -> Outcome {
        do throws(VarlinkError) {
            guard let released = try gate.release(publication.location, to: app, wanted: wantedAccuracy) else {
                return Outcome()
            }
            let wasPaused = isPaused
            let verdict = rules.consider(released.value)
            var outcome = Outcome(isDelivered: true, isPlanChanged: wasPaused || isPaused)
            switch verdict {
            case .suppress: outcome.isDelivered = false
            case .deliver: call.offer(frame: publication.frame(of: released, continues: true))
            case .deliverLast: call.reply(frame: publication.frame(of: released, continues: false), continues: false)
            case .pause:
                call.reply(Subscribe.Reply(update: Update(event: .paused, location: released.value)), continues: true)
                outcome.isDelivered = false
            case .resume, .resumeLast:
                let isLast = verdict == .resumeLast
                call.reply(Subscribe.Reply(update: Update(event: .resumed)), continues: true)
                call.reply(frame: publication.frame(of: released, continues: !isLast), continues: !isLast)
            }
            if outcome.isDelivered { delivered += 1 }
            return outcome
        } catch {
            call.fail(error)
            return Outcome()
        }
    }

    /// Tells that the receivers were lost or found; found only to whom the loss was told.
    func tell(_ event: UpdateEvent) {
        let lost = event == .receiverLost
        guard lost != knowsReceiverLost else { return }
        knowsReceiverLost = lost
        call.reply(Subscribe.Reply(update: Update(event: event)), continues: true)
    }

    /// Tells that the app may have more or less than before, but still something.
    func tell(_ authorization: Authorization) {
        guard authorization != self.authorization else { return }
        self.authorization = authorization
        call.reply(
            Subscribe.Reply(update: Update(event: .authorizationChanged, authorization: authorization)), continues: true
        )
    }

    /// Ends the stream: its time is over.
    func end() {
        call.reply(Subscribe.Reply())
    }
}
