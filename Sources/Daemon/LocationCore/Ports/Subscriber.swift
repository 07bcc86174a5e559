package import LocationModel

/// A front's receiving end of an app's request.
///
/// Locations, and events made from locations, have passed the gate and are counted by the access history. Confined to
/// the event loop.
package protocol Subscriber: AnyObject {
    /// The connection of the request.
    var client: any Client { get }
    /// A Boolean value indicating whether the subscriber no longer receives anything.
    var isEnded: Bool { get }
    /// The number of locations and events that the subscriber received and never sent, because newer ones replaced
    /// them, or they were forbidden, before the client read them.
    var replacedCount: Int { get }
    /// Ends the subscriber with an error: the app's request is not, or no longer, fulfilled.
    func end(_ failure: LocationFailure)
    /// Calls `body` when the subscriber has ended for any reason, or at once if it has already. To be called once.
    func whenEnded(_ body: @escaping () -> Void)
}

/// The receiving end of a subscription, or of a request for one location.
package protocol LocationSubscriber: Subscriber {
    /// Receives a location.
    ///
    /// - Parameters:
    ///   - publication: The location as it was released to the app. All apps that get the same location get the same
    ///     publication, so that a front encodes it once.
    ///   - isLast: `true` if nothing follows. The subscriber then ends itself.
    func receive(_ publication: borrowing Counted<Publication>, isLast: Bool)
    /// Receives an event of the subscription.
    func receive(_ event: consuming SubscriptionEvent)
    /// Ends the subscriber without an error: the duration of the subscription is over.
    func complete()
}

/// An event of a subscription that is not a location.
package enum SubscriptionEvent: ~Copyable {
    /// The device is stationary at this location. No other location follows until it moves again.
    case paused(Counted<Publication>)
    /// The device is moving again.
    case resumed
    /// The app is not in use. Nothing follows until it is.
    case suspended
    /// The app is in use again.
    case unsuspended
    /// No receiver is available.
    case receiverLost
    /// A receiver is available again.
    case receiverFound
    /// The app's authorization has changed. The app is still authorized.
    case authorizationChanged(Authorization)
}

/// The receiving end of an event stream.
package protocol EventSubscriber<Event>: Subscriber {
    /// The type of the events.
    associatedtype Event
    /// Receives an event.
    func receive(_ event: consuming Counted<Event>)
}
