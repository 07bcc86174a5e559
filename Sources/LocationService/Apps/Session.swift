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
    private var filter: SubscriptionFilter
    private var authorization: Authorization
    private var knowsReceiverLost = false

    init(call: Call, options: Options, authorization: Authorization, since: Timestamp) {
        self.call = call
        self.options = options
        self.authorization = authorization
        self.since = since
        filter = SubscriptionFilter(
            minimumDistance: options.distanceFilter, minimumIntervalSeconds: options.minimumInterval,
            maximumUpdates: options.maximumUpdates)
    }

    /// The accuracy that the app itself asks for.
    var wantedAccuracy: AccuracyAuthorization { options.desiredAccuracy == .reduced ? .reduced : .full }

    /// Locations that a newer one replaced because the app did not read.
    var replaced: Int { call.connection.replacedUpdates }

    /// Sends the location of `publication`, if the app may have it and its filters let it pass. Returns whether it did.
    func deliver(_ publication: Publication, to app: AppKey, through gate: Gate) -> Bool {
        do throws(VarlinkError) {
            guard let released = try gate.release(publication.location, to: app, wanted: wantedAccuracy) else {
                return false
            }
            switch filter.consider(released.location) {
            case .suppress: return false
            case .deliver: call.offer(frame: publication.frame(of: released, continues: true))
            case .deliverLast: call.reply(frame: publication.frame(of: released, continues: false), continues: false)
            }
            delivered += 1
            return true
        } catch {
            call.fail(error)
            return false
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
