package import LocationModel

/// The receiving end of something that an app has asked for: a front's side of it.
///
/// What a subscriber receives has passed the gate, and the access history has counted it. Confined to the event loop.
package protocol Subscriber: AnyObject {
    /// The connection on which the app has asked.
    var client: any Client { get }
    /// A Boolean value indicating whether it takes nothing any more.
    var isEnded: Bool { get }
    /// The number of locations and events that a newer one has replaced because the client did not read.
    var replacedCount: Int { get }
    /// Ends it: the app does not get, or no longer gets, what it has asked for.
    func end(_ failure: LocationFailure)
    /// Calls `body` once it has ended, for whatever reason: at once if it has. To be called once.
    func whenEnded(_ body: @escaping () -> Void)
}

/// The receiving end of locations: of a stream, or of a request for one.
package protocol LocationSubscriber: Subscriber {
    /// Takes a location.
    ///
    /// - Parameters:
    ///   - location: What the app gets of `publication`.
    ///   - publication: The same for all who get the same location, so that it is encoded once.
    ///   - isLast: Whether nothing follows. The subscriber ends itself then.
    func receive(_ location: borrowing Counted<Location>, of publication: Publication, isLast: Bool)
    /// Takes what happened on the stream.
    func receive(_ event: consuming SubscriptionEvent)
    /// Ends it: its time is over.
    func complete()
}

/// What happens on a stream of locations besides locations.
package enum SubscriptionEvent: ~Copyable {
    /// The device rests there: no location follows before it sets off.
    case paused(Counted<Location>)
    /// The device has set off.
    case resumed
    /// The app is not in use: nothing follows before it is.
    case suspended
    /// The app is in use again.
    case unsuspended
    /// No receiver can be used.
    case receiverLost
    /// A receiver can be used again.
    case receiverFound
    /// The app may have more or less than before, but still something.
    case authorizationChanged(Authorization)
}

/// The receiving end of a stream of events.
package protocol EventSubscriber<Event>: Subscriber {
    /// What happens.
    associatedtype Event
    /// Takes an event.
    func receive(_ event: consuming Counted<Event>)
}
