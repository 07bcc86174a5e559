internal import Publishing

/// An event of the source of reports.
enum SourceEvent {
    /// A location or a crossing, which is to be published.
    case report(Report)
    /// The publisher may have the location: what is in the queue may be sent.
    case authorized
    /// The user has denied the location: nothing that was collected is to be sent.
    case denied
}

/// The source of what is published. Confined to the event loop.
protocol ReportSource: AnyObject {
    /// Begins. `onEvent` is called on the loop until ``stop()``.
    func start(onEvent: @escaping (SourceEvent) -> Void)

    /// Ends.
    func stop()
}
