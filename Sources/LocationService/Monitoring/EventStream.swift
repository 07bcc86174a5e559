internal import Authorization
internal import LocationProtocol
internal import Positioning
internal import Varlink

/// A stream of events that an app has open: a call of one of the Monitor methods.
final class EventStream {
    let call: Call
    let since: Timestamp
    /// Whether the app is in use, as far as this stream is concerned.
    var presence: Presence
    /// How many events were sent.
    private(set) var delivered = 0

    init(_ call: Call, since: Timestamp, presence: Presence) {
        self.call = call
        self.since = since
        self.presence = presence
    }

    /// Sends what the method replies with.
    func send(_ reply: consuming Counted<some Encodable>) {
        call.reply(reply.value, continues: true)
        delivered += 1
    }

    /// Sends a reply that makes older ones worthless: a slow reader gets the newest.
    func offer(_ reply: consuming Counted<some Encodable>) {
        guard let frame = try? Frame.reply(parameters: reply.value, continues: true) else { return }
        call.offer(frame: frame)
        delivered += 1
    }

    /// Sends an event that tells nothing of where the device is.
    func send(unknownStateOf region: String) {
        let event = RegionEvent(identifier: region, state: .unknown)
        call.reply(MonitorRegions.Reply(event: event), continues: true)
        delivered += 1
    }
}
