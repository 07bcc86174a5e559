internal import AuthorizationPolicy
internal import LocationModel
internal import LocationProtocol
internal import Varlink

/// A stream of events that an app has open, whatever its method. An ``EventStream`` says of which.
class AnyEventStream {
    let call: AnyCall
    let since: Timestamp
    /// Whether the app is in use, as far as this stream is concerned.
    var presence: Presence
    /// How many events were sent.
    fileprivate(set) var delivered = 0

    fileprivate init(_ call: AnyCall, since: Timestamp, presence: Presence) {
        self.call = call
        self.since = since
        self.presence = presence
    }
}

/// A stream of events that an app has open: a call of `Method`, one of the Monitor methods.
final class EventStream<Method: LocationMethod>: AnyEventStream {
    private let typedCall: Call<Method>

    init(_ call: Call<Method>, since: Timestamp, presence: Presence) {
        typedCall = call
        super.init(call.untyped, since: since, presence: presence)
    }

    /// Sends an event.
    func send(_ reply: consuming Counted<Method.Reply>) {
        typedCall.send(reply.value)
        delivered += 1
    }

    /// Sends an event that makes older ones worthless: a slow reader gets the newest.
    func offer(_ reply: consuming Counted<Method.Reply>) {
        guard let encoded = try? EncodedReply<Method>(reply.value, continues: true) else { return }
        typedCall.offer(encoded)
        delivered += 1
    }
}

extension EventStream where Method == MonitorRegions {
    /// Sends an event that tells nothing of where the device is.
    func send(unknownStateOf region: String) {
        typedCall.send(MonitorRegions.Reply(event: RegionEvent(identifier: region, state: .unknown)))
        delivered += 1
    }
}
