public import LocationModel

/// A reply with a list or a part of a list.
///
/// A list may be longer than one reply. A call with `more` gets the list in as many replies as it needs, and each of
/// them except the last is `continued`. A call without `more` gets only the first of these replies.
public protocol Page: Codable, Sendable, Equatable {
    /// The type of the list's elements.
    associatedtype Element: Codable & Sendable & Equatable
    /// The elements in this reply, in the list's order.
    var elements: [Element] { get set }
    /// A Boolean value indicating whether the list continues in the next reply, or `nil` if not.
    var continued: Bool? { get set }
    /// Creates a reply that contains these elements and ends the list.
    init(elements: [Element])
}

extension Page {
    /// Appends the next part of the same list.
    public mutating func append(_ next: Self) {
        elements += next.elements
        continued = next.continued
    }
}

extension ListApps.Reply: Page {
    /// The apps.
    public var elements: [AppSummary] {
        get { apps }
        set { apps = newValue }
    }
    /// Creates a reply that contains these apps and ends the list.
    public init(elements: [AppSummary]) { self.init(apps: elements) }
}

extension ListSessions.Reply: Page {
    /// The open streams and the monitoring.
    public var elements: [SessionSummary] {
        get { sessions }
        set { sessions = newValue }
    }
    /// Creates a reply that contains these sessions and ends the list.
    public init(elements: [SessionSummary]) { self.init(sessions: elements) }
}

extension ListReceivers.Reply: Page {
    /// The receivers.
    public var elements: [ReceiverSummary] {
        get { receivers }
        set { receivers = newValue }
    }
    /// Creates a reply that contains these receivers and ends the list.
    public init(elements: [ReceiverSummary]) { self.init(receivers: elements) }
}

extension ListSatellites.Reply: Page {
    /// The receivers with their satellites.
    public var elements: [ReceiverSatellites] {
        get { receivers }
        set { receivers = newValue }
    }
    /// Creates a reply that contains these receivers and ends the list.
    public init(elements: [ReceiverSatellites]) { self.init(receivers: elements) }
}

extension ListPlaces.Reply: Page {
    /// The places.
    public var elements: [Place] {
        get { places }
        set { places = newValue }
    }
    /// Creates a reply that contains these places and ends the list.
    public init(elements: [Place]) { self.init(places: elements) }
}

extension GetIndicator.Reply: Page {
    /// The apps.
    public var elements: [IndicatorEntry] {
        get { apps }
        set { apps = newValue }
    }
    /// Creates a reply that contains these apps and ends the list.
    public init(elements: [IndicatorEntry]) { self.init(apps: elements) }
}

extension GetAccessLog.Reply: Page {
    /// The entries of the log.
    public var elements: [AccessLogEntry] {
        get { entries }
        set { entries = newValue }
    }
    /// Creates a reply that contains these entries and ends the list.
    public init(elements: [AccessLogEntry]) { self.init(entries: elements) }
}

extension MonitorPrompts.Reply: Page {
    /// The prompts.
    public var elements: [Prompt] {
        get { prompts }
        set { prompts = newValue }
    }
    /// Creates a reply that contains these prompts and ends the list.
    public init(elements: [Prompt]) { self.init(prompts: elements) }
}
