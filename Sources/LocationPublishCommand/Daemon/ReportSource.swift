package import LocationModel
package import Publishing

/// An event of the source of reports.
package enum SourceEvent {
    /// A location or a crossing, which is to be published.
    case report(Report)
    /// The publisher may have the location with that accuracy: what is in the queue may be sent, as far as it is not
    /// more accurate, and while location services are off only if the configuration says so.
    case authorized(AccuracyAuthorization, servicesEnabled: Bool = true)
    /// Nobody has decided, the decision has ended, or it is not known: nothing is to be sent until somebody decides.
    case undecided
    /// The user has denied the location: nothing that was collected is to be sent, ever.
    case denied
}

/// The source of what is published. Confined to the event loop.
package protocol ReportSource: AnyObject {
    /// Begins. `onEvent` is called on the loop until ``stop()``.
    func start(onEvent: @escaping (SourceEvent) -> Void)

    /// Ends.
    func stop()
}
