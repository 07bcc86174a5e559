package import LocationModel
package import Publishing

/// An event of the source of reports.
package enum SourceEvent {
    /// A location or a crossing to publish.
    case report(Report)
    /// The publisher is authorized with this accuracy. Queued reports may be sent unless they are more accurate; while
    /// location services are off, only if the configuration allows it.
    case authorized(AccuracyAuthorization, servicesEnabled: Bool = true)
    /// There is no decision, or it has ended or is unknown: nothing may be sent until there is one.
    case undecided
    /// The user has denied the location: the collected reports must never be sent.
    case denied
}

/// The source of the published reports. Confined to the event loop.
package protocol ReportSource: AnyObject {
    /// Starts. `onEvent` is called on the loop until ``stop()``.
    func start(onEvent: @escaping (SourceEvent) -> Void)

    /// Ends.
    func stop()
}
