internal import AuthorizationPolicy
package import LocationModel

/// An event stream that an app has open, of any kind. ``EventStream`` adds the type of the events.
package class AnyEventStream {
    package let kind: EventKind
    /// The receiving end of the stream.
    package let subscriber: any Subscriber
    package let since: Timestamp
    /// The presence of the app, as far as this stream is concerned.
    var presence: Presence
    /// The number of events sent.
    package fileprivate(set) var delivered = 0

    fileprivate init(_ kind: EventKind, _ subscriber: any Subscriber, since: Timestamp, presence: Presence) {
        self.kind = kind
        self.subscriber = subscriber
        self.since = since
        self.presence = presence
    }
}

/// An event stream that an app has open.
package final class EventStream<Event: MonitoredEvent>: AnyEventStream {
    private let receiver: any EventSubscriber<Event>

    init(_ receiver: any EventSubscriber<Event>, since: Timestamp, presence: Presence) {
        self.receiver = receiver
        super.init(Event.kind, receiver, since: since, presence: presence)
    }

    /// Sends an event.
    func send(_ event: consuming Counted<Event>) {
        receiver.receive(event)
        delivered += 1
    }
}
