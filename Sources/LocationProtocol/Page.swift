public import LocationModel

/// A reply that holds a list, or a part of one.
///
/// A list may be longer than one reply. A call with `more` gets it in as many replies as it takes: each but the last is
/// `continued`. A call without `more` gets the first of them only.
public protocol Page: Codable, Sendable, Equatable {
    /// What the list is of.
    associatedtype Element: Codable & Sendable & Equatable
    /// The elements in this reply, in the list's order.
    var elements: [Element] { get set }
    /// True if the list goes on in the next reply; else absent.
    var continued: Bool? { get set }
    /// Makes a reply that holds these elements and ends the list.
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
    /// Makes a reply that holds these apps and ends the list.
    public init(elements: [AppSummary]) { self.init(apps: elements) }
}

extension ListSessions.Reply: Page {
    /// The streams.
    public var elements: [SessionSummary] {
        get { sessions }
        set { sessions = newValue }
    }
    /// Makes a reply that holds these streams and ends the list.
    public init(elements: [SessionSummary]) { self.init(sessions: elements) }
}

extension ListReceivers.Reply: Page {
    /// The receivers.
    public var elements: [ReceiverSummary] {
        get { receivers }
        set { receivers = newValue }
    }
    /// Makes a reply that holds these receivers and ends the list.
    public init(elements: [ReceiverSummary]) { self.init(receivers: elements) }
}

extension ListSatellites.Reply: Page {
    /// The receivers with their satellites.
    public var elements: [ReceiverSatellites] {
        get { receivers }
        set { receivers = newValue }
    }
    /// Makes a reply that holds these receivers and ends the list.
    public init(elements: [ReceiverSatellites]) { self.init(receivers: elements) }
}

extension ListPlaces.Reply: Page {
    /// The places.
    public var elements: [Place] {
        get { places }
        set { places = newValue }
    }
    /// Makes a reply that holds these places and ends the list.
    public init(elements: [Place]) { self.init(places: elements) }
}

extension GetIndicator.Reply: Page {
    /// The apps.
    public var elements: [IndicatorEntry] {
        get { apps }
        set { apps = newValue }
    }
    /// Makes a reply that holds these apps and ends the list.
    public init(elements: [IndicatorEntry]) { self.init(apps: elements) }
}

extension GetAccessLog.Reply: Page {
    /// The hours.
    public var elements: [AccessLogEntry] {
        get { entries }
        set { entries = newValue }
    }
    /// Makes a reply that holds these hours and ends the list.
    public init(elements: [AccessLogEntry]) { self.init(entries: elements) }
}

extension MonitorPrompts.Reply: Page {
    /// The prompts.
    public var elements: [Prompt] {
        get { prompts }
        set { prompts = newValue }
    }
    /// Makes a reply that holds these prompts and ends the list.
    public init(elements: [Prompt]) { self.init(prompts: elements) }
}
