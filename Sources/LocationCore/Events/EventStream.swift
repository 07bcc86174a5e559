internal import AuthorizationPolicy
package import LocationModel

/// A stream of events that an app has open, whatever its kind. An ``EventStream`` says of which events.
package class AnyEventStream {
    package let kind: EventKind
    /// Its receiving end.
    package let subscriber: any Subscriber
    package let since: Timestamp
    /// A Boolean value indicating whether the app is in use, as far as this stream is concerned.
    var presence: Presence
    /// How many events were sent.
    package fileprivate(set) var delivered = 0

    fileprivate init(_ kind: EventKind, _ subscriber: any Subscriber, since: Timestamp, presence: Presence) {
        self.kind = kind
        self.subscriber = subscriber
        self.since = since
        self.presence = presence
    }
}

/// A stream of events that an app has open.
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
